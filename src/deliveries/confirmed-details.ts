import { milesBetween } from '../lib/geo/sphere.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import type { StepDetails } from '../orders/advance-order.ts';
import type { Order } from '../orders/order.ts';
import { travelMinutes } from '../stores/time-estimate.ts';
import { doorOf } from './driver-whereabouts.ts';

/** The minutes of preparation that a store may name. */
export const PREPARATION_MINUTES = { minimum: 1, maximum: 1440 } as const;

/**
 * The details of a confirmation with minutes of preparation from now: when the food is ready, and when the customer has it.
 * A scheduled order keeps its window's end, unless the food is ready too late for it; it is not made, and no courier comes
 * for it, before its window needs that, because its store may confirm it days before.
 */
export function confirmedDetails(order: Order, preparationMinutes: number, now: Temporal.Instant): StepDetails {
  const prepared = now.add({ minutes: preparationMinutes });
  const arrival = prepared.add({ seconds: travelS(order) });
  const { scheduled } = order.quote;
  if (!scheduled) return { readyBy: prepared, eta: arrival };
  return {
    readyBy: later(prepared, instantOfEpochSeconds(quotedReadyEpochS(order))),
    eta: later(arrival, instantOfEpochSeconds(scheduled.endEpochS)),
  };
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? other : one;
}

/**
 * When the food has to be ready for the quoted time of arrival, in epoch seconds. The customer of a scheduled pickup may
 * come when the window begins, and the driver of a scheduled delivery leaves then, or earlier for a long way.
 */
export function quotedReadyEpochS(order: Order): number {
  const { quote } = order;
  const leaveBy = quote.etaEpochS - travelS(order);
  return quote.scheduled ? Math.min(quote.scheduled.startEpochS, leaveBy) : leaveBy;
}

/** The seconds on the road from the store to the door; 0 for a pickup. */
export function travelS(order: Order): number {
  const door = doorOf(order);
  return door ? travelMinutes(milesBetween(order.quote.store, door)) * 60 : 0;
}
