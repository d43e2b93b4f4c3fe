import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { cardPageUrlOf } from '../order/checkout-link.ts';
import { chargeKeyOf, type Order } from '../order/order.ts';
import type { OrderDeps, ResolveChargeDeps } from '../order/order-deps.ts';
import { payingMethodId } from '../order/order-view.ts';
import { lockOrder, saveProgress, saveRequest } from '../order/orders.db.ts';
import { findCheckoutCard } from '../payments/card-setups.db.ts';
import { type Attempt, tooManyDeclines } from '../payments/decline.ts';
import { findDeclineBlock, insertDecline } from '../payments/declines.db.ts';
import { CardDeclined, type Charge, requireGateway } from '../payments/payment-gateway.ts';
import { findCardIdentity } from '../payments/payment-methods.db.ts';
import {
  authenticationRequired,
  chargeAttemptOf,
  LATE_CHARGE,
  lateChargeOf,
  lateChargeTimes,
  saveWaiting,
} from './charge-order.flow.ts';
import { chargeCurrency, chargeUnderKey } from './charge-under-key.flow.ts';
import { needsHold } from './hold-times.ts';

/*
 * Holds the money of a placed order again, by the card that its customer gave last. An attempt is of one card: a second
 * press, a lost response and the job that meets them repeat it under its key. The money of any other attempt is
 * released.
 */

export type HoldAgainDeps = ResolveChargeDeps & Pick<OrderDeps, 'trackingSites'>;

/** An order after an attempt, with the earlier hold if the attempt failed, and the charge if one was made. */
type HeldAgain = { order: Order; charge?: Charge };

/** The card that a placed order's customer entered last. */
export async function cardToHold({ db }: Pick<OrderDeps, 'db'>, { orderId, placedAt, request }: Order) {
  return (placedAt && (await findCheckoutCard(db, orderId, placedAt))) ?? request.paymentMethodId ?? '';
}

/** `payer`: the customer is present, and may approve the charge at the bank. */
export async function holdAgain(
  deps: HoldAgainDeps,
  order: Order,
  payer?: { keyId: string },
): Promise<HeldAgain | undefined> {
  const paymentMethodId = await cardToHold(deps, order);
  const card = await findCardIdentity(deps.db, order, paymentMethodId);
  if (!card) return { order };
  const paying = payer && chargeAttemptOf(order, { card, ...payer });
  const declineBlock = paying && (await findDeclineBlock(deps.db, paying, deps.clock.now()));
  if (declineBlock) throw tooManyDeclines(declineBlock, deps.clock.now());
  const begun = await beginAttempt(deps, order, paymentMethodId);
  if (!begun || !needsHold(begun, deps.clock.now())) return begun && { order: begun };
  const request = {
    cardToken: card.gatewayToken,
    amountCents: begun.authorizedCents ?? 0,
    currency: chargeCurrency(begun),
    key: chargeKeyOf(begun),
    orderId: begun.orderId,
    waitingChargeId: begun.waitingChargeId ?? undefined,
    returnUrl: cardPageUrlOf(deps.trackingSites.siteOf(begun.accountId), begun.orderId, '/back'),
  };
  const gateway = requireGateway(deps.gateways, begun.mode);
  const charge = await chargeUnderKey(gateway, request, { isNew: true, isHold: true }).catch(declineIfRefused);
  if (charge.status === 'waiting' && !payer) await gateway.cancelCharge(charge.chargeId);
  const ended = await endAttempt(deps, begun, { charge, paying });
  return ended && { order: ended, charge };
}

/**
 * Holds the money with the customer present. Throws CardDeclined, 402 authentication_required,
 * 429 too_many_declines, 404 payment_method_not_found if the card was deleted, or OutsideError if the outcome is
 * unknown.
 */
export async function holdWithCustomer(deps: HoldAgainDeps, order: Order, payer: { keyId: string }): Promise<void> {
  const held = await holdAgain(deps, order, payer);
  if (!held || !needsHold(held.order, deps.clock.now())) return;
  const { charge } = held;
  if (charge?.status === 'declined') throw new CardDeclined(charge.declineCode);
  if (charge?.status === 'waiting') throw authenticationRequired(charge, held.order);
  if (!charge) throw new Refusal('payment_method_not_found', "This order's card was deleted.");
}

/** A card that the gateway does not have any longer cannot be held. */
function declineIfRefused(error: unknown): Charge {
  if (!(error instanceof OutsideError) || error.retryable) throw error;
  return { chargeId: '', status: 'declined', declineCode: 'generic_decline' };
}

/** Takes the number of the next attempt, unless the card's is under way. A late charge of it is refunded. */
function beginAttempt({ db, clock, jobs }: ResolveChargeDeps, { orderId }: Order, paymentMethodId: string) {
  return db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked || !needsHold(locked, clock.now())) return locked;
    const isSameCard = locked.request.paymentMethodId === paymentMethodId;
    const isUnderWay = isSameCard && locked.chargeAttempt !== locked.holdAttempt;
    const chargeAttempt = locked.chargeAttempt + 1;
    const request = { ...locked.request, paymentMethodId, heldPaymentMethodId: payingMethodId(locked) };
    const begun: Order = isUnderWay ? locked : { ...locked, request, chargeAttempt, waitingChargeId: null };
    if (!isUnderWay) await saveProgress(tx, begun);
    if (!isSameCard) await saveRequest(tx, begun);
    if (begun.waitingChargeId !== null) return begun;
    const payload = lateChargeOf(begun);
    const looks = lateChargeTimes(clock.now()).map((startAfter) => ({ payload, startAfter }));
    await jobs.enqueueMany(tx, LATE_CHARGE, looks);
    return begun;
  });
}

type Outcome = { charge: Charge; paying: Attempt | undefined };

/**
 * Writes the new hold and has the old one given free, or the new one if the order needs none any more. A charge that
 * waits for a customer is continued until it is canceled.
 */
function endAttempt(deps: ResolveChargeDeps, begun: Order, outcome: Outcome) {
  const { charge } = outcome;
  return deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, begun.orderId);
    const { chargeAttempt, holdAttempt } = begun;
    const isCurrent = locked?.chargeState === 'authorized' && locked.chargeAttempt === chargeAttempt;
    if (charge.status !== 'authorized') return isCurrent ? endWithoutHold(deps, tx, locked, outcome) : locked;
    // The old hold is found by its id, because it may be of another card.
    const spare = isCurrent ? { ...begun, chargeAttempt: holdAttempt ?? 0, waitingChargeId: begun.chargeId } : begun;
    await deps.jobs.enqueue(tx, LATE_CHARGE, lateChargeOf(spare));
    if (!isCurrent) return locked;
    const { chargeId, captureBefore: holdUntil } = charge;
    const { heldPaymentMethodId: replaced, ...request } = locked.request;
    const attempt = { holdAttempt: chargeAttempt, waitingChargeId: null };
    const held: Order = { ...locked, ...attempt, request, chargeId, holdUntil };
    await saveProgress(tx, held);
    if (replaced !== undefined) await saveRequest(tx, held);
    return held;
  });
}

async function endWithoutHold(deps: ResolveChargeDeps, tx: Sql, locked: Order, { charge, paying }: Outcome) {
  if (paying && charge.status === 'waiting') {
    return saveWaiting(deps, tx, locked, { ...locked, waitingChargeId: charge.chargeId });
  }
  if (paying && charge.status === 'declined') await insertDecline(tx, paying, deps.clock.now());
  const next: Order = { ...locked, chargeAttempt: locked.chargeAttempt + 1, waitingChargeId: null };
  await saveProgress(tx, next);
  return next;
}
