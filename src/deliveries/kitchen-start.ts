import { hasLeftTheStore, type Order } from '../orders/order.ts';
import { quotedReadyEpochS, travelS } from './confirmed-details.ts';

/** Customers read the start as "around 5:25 PM". */
const ROUND_TO_S = 5 * 60;

/**
 * When the store starts on a scheduled order, in epoch seconds: its usual minutes of preparation before the food has to be
 * ready. Undefined for an order as soon as possible, which it starts on when it confirms.
 */
export function kitchenStartsEpochS(order: Order): number | undefined {
  const { scheduled, asapMinutes } = order.quote;
  if (!scheduled) return undefined;
  const preparationS = asapMinutes === undefined ? 0 : asapMinutes * 60 - travelS(order);
  return Math.floor((quotedReadyEpochS(order) - preparationS) / ROUND_TO_S) * ROUND_TO_S;
}

/** Whether a scheduled order waits for its window: placed, perhaps confirmed, and nobody works on it yet. */
export function isYetToStart(order: Order, now: Temporal.Instant): boolean {
  const startsEpochS = kitchenStartsEpochS(order);
  const isPending = order.status === 'awaiting_confirmation' || order.status === 'in_progress';
  const isBegun = order.isReady || hasLeftTheStore(order);
  return startsEpochS !== undefined && isPending && !isBegun && now.epochMilliseconds < startsEpochS * 1000;
}
