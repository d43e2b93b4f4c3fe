import type { DeliverySettings } from './store.ts';
import { preparationOf } from './zone-at-door.ts';

/** Ratio of street distance to straight-line distance: US routes are about a third longer. */
const STREET_DETOUR_FACTOR = 1.3;
/** Mean speed of a delivery in town, including lights, parking and the walk to the door. */
const STREET_MILES_PER_HOUR = 20;
/** Mean speed along the straight line. */
export const TYPICAL_MILES_PER_HOUR = STREET_MILES_PER_HOUR / STREET_DETOUR_FACTOR;
/** Minimum minutes on the road, even to the house next door. */
const MIN_TRAVEL_MINUTES = 1;

/** ASAP estimate in whole minutes from now; the minimum is never above the maximum. */
export type TimeEstimate = { minMinutes: number; maxMinutes: number };

/** Returns the shortest preparation over all parties and zones that accept orders: a lower bound for every quote. */
export function shortestPreparation(delivery: DeliverySettings): readonly [number, number] {
  const known = delivery.parties
    .filter(({ accepting }) => accepting)
    .flatMap((party) => party.zones.map((zone) => preparationOf(delivery, party, zone)));
  return known.reduce((least, one) => (one[0] < least[0] ? one : least), known[0] ?? delivery.prepMinutes);
}

/** Estimates a pickup, which takes the preparation time. */
export function estimatePickup(prepMinutes: readonly [number, number]): TimeEstimate {
  const minMinutes = Math.ceil(Math.min(...prepMinutes));
  return { minMinutes, maxMinutes: Math.ceil(Math.max(...prepMinutes)) };
}

/** Estimates a delivery: preparation plus travel. `straightMiles` is the great-circle distance to the address. */
export function estimateDelivery(prepMinutes: readonly [number, number], straightMiles: number): TimeEstimate {
  const preparation = estimatePickup(prepMinutes);
  const travel = travelMinutes(straightMiles);
  return { minMinutes: preparation.minMinutes + travel, maxMinutes: preparation.maxMinutes + travel };
}

/** Returns the whole minutes on the road for a straight-line distance in miles. */
export function travelMinutes(straightMiles: number): number {
  const minutes = ((straightMiles * STREET_DETOUR_FACTOR) / STREET_MILES_PER_HOUR) * 60;
  return Math.max(MIN_TRAVEL_MINUTES, Math.ceil(minutes));
}

/** Returns the promised arrival: the late end of the estimate. */
export function promisedEta(now: Temporal.Instant, estimate: TimeEstimate): Temporal.Instant {
  return now.add({ minutes: estimate.maxMinutes });
}
