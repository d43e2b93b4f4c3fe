import { verifyHosts } from '../../access/accounts/verify-hosts.job.ts';
import { isSandboxConsoleUsed } from '../../access/sessions/sessions.db.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { sendDriverLink } from '../../fulfillment/deliveries/driver-link.job.ts';
import { autoConfirmOrder } from '../../fulfillment/store-channels/auto-confirm.job.ts';
import { watchPrinters } from '../../fulfillment/store-channels/watch-printers.job.ts';
import { notifyEndpointDisabled } from '../../notify/webhooks/notify-endpoint-disabled.job.ts';
import { keepHolds } from '../../ordering/money/keep-hold.job.ts';
import { type OrderSimulation, runOrderTimers } from '../../ordering/money/order-timer.job.ts';
import {
  reconcileCharges,
  refundLateCharges,
  refundLateTips,
  resolveOneCharge,
  resolveUnsettledCharges,
} from '../../ordering/money/resolve-charges.job.ts';
import { learnMinutes } from '../../ordering/order/learn-minutes.job.ts';
import { forgetCard, resolveSetups } from '../../ordering/payments/cards.job.ts';
import { placeApprovedOrders } from '../../ordering/place/place-approved.job.ts';
import { recordTaxes } from '../../ordering/statements/record-taxes.job.ts';
import { retryLedgers } from '../../ordering/statements/retry-ledgers.job.ts';
import { deleteExpiredRows } from '../../platform/jobs/delete-expired.job.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { endProductOffSale } from '../../supply/catalog/end-off-sale.job.ts';
import { purgePhotos } from '../../supply/photos/purge-photos.job.ts';
import { refreshPlaces } from '../../supply/places/refresh-place.job.ts';
import { watchAlerts } from '../../surfaces/operator/alerts/watch-alerts.job.ts';
import { readCertificates } from '../../surfaces/operator/read-certificates.job.ts';
import { sendSignInLink } from '../../surfaces/operator/sign-in-link.job.ts';
import { sendStoreInvitation } from '../../surfaces/operator/store-invitation.job.ts';
import { simulateOrders } from '../../surfaces/sandbox/simulate-orders.flow.ts';
import { sendGrantMail, sendSignInCode } from '../../surfaces/sign-in/send-letters.job.ts';
import { sendCheckoutLink } from '../../surfaces/store-console/checkout-sms.job.ts';
import type { Deps } from './deps.ts';
import { retentionsOf } from './retentions.ts';

/** The simulation of sandbox orders. While a console is open, people act as the store. */
export function simulationOf(deps: Deps): OrderSimulation {
  return simulateOrders({ ...deps, isStorePlayed: (order) => isSandboxConsoleUsed(deps.db, order, deps.clock.now()) });
}

/** Every background task of the service. */
export function workersOf(deps: Deps): Worker<never>[] {
  return [
    deleteExpiredRows(deps, retentionsOf(deps.config)),
    forgetCard(deps),
    resolveSetups(deps),
    runOrderTimers({ ...deps, simulation: simulationOf(deps) }),
    resolveOneCharge(deps),
    refundLateCharges(deps),
    refundLateTips(deps),
    reconcileCharges(deps),
    keepHolds(deps),
    placeApprovedOrders(deps),
    resolveUnsettledCharges(deps),
    notifyEndpointDisabled(deps),
    refreshPlaces(deps),
    purgePhotos(deps),
    endProductOffSale(deps),
    retryLedgers({ ...deps, findCourierStores }),
    recordTaxes(deps),
    autoConfirmOrder(deps),
    watchPrinters(deps),
    learnMinutes(deps),
    verifyHosts(deps),
    readCertificates(deps),
    sendSignInLink(deps),
    sendSignInCode(deps),
    sendGrantMail(deps),
    sendStoreInvitation(deps),
    sendDriverLink(deps),
    sendCheckoutLink(deps),
    watchAlerts(deps),
  ] as Worker<never>[];
}
