import type { Sql } from '../db/connect.ts';
import { traceparentNow } from '../lib/tracing.ts';
import type { OrderStep } from './advance-order.ts';
import { deletePosition } from './driver-positions.db.ts';
import { hasEnded, hasLeftTheStore, type Order, refundKeyOf } from './order.ts';
import { releaseHolds } from './order-holds.flow.ts';
import { saveStep } from './orders.db.ts';
import { writeRefund } from './refunds/book-refund.flow.ts';

/**
 * Writes a step of a locked order and its event in the caller's transaction; dispatch-events.flow.ts finds the event's row
 * and writes its consequences.
 */
export async function recordStep(tx: Sql, step: OrderStep, now: Temporal.Instant): Promise<Order> {
  // The items of an order that a courier lost do not come back, and its window has been used.
  const isFree = step.order.status === 'canceled' && !hasLeftTheStore(step.order);
  const freed = isFree ? await releaseHolds(tx, step.order) : step.order;
  const order: Order = {
    ...freed,
    lastSequence: freed.lastSequence + 1,
    chargeStartedAt: freed.chargeState === 'refund_pending' ? now : freed.chargeStartedAt,
  };
  const cents = step.refundCents ?? 0;
  // Booked under the row lock: the key of the gateway is the same whichever process gives the money back.
  if (cents > 0) await writeRefund(tx, order, { cents, ...cancelation(order) }, now, refundKeyOf(order));
  await saveStep(tx, { order, event: step.event, at: now, traceparent: traceparentNow() });
  if (hasEnded(order) && order.driverStage !== 'none') await deletePosition(tx, order.orderId);
  return order;
}

const cancelation = ({ cancelReason }: Order) =>
  ({ kind: 'canceled', key: 'canceled', reason: cancelReason ?? '' }) as const;
