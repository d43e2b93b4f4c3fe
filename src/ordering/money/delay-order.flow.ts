import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { DELAY_LIMITS, type Delay, delayedStep } from '../order/kitchen-times.ts';
import type { Order } from '../order/order.ts';
import { listEvents } from '../order/order-events.db.ts';
import { recordStep } from './take-step.flow.ts';

/** Delays a locked order in the caller's transaction. Refuses with transition_not_allowed. */
export async function delayOrder(tx: Sql, order: Order, delay: Delay, now: Temporal.Instant): Promise<Order> {
  const step = delayedStep(order, delay, now);
  const delays = (await listEvents(tx, order.orderId)).filter(({ type }) => type === 'order.delayed').length;
  if (delays >= DELAY_LIMITS.times) throw new Refusal('transition_not_allowed', TOO_OFTEN);
  return recordStep(tx, step, now);
}

const TOO_OFTEN = `An order can be delayed up to ${DELAY_LIMITS.times} times.`;
