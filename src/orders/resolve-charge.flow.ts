import { OutsideError } from '../lib/outside-error.ts';
import { type Charge, gatewayOf } from '../payments/payment-gateway.ts';
import { findCardIdentity } from '../payments/payment-methods.db.ts';
import { advanceOrder } from './advance-order.ts';
import { endAttempt, type LateCharge } from './charge-order.flow.ts';
import { chargeKeyOf, type Order, refundKeyOf } from './order.ts';
import type { OrderDeps, ResolveChargeDeps } from './order-deps.ts';
import { findAnyOrder, lockOrder, saveProgress } from './orders.db.ts';
import { recordStep } from './record-step.flow.ts';
import { resolveRefunds } from './refunds/resolve-refunds.flow.ts';

/** A request that still waits for its gateway is younger than this; an older charge has been left alone. */
export const LEFT_ALONE_AFTER_SECONDS = 20;
/** Gateways answer or give up within seconds: a charge not in their books by now is not waited for. */
export const GIVE_UP_AFTER_MINUTES = 10;
/** A charge that is found later is refunded, because the customer no longer waits for the order. */
const PLACE_WITHIN_MINUTES = 15;

/**
 * Ends an order that a crash or a silent gateway left between charging and placing, or between promising a refund and making it.
 * Looks the charge up under the same key and never charges. Safe to run twice and beside the request itself.
 */
export async function resolveCharge(deps: ResolveChargeDeps, orderId: string): Promise<Order | undefined> {
  const order = await findAnyOrder(deps.db, orderId);
  if (order && order.refundingCents > 0) return resolveRefunds(deps, orderId);
  if (order?.chargeState !== 'pending' || !order.chargeStartedAt) return order;
  const ageMinutes = order.chargeStartedAt.until(deps.clock.now()).total('minutes');
  if (ageMinutes * 60 < LEFT_ALONE_AFTER_SECONDS) return order;
  const attempt = order.chargeAttempt;
  const { waitingChargeId, request } = order;
  const { paymentMethodId } = request;
  const outcome = await findOutcome(deps, order, { attempt, waitingChargeId, paymentMethodId });
  const charge = outcome?.charge;
  if (charge?.status === 'succeeded' && ageMinutes > PLACE_WITHIN_MINUTES) return giveBack(deps, order, charge);
  if (outcome) return endAttempt(deps, order, outcome);
  return ageMinutes > GIVE_UP_AFTER_MINUTES ? endAttempt(deps, order, undefined) : order;
}

/**
 * Refunds a late charge once, in full; does nothing where the gateway has no charge. The order itself stays as it is: this
 * charge never placed it, and another attempt may.
 */
export async function giveBackLateCharge(
  deps: Pick<OrderDeps, 'log' | 'db' | 'gateways'>,
  late: LateCharge,
): Promise<void> {
  const order = await closeAttempt(deps, late);
  if (!order) return;
  const charge = (await findOutcome(deps, order, late))?.charge;
  if (charge?.status === 'waiting') return gatewayOf(deps.gateways, order.mode).cancelCharge(charge.chargeId);
  if (charge?.status !== 'succeeded' || charge.chargeId === order.chargeId) return;
  const key = refundKeyOf({ orderId: late.orderId, chargeAttempt: late.attempt });
  await gatewayOf(deps.gateways, order.mode).refund({ chargeId: charge.chargeId, amountCents: late.amountCents, key });
  deps.log.warn({ orderId: late.orderId, attempt: late.attempt }, 'a charge came too late and was given back');
}

/**
 * Ends an attempt that waits for its customer: from here on no request completes its charge, so the charge may be ended or
 * refunded. An attempt that a request is just completing is looked at later.
 */
async function closeAttempt({ db }: Pick<OrderDeps, 'db'>, late: LateCharge): Promise<Order | undefined> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, late.orderId);
    if (locked?.chargeAttempt !== late.attempt) return locked;
    if (locked.chargeState === 'pending') {
      throw new OutsideError('payment gateway', 'is completing this charge', { retryable: true });
    }
    if (locked.chargeState !== 'waiting') return locked;
    const closed: Order = { ...locked, chargeState: 'declined', waitingChargeId: null };
    await saveProgress(tx, closed);
    return closed;
  });
}

type Attempt = Pick<LateCharge, 'attempt' | 'paymentMethodId' | 'waitingChargeId'>;

/** The charge of an attempt, and its card. Throws without a gateway or a card: then nothing proves that there was no charge. */
async function findOutcome(
  deps: Pick<OrderDeps, 'db' | 'gateways'>,
  order: Order,
  { attempt, paymentMethodId, waitingChargeId }: Attempt,
) {
  const card = await findCardIdentity(deps.db, order, paymentMethodId ?? '');
  if (!card) throw new OutsideError('payment gateway', 'has no card of this order', { retryable: true });
  const key = chargeKeyOf({ orderId: order.orderId, chargeAttempt: attempt });
  const charge = await gatewayOf(deps.gateways, order.mode).findCharge({
    key,
    cardToken: card.gatewayToken,
    waitingChargeId: waitingChargeId ?? undefined,
  });
  return charge && { charge, payer: { card } };
}

/** Charged, and found too late to be placed. */
async function giveBack(deps: ResolveChargeDeps, order: Order, charge: Charge): Promise<Order | undefined> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, order.orderId);
    if (locked?.chargeState !== 'pending' || locked.chargeAttempt !== order.chargeAttempt) return;
    const charged: Order = {
      ...locked,
      status: 'awaiting_confirmation',
      chargeState: 'charged',
      chargeId: charge.chargeId,
      chargedCents: locked.quote.totalWithTipCents,
    };
    await recordStep(tx, advanceOrder(charged, 'cancel', now, { reason: 'not_placed_in_time' }), now);
  });
  return resolveCharge(deps, order.orderId);
}
