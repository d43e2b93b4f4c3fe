import { sandboxOf } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { activeTraceparent } from '../../platform/lib/tracing.ts';
import { offerAtOf } from '../../supply/pricing/slots.ts';
import { advanceOrder } from '../order/advance-order.ts';
import { checkoutTokenOf, checkoutUrlOf } from '../order/checkout-link.ts';
import { MONEY, placedState, planOf } from '../order/money-plan.ts';
import { chargeKeyOf, type Order, refundKeyOf } from '../order/order.ts';
import type { OrderDeps, ResolveChargeDeps } from '../order/order-deps.ts';
import { releaseHolds } from '../order/order-holds.flow.ts';
import type { OrderStatements, PlacingStep } from '../order/order-statements.db.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../order/orders.db.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { holdCents, isWeighedOrder } from '../order/weighed-order.ts';
import { type Attempt, cardOf } from '../payments/decline.ts';
import { insertDecline } from '../payments/declines.db.ts';
import {
  CardDeclined,
  type Charge,
  type ChargeRequest,
  type PaymentGateway,
  requireGateway,
  type WaitingCharge,
} from '../payments/payment-gateway.ts';
import { type CardIdentity, findCardIdentity, findPaymentMethod } from '../payments/payment-methods.db.ts';
import { chargeCurrency, chargeUnderKey, isWithoutEffect } from './charge-under-key.flow.ts';
import { isHeldFromPlacing } from './hold-times.ts';
import { settleOrder } from './settle-order.flow.ts';
import { recordStep } from './take-step.flow.ts';

/*
 * Charges an order. The idempotency key is the order's id and the attempt's number, so an attempt charges up to once.
 * chargeOrder calls the gateway; endAttempt writes the outcome once; resolveCharge ends an attempt that was left open;
 * refundLateCharge refunds a late charge.
 */

/** An attempt to charge a stored order. `isNew`: the gateway cannot have seen its key yet. */
type ChargeAttempt = { order: Order; payer: Payer; isNew: boolean };

/**
 * Charges an order whose charge is pending, and ends the attempt. Idempotent across processes. Throws CardDeclined, 402
 * authentication_required if the customer must approve the charge, or OutsideError if the outcome is unknown, which a
 * job then resolves.
 */
export async function chargeOrder(
  deps: ResolveChargeDeps & Pick<OrderDeps, 'tokens'>,
  gateway: PaymentGateway,
  { order, payer, isNew }: ChargeAttempt,
): Promise<Order> {
  const token = checkoutTokenOf(deps.tokens, order);
  const request: ChargeRequest = {
    cardToken: payer.card.gatewayToken,
    amountCents: chargeCents(order),
    currency: chargeCurrency(order),
    key: chargeKeyOf(order),
    orderId: order.orderId,
    waitingChargeId: order.waitingChargeId ?? undefined,
    returnUrl: token && `${checkoutUrlOf({ siteUrl: deps.config.trackingUrl }, token)}/approved`,
  };
  const { paymentMethodId } = order.request;
  const isHold = isWeighedOrder(order.quote);
  const charge = await chargeOrEnd(deps.db, gateway, { order, request, isNew, paymentMethodId, isHold }, () =>
    endAttempt(deps, order, undefined),
  );
  const ended = await endAttempt(deps, order, { charge, payer });
  if (charge.status === 'declined') throw new CardDeclined(charge.declineCode);
  if (charge.status === 'waiting') throw authenticationRequired(charge, order);
  if (ended.chargeId === charge.chargeId) return ended;
  throw new OutsideError('payment gateway', 'charged an order whose attempt had timed out', { retryable: true });
}

/** The charge or hold at placing: for items sold by weight, their maximum price. */
function chargeCents({ quote }: Pick<Order, 'quote'>): number {
  return isWeighedOrder(quote) ? holdCents(quote) : quote.totalWithTipCents;
}

/**
 * A charge of an order or of its later tip. `isNew`: the gateway cannot have seen its key yet. `isHold`: the money is
 * held where the gateway can.
 */
type KeyedCharge = {
  order: Pick<Order, 'accountId' | 'mode'>;
  request: ChargeRequest;
  isNew: boolean;
  isHold?: boolean;
  paymentMethodId: string | null;
};

/**
 * Charges under a key. `end` ends the attempt if the gateway refused the call itself, so that no money moved. Refuses
 * with `payment_method_not_found` if it did so because the card was deleted during the request: the gateway has not
 * failed, and a repeated request gets the same error.
 */
export async function chargeOrEnd(
  sql: Sql,
  gateway: PaymentGateway,
  { order, request, isNew, isHold = false, paymentMethodId }: KeyedCharge,
  end: () => Promise<unknown>,
): Promise<Charge> {
  return chargeUnderKey(gateway, request, { isNew, isHold }).catch(async (error) => {
    if (isWithoutEffect(error, isNew)) await end();
    if (isRefusal(error) && !(await findPaymentMethod(sql, order, paymentMethodId ?? ''))) {
      throw new Refusal('payment_method_not_found', 'The card was deleted while it was being charged.');
    }
    throw error;
  });
}

/**
 * Ends an attempt: a charge places the order, anything else releases its holds. `charge` is undefined if the gateway
 * has no record; then a job looks again later. A charge found after the end is refunded.
 */
export async function endAttempt(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'inventory' | 'orderStatements'>,
  order: Order,
  outcome: { charge: Charge; payer: Payer } | undefined,
): Promise<Order> {
  const now = deps.clock.now();
  const charge = outcome?.charge;
  const attempt = outcome && chargeAttemptOf(order, outcome.payer);
  const isCharged =
    charge?.status === 'succeeded' || charge?.status === 'to_collect' || charge?.status === 'authorized';
  if (isCharged) {
    const placed = await placeCharged(deps, order, charge, attempt);
    if (placed) return placed;
  }
  const ended = await deps.db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, order.orderId);
    const isOver = locked.chargeState !== 'pending' || locked.chargeAttempt !== order.chargeAttempt;
    if (isOver) {
      if (isCharged && locked.chargeId !== charge.chargeId)
        await deps.jobs.enqueue(tx, LATE_CHARGE, lateChargeOf(order));
      return locked;
    }
    if (charge?.status === 'waiting') return awaitApproval(deps, tx, locked, charge);
    if (isCharged) throw new OutsideError('payment gateway', 'ended an attempt that began again', { retryable: true });
    const freed: Order = { ...(await releaseHolds(tx, locked)), chargeState: 'declined' };
    await saveProgress(tx, freed);
    if (attempt) {
      await insertDecline(tx, attempt, now);
    } else {
      const payload = lateChargeOf(order);
      const searches = lateChargeTimes(now).map((startAfter) => ({ payload, startAfter }));
      await deps.jobs.enqueueMany(tx, LATE_CHARGE, searches);
    }
    return freed;
  });
  const gaveBack = ended.chargeState === 'declined' || ended.chargeState === 'waiting';
  if (gaveBack) deps.inventory.evict(order.storeId, sandboxOf(order));
  return ended;
}

/**
 * Places an order whose charge has succeeded or is to be collected, and records a live charge under its key. Undefined
 * if the attempt has ended.
 */
function placeCharged(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'orderStatements'>,
  order: Order,
  charge: Charge,
  attempt: Attempt | undefined,
): Promise<Order | undefined> {
  const charged: Order = { ...order, ...chargedState(order, charge, deps.clock.now()), chargeId: charge.chargeId };
  const counted = order.mode === 'live' ? attempt : undefined;
  return recordPlacing(deps, deps.orderStatements, charged, { chargeState: 'pending', charged: counted });
}

function chargedState(order: Order, charge: Charge, now: Temporal.Instant) {
  const moneyPlan = planOf(order, charge.status);
  const chargeState = placedState(moneyPlan);
  const cents = chargeCents(order);
  const most = MONEY[moneyPlan].leave === 'nothing' ? {} : { authorizedCents: cents };
  if (chargeState === 'charged') return { moneyPlan, chargeState, chargedCents: cents, ...most };
  if (charge.status !== 'authorized') return { moneyPlan, chargeState };
  const holdUntil = isHeldFromPlacing(order, now) ? charge.captureBefore : null;
  return { moneyPlan, chargeState, holdAttempt: order.chargeAttempt, holdUntil, ...most };
}

/**
 * Writes the step `order.placed`, which offers the order to its store and starts the confirmation's time-out. Undefined
 * if the charge is no longer in `chargeState`.
 */
export async function recordPlacing(
  { config, clock }: Pick<OrderDeps, 'config' | 'clock'>,
  statements: Pick<OrderStatements, 'placeOrder'>,
  order: Order,
  before: Pick<PlacingStep, 'chargeState' | 'charged'>,
): Promise<Order | undefined> {
  const now = clock.now();
  const offerAt = offerAtOf(order.quote, now);
  const milliseconds = Math.round(config.orderConfirmTimeoutMinutes * 60_000);
  const placed: Order = {
    ...order,
    status: 'awaiting_confirmation',
    placedAt: now,
    offerAt,
    confirmBy: offerAt.add({ milliseconds }),
    eta: instantOfEpochSeconds(order.quote.etaEpochS),
    lastSequence: order.lastSequence + 1,
  };
  const event = { type: 'order.placed' as const, data: {} };
  const step = { order: placed, event, at: now, traceparent: activeTraceparent(), ...before };
  const orderNumber = await statements.placeOrder(step);
  return orderNumber === undefined ? undefined : { ...placed, orderNumber };
}

/** Whether the gateway answered with an error. `chargeUnderKey` keeps the error of a repeated call as a cause. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof OutsideError)) return false;
  return !error.retryable || isRefusal(error.cause);
}

/** The fields of an order that identify its current charge attempt. */
type ContinuedAttempt = Pick<Order, 'chargeState' | 'chargeAttempt' | 'chargeStartedAt' | 'waitingChargeId'>;

/**
 * The attempt of a stored order whose charge waits for 3-D Secure, if total, card and currency are the same in the new
 * quote. That charge is completed, so that there is no second one. Undefined otherwise.
 */
export function continuedAttempt(stored: Order, next: Order): ContinuedAttempt | undefined {
  const isSame =
    stored.chargeState === 'waiting' &&
    stored.waitingChargeId !== null &&
    stored.quote.totalWithTipCents === next.quote.totalWithTipCents &&
    chargeCents(stored) === chargeCents(next) &&
    stored.quote.store.country === next.quote.store.country &&
    stored.request.paymentMethodId === next.request.paymentMethodId &&
    next.request.chargeUser;
  if (!isSame) return undefined;
  const { chargeState, chargeAttempt, chargeStartedAt, waitingChargeId } = stored;
  return { chargeState, chargeAttempt, chargeStartedAt, waitingChargeId };
}

/**
 * Has the gateway cancel a charge that waits for 3-D Secure, because it is never completed once its order is charged
 * again.
 */
export async function abandonWaitingCharge({ jobs }: Pick<OrderDeps, 'jobs'>, sql: Sql, stored: Order): Promise<void> {
  if (stored.chargeState === 'waiting') await jobs.enqueue(sql, LATE_CHARGE, lateChargeOf(stored));
}

/**
 * Ends an attempt whose charge waits for 3-D Secure: the order is unplaced and its holds are released. If it is
 * finalized or approved in time, the charge continues; after that, the gateway cancels it.
 */
async function awaitApproval(
  { jobs, clock }: Pick<OrderDeps, 'jobs' | 'clock'>,
  tx: Sql,
  locked: Order,
  charge: WaitingCharge,
): Promise<Order> {
  const freed = await releaseHolds(tx, locked);
  return saveWaiting({ jobs, clock }, tx, locked, {
    ...freed,
    chargeState: 'waiting',
    waitingChargeId: charge.chargeId,
  });
}

/** Saves an order whose charge waits for the customer's approval, and queues look-ups of it until its deadline. */
export async function saveWaiting(
  { jobs, clock }: Pick<OrderDeps, 'jobs' | 'clock'>,
  tx: Sql,
  locked: Order,
  waiting: Order,
): Promise<Order> {
  await saveProgress(tx, waiting);
  if (locked.waitingChargeId !== null) return waiting;
  const inMinutes = (minutes: number) => clock.now().add({ minutes });
  await jobs.enqueue(tx, LATE_CHARGE, lateChargeOf(waiting), { startAfter: inMinutes(APPROVAL_MINUTES) });
  const payload = { orderId: waiting.orderId };
  const lookUps = APPROVAL_LOOK_UP_MINUTES.map((minutes) => ({ payload, startAfter: inMinutes(minutes) }));
  await jobs.enqueueMany(tx, PLACE_APPROVED, lookUps);
  return waiting;
}

/**
 * Places an order whose customer approved its charge and did not come back; a placed order gets that charge as its
 * hold. Queued by events of the gateway, and by time, because Stripe reports no approval of a charge that this service
 * still has to confirm.
 */
export const PLACE_APPROVED: JobKind<{ orderId: string }> = { name: 'place-approved-order' };

/** Whether the customer has approved the waiting charge of an order. */
export async function isApproved(deps: Pick<OrderDeps, 'db' | 'gateways'>, order: Order): Promise<boolean> {
  const { chargeAttempt: attempt, waitingChargeId } = order;
  const charge = (await findOutcome(deps, order, { attempt, waitingChargeId, ...order.request }))?.charge;
  const isDone = charge?.status === 'succeeded' || charge?.status === 'authorized';
  return isDone || (charge?.status === 'waiting' && charge.authenticationUrl === null);
}

/** 402: the customer approves the charge at `authentication_url`; then the app finalizes the order. */
export function authenticationRequired(
  { authenticationUrl }: WaitingCharge,
  { orderId, mode, request }: Order,
): Refusal {
  const sentence = 'The bank asks the customer to approve the payment. Finalize the order afterward.';
  const { language } = request.customer;
  // The sandbox's approval page is served by this service.
  const lang = mode === 'sandbox' && language ? `?lang=${language}` : '';
  const url = authenticationUrl === null ? {} : { authentication_url: `${authenticationUrl}${lang}` };
  return new Refusal('payment_declined', sentence, {
    members: { decline_code: 'authentication_required', ...url, order_id: orderId },
  });
}

/** The paying card and the request's API key; without a key if a job found the outcome. */
export type Payer = { card: CardIdentity; keyId?: string };

/** The identities whose decline counters an ended charge of an order or tip counts against. */
export function chargeAttemptOf(
  { accountId, mode, request }: Pick<Order, 'accountId' | 'mode' | 'request'>,
  payer: Payer,
): Attempt {
  return { accountId, mode, userId: request.customer.userId, keyId: payer.keyId, card: cardOf(payer.card) };
}

/** A charge attempt that has timed out, or will have when the job runs. Amounts are in cents. */
export type LateCharge = {
  orderId: string;
  attempt: number;
  amountCents: number;
  paymentMethodId: string | null;
  waitingChargeId: string | null;
};

/** Refunds a charge that the gateway recorded after its attempt had timed out. */
export const LATE_CHARGE: JobKind<LateCharge> = { name: 'refund-late-charge' };

/** The order's current attempt, for look-ups after it has timed out. */
export function lateChargeOf(order: Order): LateCharge {
  const { orderId, chargeAttempt: attempt, waitingChargeId, request } = order;
  const { paymentMethodId } = request;
  return { orderId, attempt, amountCents: chargeCents(order), paymentMethodId, waitingChargeId };
}

/** Minutes when a customer must approve a charge and the order be finalized with it. */
const APPROVAL_MINUTES = 60;
/** Minutes until an approval without an event is looked up. */
const APPROVAL_LOOK_UP_MINUTES = [1, 3, 7, 15, 30, 55];

/** Minutes from an abandoned attempt to the look-up of a late charge. */
const LATE_CHARGE_MINUTES = [5, 60, 24 * 60];

export function lateChargeTimes(now: Temporal.Instant): Temporal.Instant[] {
  return LATE_CHARGE_MINUTES.map((minutes) => now.add({ minutes }));
}

/** Age in seconds when a pending charge counts as abandoned by its process. Requests end sooner. */
export const MIN_ABANDONED_AGE_SECONDS = 20;
/**
 * Minutes until a charge without a record at the gateway counts as never made. Gateways answer or time out within
 * seconds.
 */
export const GIVE_UP_AFTER_MINUTES = 10;
/** Minutes when a charge that is found late still places its order. After that it is refunded, or never collected. */
const LATE_PLACING_MINUTES = 15;

/**
 * Ends an order that was left between charge and placement, or between a booked refund and the gateway's. Looks up the
 * charge under its key and never charges. Idempotent, even while the request itself is running.
 */
export async function resolveCharge(deps: ResolveChargeDeps, orderId: string): Promise<Order | undefined> {
  const order = await findAnyOrder(deps.db, orderId);
  if (order && (order.refundingCents > 0 || order.chargeState === 'capturing')) return settleOrder(deps, orderId);
  if (order?.chargeState !== 'pending' || !order.chargeStartedAt) return order;
  const ageMinutes = order.chargeStartedAt.until(deps.clock.now()).total('minutes');
  if (ageMinutes * 60 < MIN_ABANDONED_AGE_SECONDS) return order;
  const attempt = order.chargeAttempt;
  const { waitingChargeId, request } = order;
  const { paymentMethodId } = request;
  const outcome = await findOutcome(deps, order, { attempt, waitingChargeId, paymentMethodId });
  const charge = outcome?.charge;
  const isLate = ageMinutes > LATE_PLACING_MINUTES;
  if (charge?.status === 'succeeded' && isLate) return refundUnplaced(deps, order, charge);
  if (charge?.status === 'authorized' && isLate) {
    await requireGateway(deps.gateways, order.mode).cancelCharge(charge.chargeId);
    return endAttempt(deps, order, undefined);
  }
  if (outcome && !(charge?.status === 'to_collect' && isLate)) return endAttempt(deps, order, outcome);
  return ageMinutes >= GIVE_UP_AFTER_MINUTES ? endAttempt(deps, order, undefined) : order;
}

/**
 * Refunds a late charge once, in full; does nothing if the gateway has none. The order does not change, because this
 * charge never placed it and another attempt may.
 */
export async function refundLateCharge(
  deps: Pick<OrderDeps, 'log' | 'db' | 'gateways'>,
  late: LateCharge,
): Promise<void> {
  const order = await closeAttempt(deps, late);
  if (!order) return;
  const charge = (await findOutcome(deps, order, late))?.charge;
  const isSpare = charge?.status === 'authorized' && charge.chargeId !== order.chargeId;
  if (isSpare || charge?.status === 'waiting')
    return requireGateway(deps.gateways, order.mode).cancelCharge(charge.chargeId);
  if (charge?.status !== 'succeeded' || charge.chargeId === order.chargeId) return;
  const key = refundKeyOf({ orderId: late.orderId, chargeAttempt: late.attempt });
  await requireGateway(deps.gateways, order.mode).refund({
    chargeId: charge.chargeId,
    amountCents: late.amountCents,
    key,
  });
  deps.log.warn({ orderId: late.orderId, attempt: late.attempt }, 'a charge came too late and was given back');
}

/**
 * Ends an attempt that waits for 3-D Secure, or renews a hold. Nothing can complete its charge then, so it may be
 * canceled or refunded. An attempt that a request is completing is left for the next run.
 */
async function closeAttempt({ db }: Pick<OrderDeps, 'db'>, late: LateCharge): Promise<Order | undefined> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, late.orderId);
    if (locked?.chargeAttempt !== late.attempt) return locked;
    if (locked.chargeState === 'pending') {
      throw new OutsideError('payment gateway', 'is completing this charge', { retryable: true });
    }
    const isRenewing = locked.chargeState === 'authorized' && locked.holdAttempt !== late.attempt;
    if (locked.chargeState !== 'waiting' && !isRenewing) return locked;
    // Its customer has longer to approve it.
    if (isRenewing && locked.waitingChargeId !== late.waitingChargeId) return undefined;
    const closed: Order = isRenewing
      ? { ...locked, chargeAttempt: locked.chargeAttempt + 1, waitingChargeId: null }
      : { ...locked, chargeState: 'declined', waitingChargeId: null };
    await saveProgress(tx, closed);
    return closed;
  });
}

type ChargeLookUp = Pick<LateCharge, 'attempt' | 'paymentMethodId' | 'waitingChargeId'>;

/**
 * The charge of an attempt, and its card. Throws without a gateway or card, because then nothing shows that there is no
 * charge.
 */
async function findOutcome(
  deps: Pick<OrderDeps, 'db' | 'gateways'>,
  order: Order,
  { attempt, paymentMethodId, waitingChargeId }: ChargeLookUp,
) {
  const card = await findCardIdentity(deps.db, order, paymentMethodId ?? '');
  if (!card) throw new OutsideError('payment gateway', 'has no card of this order', { retryable: true });
  const key = chargeKeyOf({ orderId: order.orderId, chargeAttempt: attempt });
  const charge = await requireGateway(deps.gateways, order.mode).findCharge({
    key,
    cardToken: card.gatewayToken,
    waitingChargeId: waitingChargeId ?? undefined,
  });
  return charge && { charge, payer: { card } };
}

/** Refunds an order whose charge was found too late to place it. */
async function refundUnplaced(deps: ResolveChargeDeps, order: Order, charge: Charge): Promise<Order | undefined> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, order.orderId);
    if (locked?.chargeState !== 'pending' || locked.chargeAttempt !== order.chargeAttempt) return;
    const charged: Order = {
      ...locked,
      ...chargedState(locked, charge, now),
      status: 'awaiting_confirmation',
      chargeId: charge.chargeId,
    };
    await recordStep(tx, advanceOrder(charged, 'cancel', now, { reason: 'not_placed_in_time' }), now);
  });
  return resolveCharge(deps, order.orderId);
}
