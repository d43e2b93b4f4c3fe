import type { Sql } from '../../platform/db/connect.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { chargeKeyOf, isTipReturned, type Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { lowerOrderUses } from '../order/order-holds.flow.ts';
import { payingMethodId } from '../order/order-view.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../order/orders.db.ts';
import { repriceOrder } from '../order/reprice-order.ts';
import { insertGatewayEvent } from '../payments/gateway-events.db.ts';
import { type PaymentGateway, requireGateway } from '../payments/payment-gateway.ts';
import { findCardIdentity } from '../payments/payment-methods.db.ts';
import { bookRefund } from './book-refund.flow.ts';
import { chargeCurrency, chargeUnderKey } from './charge-under-key.flow.ts';
import { bookRemainder, resolveRefunds } from './resolve-refunds.flow.ts';
import { recordStep } from './take-step.flow.ts';

/**
 * Settles the money of an order that has left its store or was canceled: captures its final total from the card hold,
 * or voids the hold, and then makes the booked refunds. The step that made the order `capturing` has decided which, so
 * that a hold is captured or voided, never both.
 */

type SettleDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways'>;

/** Settles an order, as far as something is left to do. Idempotent. Throws OutsideError if the gateway does not answer. */
export async function settleOrder(deps: SettleDeps, orderId: string): Promise<Order | undefined> {
  const order = await findAnyOrder(deps.db, orderId);
  const settled = order?.chargeState === 'capturing' ? await settleHold(deps, order) : order;
  return settled && settled.refundingCents > 0 ? resolveRefunds(deps, orderId) : settled;
}

/**
 * Settles an order right after its step, so that its response shows it if the gateway is quick. Never throws, because the
 * step is committed; a job retries and logs failures.
 */
export async function trySettling(deps: SettleDeps, order: Order): Promise<Order> {
  if (order.refundingCents === 0 && order.chargeState !== 'capturing') return order;
  const settled = await settleOrder(deps, order.orderId).catch(() => undefined);
  return settled ?? order;
}

/** Settles sandbox orders only, because a store's step must not wait for a live gateway. */
export async function trySandboxSettling(deps: SettleDeps, order: Order): Promise<Order> {
  return order.mode === 'sandbox' ? trySettling(deps, order) : order;
}

/** The gateway's charged amounts, by charge. */
type Taken = { chargeId: string | null; cents: number };

/** The order's final amount; nothing if it never left its store. */
export function settledCents(order: Order): number {
  if (isTipReturned(order)) return 0;
  return Math.min(repriceOrder(order).totalWithTipCents, order.authorizedCents ?? 0);
}

async function settleHold(deps: SettleDeps, order: Order): Promise<Order | undefined> {
  const cents = settledCents(order);
  const { chargeId, authorizedCents } = order;
  const isHeld = order.moneyPlan === 'held';
  const taken = isHeld ? await takeHeld(deps, order, cents) : { chargeId, cents: authorizedCents ?? 0 };
  const now = deps.clock.now();
  return deps.db.transaction().execute((tx) => finishHold(tx, order.orderId, { cents, taken }, now));
}

/** Captures or voids the hold. If the hold is gone after the handoff, the card is charged again. */
async function takeHeld(deps: SettleDeps, order: Order, cents: number): Promise<Taken | undefined> {
  const gateway = requireGateway(deps.gateways, order.mode);
  const chargeId = order.chargeId ?? '';
  const key = chargeKeyOf({ ...order, chargeAttempt: order.holdAttempt ?? 0 });
  try {
    if (cents === 0) await gateway.cancelCharge(chargeId);
    else await gateway.capture?.({ chargeId, amountCents: cents, key });
    return { chargeId, cents };
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const booked = await gateway.readCharge(chargeId);
    if (booked?.outcome?.status === 'succeeded') return { chargeId, cents: booked.amountCents };
    if (booked?.outcome?.status !== 'declined') throw error;
    return cents === 0 ? { chargeId, cents } : chargeGone(deps, gateway, order, { cents, key: `${key}:gone` });
  }
}

/** Undefined if the card declines, or its bank wants a customer who is not there. */
async function chargeGone(
  { db }: SettleDeps,
  gateway: PaymentGateway,
  order: Order,
  { cents: amountCents, key }: { cents: number; key: string },
): Promise<Taken | undefined> {
  const card = await findCardIdentity(db, order, payingMethodId(order) ?? '');
  if (!card) return undefined;
  const { orderId } = order;
  const request = { cardToken: card.gatewayToken, amountCents, currency: chargeCurrency(order), key, orderId };
  // Looked up first, because a gateway may forget a key before the last attempt.
  const charge =
    (await gateway.findCharge(request)) ??
    (await chargeUnderKey(gateway, request, { isNew: true, isHold: false }).catch((error) => {
      if (error instanceof OutsideError && !error.retryable) return undefined;
      throw error;
    }));
  if (charge?.status === 'waiting') await gateway.cancelCharge(charge.chargeId);
  return charge?.status === 'succeeded' ? { chargeId: charge.chargeId, cents: amountCents } : undefined;
}

type Settlement = { cents: number; taken: Taken | undefined };

/** An order settled for `cents`. The gateway has `taken` more than that if the maximum was charged. */
export function settledOrder(order: Order, { cents, taken }: Settlement): Order {
  const chargedCents = order.chargedCents + (order.moneyPlan === 'held' && taken ? taken.cents : 0);
  return {
    ...order,
    chargeId: taken?.chargeId ?? order.chargeId,
    chargedCents,
    capturedCents: taken && !isTipReturned(order) ? cents : null,
    holdUntil: null,
    chargeState: chargedCents > 0 ? 'charged' : taken ? 'none' : 'declined',
  };
}

/** Writes the captured amount once, and books the refund of the excess. */
async function finishHold(
  tx: Sql,
  orderId: string,
  { cents, taken }: Settlement,
  now: Temporal.Instant,
): Promise<Order | undefined> {
  const locked = await lockOrder(tx, orderId);
  if (locked?.chargeState !== 'capturing') return locked;
  const settled = settledOrder(locked, { cents, taken });
  if (!taken) await alertOperator(tx, settled, cents, now);
  if (!isTipReturned(locked)) await lowerOrderUses(tx, settled);
  const written = isTipReturned(locked) ? settled : await recordStep(tx, capturedStep(settled), now);
  if (written === settled) await saveProgress(tx, settled);
  if (written.status === 'canceled') return bookRemainder(tx, written, now);
  const excess = taken ? taken.cents - cents : 0;
  if (excess === 0) return written;
  return (await bookRefund(tx, written, { cents: excess, kind: 'weighed', key: 'weighed' }, now)).order;
}

export function capturedStep(order: Order) {
  const { capturedCents, authorizedCents } = order;
  const data = { captured_cents: capturedCents, authorized_cents: authorizedCents ?? 0 };
  return { order, event: { type: 'order.captured', data } } as const;
}

/** The goods are gone, and nothing pays for them. */
async function alertOperator(
  tx: Sql,
  { orderId, chargeId, holdAttempt }: Order,
  amountCents: number,
  at: Temporal.Instant,
): Promise<void> {
  const eventId = `capture_failed:${orderId}:${holdAttempt}`;
  const event = { eventId, kind: 'capture_failed', chargeId: chargeId ?? '', orderId, amountCents } as const;
  await insertGatewayEvent(tx, { ...event, status: 'declined', reason: '', at }, at);
}
