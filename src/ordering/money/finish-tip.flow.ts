import type { Sql } from '../../platform/db/connect.ts';
import { LATE_TIP } from '../order/dispatch-events.flow.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { orderNotFound } from '../order/order-faults.ts';
import { findAnyOrder, lockOrder } from '../order/orders.db.ts';
import { insertCharge, insertDecline } from '../payments/declines.db.ts';
import { type Charge, requireGateway } from '../payments/payment-gateway.ts';
import { findCardIdentity } from '../payments/payment-methods.db.ts';
import { chargeAttemptOf, GIVE_UP_AFTER_MINUTES, lateChargeTimes, type Payer } from './charge-order.flow.ts';
import { recordStep } from './take-step.flow.ts';
import { addTip, type TipAttempt, tipKeyOf } from './tip.ts';
import { findTip, saveTip, type TipKey } from './tips.db.ts';

/*
 * Ends a tip that was added after placing: counts it once the gateway has charged it, and passes it on to the courier.
 */

type FinishTipDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'jobs' | 'log'>;

/** Minutes when a tip charge found late is still kept. After that it is refunded. */
const LATE_TIP_MINUTES = 15;

/** The outcome of a tip's charge, and the payer. */
type TipOutcome = { charge: Charge; payer: Payer };

/**
 * Writes the outcome of a raised tip once: a charge raises the tip, anything else leaves it (`outcome` is undefined if
 * the call was refused). A charge after the attempt's end or the order's cancelation is refunded.
 */
export async function finishTip(
  deps: FinishTipDeps,
  attempt: TipKey,
  outcome: TipOutcome | undefined,
): Promise<{ order: Order; tip: TipAttempt }> {
  const charge = outcome?.charge;
  const ended = await deps.db.transaction().execute((tx) => endAttempt(deps, tx, attempt, outcome));
  if (charge?.status === 'waiting') await requireGateway(deps.gateways, ended.order.mode).cancelCharge(charge.chargeId);
  if (ended.tip.state === 'returning') await refundTip(deps, ended.order, ended.tip);
  return ended;
}

async function endAttempt(
  { clock }: Pick<FinishTipDeps, 'clock'>,
  tx: Sql,
  { orderId, attempt }: TipKey,
  outcome: TipOutcome | undefined,
): Promise<{ order: Order; tip: TipAttempt }> {
  const locked = await lockOrder(tx, orderId);
  const tip = await findTip(tx, { orderId, attempt });
  if (!locked || !tip) throw orderNotFound();
  const endedAt = clock.now();
  const charge = outcome?.charge;
  const counted = outcome && chargeAttemptOf(locked, outcome.payer);
  if (charge?.status !== 'succeeded') {
    if (tip.state !== 'pending') return { order: locked, tip };
    const state = 'declined';
    await saveTip(tx, tip, { state, endedAt });
    if (counted && charge?.status === 'declined') await insertDecline(tx, counted, endedAt);
    return { order: locked, tip: { ...tip, state } };
  }
  const { chargeId } = charge;
  if (tip.chargeId === chargeId) return { order: locked, tip };
  if (counted && locked.mode === 'live') await insertCharge(tx, counted, endedAt);
  const isInTime = tip.startedAt.until(endedAt).total('minutes') <= LATE_TIP_MINUTES;
  const isTipped = tip.state === 'pending' && isInTime && locked.status !== 'canceled';
  const state = isTipped ? 'charged' : 'returning';
  await saveTip(tx, tip, { state, chargeId, endedAt });
  const order = isTipped ? await recordStep(tx, addTip(locked, tip.cents, tip.cents, tip), endedAt) : locked;
  return { order, tip: { ...tip, state, chargeId } };
}

/** Refunds a tip's charge in full, under its own key; the job retries until it is refunded. */
async function refundTip({ db, clock, gateways, log }: FinishTipDeps, { mode }: Order, tip: TipAttempt): Promise<void> {
  const { chargeId, cents: amountCents, orderId, attempt } = tip;
  if (chargeId === null) return;
  await requireGateway(gateways, mode).refund({ chargeId, amountCents, key: `${tipKeyOf(tip)}:refund` });
  await saveTip(db, tip, { state: 'returned', endedAt: clock.now() });
  log.warn({ orderId, attempt }, 'the charge of a tip came too late and was given back');
}

/**
 * Ends an attempt that a crash or a silent gateway left open, by the gateway's record; never charges. Idempotent.
 * Without a charge it times out after ten minutes and is looked up again later.
 */
export async function resolveTip(deps: FinishTipDeps, key: TipKey): Promise<void> {
  const [order, tip] = [await findAnyOrder(deps.db, key.orderId), await findTip(deps.db, key)];
  if (!order || !tip || tip.state === 'charged' || tip.state === 'returned') return;
  if (tip.state === 'returning') return refundTip(deps, order, tip);
  const card = await findCardIdentity(deps.db, order, tip.paymentMethodId ?? '');
  if (card === undefined) return;
  const cardToken = card.gatewayToken;
  const charge = await requireGateway(deps.gateways, order.mode).findCharge({ key: tipKeyOf(tip), cardToken });
  if (charge) return void (await finishTip(deps, tip, { charge, payer: { card } }));
  const ageMinutes = tip.startedAt.until(deps.clock.now()).total('minutes');
  if (tip.state === 'pending' && ageMinutes >= GIVE_UP_AFTER_MINUTES) await giveUpTip(deps, tip);
}

async function giveUpTip({ db, clock, jobs }: FinishTipDeps, { orderId, attempt }: TipKey): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await lockOrder(tx, orderId);
    const tip = await findTip(tx, { orderId, attempt });
    if (tip?.state !== 'pending') return;
    await saveTip(tx, tip, { state: 'given_up', endedAt: now });
    const looks = lateChargeTimes(now).map((startAfter) => ({ payload: { orderId, attempt }, startAfter }));
    await jobs.enqueueMany(tx, LATE_TIP, looks);
  });
}
