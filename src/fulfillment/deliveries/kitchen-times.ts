import type { StepDetails } from '../../ordering/orders/advance-order.ts';
import { hasLeftTheStore, type Order } from '../../ordering/orders/order.ts';
import { isUnderWay } from '../../ordering/orders/order-view.ts';
import { milesBetween } from '../../platform/lib/geo/sphere.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { doorOf } from './driver-location.ts';

/** Preparation minutes that a store can set. */
export const PREPARATION_MINUTES = { minimum: 1, maximum: 1440 } as const;

/**
 * When the food is ready and when the customer gets it, for this many minutes of preparation from now. A scheduled
 * order keeps its slot's end unless the food is late; neither kitchen nor courier starts before the slot requires it.
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
 * When the food must be ready, in epoch seconds. A scheduled pickup is ready at the slot's start; a scheduled delivery
 * leaves then, or earlier for a long trip.
 */
export function quotedReadyEpochS(order: Order): number {
  const { quote } = order;
  const leaveBy = quote.etaEpochS - travelS(order);
  return quote.scheduled ? Math.min(quote.scheduled.startEpochS, leaveBy) : leaveBy;
}

/** When the food is ready, in epoch seconds: as the store confirmed, else as quoted. */
export function readyEpochS(order: Order): number {
  return order.readyBy ? epochSeconds(order.readyBy) : quotedReadyEpochS(order);
}

/** Travel time from the store to the address in seconds; 0 for pickup. */
function travelS(order: Order): number {
  const door = doorOf(order);
  return door ? travelMinutes(milesBetween(order.quote.store, door)) * 60 : 0;
}

/** Rounding of the start, which is shown as "around 5:25 PM". */
const KITCHEN_START_STEP_SECONDS = 5 * 60;

/**
 * When the store starts on a scheduled order, in epoch seconds: its usual preparation minutes before the ready time.
 * Undefined for an ASAP order, which it starts when it confirms.
 */
export function kitchenStartsEpochS(order: Order): number | undefined {
  const { scheduled, asapMinutes } = order.quote;
  if (!scheduled) return undefined;
  const preparationS = asapMinutes === undefined ? 0 : asapMinutes * 60 - travelS(order);
  return (
    Math.floor((quotedReadyEpochS(order) - preparationS) / KITCHEN_START_STEP_SECONDS) * KITCHEN_START_STEP_SECONDS
  );
}

/** Whether a scheduled order is placed or confirmed but not yet in preparation. */
export function isBeforeKitchenStart(order: Order, now: Temporal.Instant): boolean {
  const startsEpochS = kitchenStartsEpochS(order);
  const isBegun = order.isReady || hasLeftTheStore(order);
  return startsEpochS !== undefined && isUnderWay(order) && !isBegun && now.epochMilliseconds < startsEpochS * 1000;
}
