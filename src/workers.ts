import { purgeIdempotencyKeys } from './accounts/purge-idempotency-keys.job.ts';
import { runOrderTimers } from './deliveries/order-timer.job.ts';
import type { Worker } from './jobs/job-queue.ts';
import { deleteUntouched } from './orders/delete-untouched-orders.job.ts';
import { settleLeftOrders } from './orders/settle-left-orders.job.ts';
import { settleOneOrder } from './orders/settle-order.job.ts';
import { giveBackStrayCharges } from './orders/stray-charge.job.ts';
import { forgetCard } from './payments/forget-card.job.ts';
import { refreshPlaces } from './places/refresh-place.job.ts';
import { tellSwitchedOff } from './webhooks/tell-switched-off.job.ts';
import type { Deps } from './wiring/deps.ts';

/** Every background task of the service. */
export function workersOf(deps: Deps): Worker<never>[] {
  return [
    purgeIdempotencyKeys(deps),
    forgetCard(deps),
    runOrderTimers(deps),
    settleOneOrder(deps),
    giveBackStrayCharges(deps),
    settleLeftOrders(deps),
    tellSwitchedOff(deps),
    refreshPlaces(deps),
    deleteUntouched(deps),
  ] as Worker<never>[];
}
