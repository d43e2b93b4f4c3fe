import type { Caller } from '../../access/accounts/account.ts';
import { REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { bookRefund } from './book-refund.flow.ts';
import { amountOf, priceRefund, sharesOf } from './item-refund.ts';
import { type PricedRefund, type Refund, type RefundedWhat, returnedTip } from './refund.ts';
import { findNewestByKey, findRefund, findRefunds } from './refunds.db.ts';
import { resolveRefunds } from './resolve-refunds.flow.ts';
import type { Alongside } from './take-step.flow.ts';

/** A requested refund, by amount in cents or by units of items. */
export type RefundRequest = {
  orderId: string;
  what: RefundedWhat;
  /** Whether the tip goes back too, which its driver keeps and the operator bears. */
  refundsTip: boolean;
  reason: string;
  /** The `Idempotency-Key`; a repeated request finds the refund of the first. */
  idempotencyKey: string | null;
  /** Prices a refund by the store; absent for one by an account or an operator. */
  priceForStore?(tx: Sql, order: Order, refunds: readonly Refund[], now: Temporal.Instant): Promise<PricedRefund>;
  alongside?: Alongside;
};

type RefundOrderDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways'>;

/**
 * Books a refund and makes it at the gateway. Without a response it stays `pending`, and a job makes it. A caller can
 * refund only its own orders, a store its own part of them. Refuses with order_not_found and refund_not_allowed.
 */
export async function refundOrder(
  deps: RefundOrderDeps,
  request: RefundRequest,
  caller?: Caller,
): Promise<{ order: Order; refund: Refund }> {
  const { orderId, priceForStore } = request;
  const requestedBy = caller ? null : priceForStore ? 'store' : 'operator';
  const { refundId } = await deps.db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, orderId, caller);
    // Without a gateway, no refund is booked.
    if (locked.chargedCents > 0) requireGateway(deps.gateways, locked.mode);
    return bookRequestedRefund(tx, locked, { ...request, requestedBy }, deps.clock.now());
  });
  await resolveRefunds(deps, orderId).catch((error) => {
    if (!(error instanceof OutsideError)) throw error;
  });
  const [order, refund] = [await findAnyOrder(deps.db, orderId), await findRefund(deps.db, refundId)];
  if (!order || !refund) throw new Error('A booked refund no longer exists.');
  if (refund.state === 'failed')
    throw new Refusal('refund_not_allowed', "The payment gateway can't refund this charge.");
  return { order, refund };
}

async function bookRequestedRefund(
  tx: Sql,
  locked: Order,
  request: RefundRequest & Pick<Refund, 'requestedBy'>,
  now: Temporal.Instant,
): Promise<Refund> {
  const { key, known } = await refundKey(tx, request, now);
  if (known) return known;
  const { what, reason, requestedBy } = request;
  const tipCents = request.refundsTip ? returnedTip(locked) : 0;
  const isTipOnly = tipCents > 0 && 'cents' in what && what.cents === 0;
  if (locked.status !== 'in_progress' && locked.status !== 'completed' && !isTipOnly) {
    const sentence = `The order is ${locked.status.replaceAll('_', ' ')}. Only an order in progress or a completed order can be refunded.`;
    throw new Refusal('refund_not_allowed', sentence);
  }
  const { cents, ...priced } = await priceRequested(tx, locked, request, now);
  const wanted = { ...priced, cents: cents + tipCents, tipCents, reason, requestedBy, key, kind: 'requested' } as const;
  const { order, refund } = await bookRefund(tx, locked, wanted, now);
  await request.alongside?.(tx, { before: locked, after: order, refund }, now);
  return refund;
}

async function priceRequested(
  tx: Sql,
  order: Order,
  { what, reason, priceForStore }: RefundRequest,
  now: Temporal.Instant,
): Promise<PricedRefund> {
  const refunds = await findRefunds(tx, [order.orderId]);
  if (priceForStore) return priceForStore(tx, order, refunds, now);
  const items = 'items' in what ? priceRefund(order, refunds, what.items, reason) : [];
  return { cents: 'items' in what ? amountOf(items) : what.cents, items, shares: sharesOf(items) };
}

/**
 * The refund's key within its order, and the refund that is already booked under it. After 24 hours an
 * `Idempotency-Key` stands for a new refund, which a repeated request then finds.
 */
async function refundKey(
  tx: Sql,
  { orderId, idempotencyKey }: RefundRequest,
  now: Temporal.Instant,
): Promise<{ key: string; known?: Refund }> {
  if (idempotencyKey === null) return { key: randomId('once_') };
  const key = `key:${idempotencyKey}`;
  const again = `${key}:again_`;
  const newest = await findNewestByKey(tx, orderId, { key, again });
  if (!newest) return { key };
  const isOld = newest.createdAt.until(now).total('hours') >= REPLAY_HOURS;
  return isOld ? { key: randomId(again) } : { key: newest.key, known: newest };
}
