import { arrivalEpochS, isOnTheWay } from '../deliveries/driver-location.ts';
import { epochSeconds } from '../lib/time.ts';
import type { Order } from '../orders/order.ts';
import type { Expected } from './minutes-left.ts';

/**
 * The time at which the order should be at the door, or ready for pickup; undefined once it is there or canceled. The
 * position of a driver on the way replaces the first estimate; a scheduled order is expected in its window, or after it once it is late.
 */
export function expectedAt(order: Order): Expected | undefined {
  const { status, quote, request } = order;
  const isPending = status === 'awaiting_confirmation' || status === 'in_progress';
  if (!isPending || (request.mode === 'pickup' && order.isReady)) return undefined;
  const arrival = isOnTheWay(order) ? arrivalEpochS(order) : undefined;
  if (arrival !== undefined) return { earliestEpochS: arrival, latestEpochS: arrival };
  const latestEpochS = order.eta ? epochSeconds(order.eta) : quote.etaEpochS;
  const window = quote.scheduled;
  if (window && latestEpochS > window.endEpochS) return { earliestEpochS: latestEpochS, latestEpochS };
  if (window) return { earliestEpochS: window.startEpochS, latestEpochS: window.endEpochS };
  const { minimum, maximum } = quote.minutes;
  return { earliestEpochS: latestEpochS - (maximum - minimum) * 60, latestEpochS };
}
