import { returnStock } from '../catalog/stock.db.ts';
import type { Sql } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import { releaseSlot } from '../quotes/slots.db.ts';
import type { OrderStep } from './advance-order.ts';
import { nextLookAt, ORDER_TIMER, SETTLE_ORDER } from './follow-ups.ts';
import type { Order } from './order.ts';
import { saveStep } from './orders.db.ts';

type Needs = Pick<Deps, 'config' | 'jobs'>;

/** Writes a step of a locked order, its event, and the jobs that follow from it: all with the caller's transaction. */
export async function recordStep(
  tx: Sql,
  { config, jobs }: Needs,
  step: OrderStep,
  now: Temporal.Instant,
): Promise<Order> {
  const freed = step.order.status === 'canceled' ? await releaseHolds(tx, step.order) : step.order;
  const refundDue = freed.chargeState === 'refund_pending';
  const order: Order = {
    ...freed,
    lastSequence: freed.lastSequence + 1,
    chargeStartedAt: refundDue ? now : freed.chargeStartedAt,
  };
  await saveStep(tx, order, step.event, now);
  const lookAt = nextLookAt(order, config.sandboxPace, now);
  if (lookAt) {
    await jobs.enqueue(
      tx,
      ORDER_TIMER,
      { orderId: order.orderId, sequence: order.lastSequence },
      { startAfter: lookAt },
    );
  }
  if (refundDue) await jobs.enqueue(tx, SETTLE_ORDER, { orderId: order.orderId });
  return order;
}

/** Gives back the window and the stock that an order holds; windows are locked before products, always. */
export async function releaseHolds(tx: Sql, order: Order): Promise<Order> {
  const slot = order.quote.scheduled;
  if (order.slotHeld && slot) {
    const startsAt = Temporal.Instant.fromEpochMilliseconds(slot.startEpochS * 1000);
    await releaseSlot(tx, { storeId: order.storeId, pickup: order.request.mode === 'pickup', startsAt });
  }
  await returnStock(tx, order.storeId, order.stockHeld);
  return { ...order, slotHeld: false, stockHeld: [] };
}
