import { metersBetween } from 'doorstep/search-engine/geography';
import { bearingBetween, isNear, NEAR_METERS, type Position } from '../../fulfillment/deliveries/position.ts';
import { allowsStep, type StepDetails } from '../../ordering/order/advance-order.ts';
import { doorOf } from '../../ordering/order/arrival.ts';
import { confirmedDetails, quotedPreparationMinutes } from '../../ordering/order/kitchen-times.ts';
import type { Order, StepName } from '../../ordering/order/order.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type Street, streetRoute } from './street-route.ts';

/** The driver of sandbox orders, with a number from the range reserved for fiction. */
const SIMULATED_DRIVER = { name: 'Sandbox Driver', phone: 15555550100, rating: 4.9, vehicleType: 'car' } as const;
/** The path of the driver's photo, below `BASE_URL`. */
export const DRIVER_PHOTO_PATH = '/sandbox/driver.svg';

/** The service's URL and streets, the time, and a position requested by the sandbox's user. */
type SimulationSetting = {
  baseUrl: string;
  streets: readonly Street[];
  now: Temporal.Instant;
  requested?: Position | undefined;
};

/**
 * Details of a simulated step. The store confirms with its preparation time. The courier has a name and a position; a
 * requested position takes precedence. Refuses `approach` from a requested position that is not near the address, with
 * `transition_not_allowed`.
 */
export function simulatedDetails(
  order: Order,
  step: StepName,
  { baseUrl, streets, requested, now }: SimulationSetting,
): StepDetails {
  if (step === 'confirm') return confirmedDetails(order, quotedPreparationMinutes(order), now);
  if (order.request.mode === 'pickup') return {};
  const way = wayOf(order, streets);
  switch (step) {
    case 'assign_driver':
      return { driver: { ...SIMULATED_DRIVER, photoUrl: `${baseUrl}${DRIVER_PHOTO_PATH}`, ...positionAlong(way, 0) } };
    case 'pick_up':
      return { driver: positionAlong(way, 0) };
    case 'approach': {
      // If the order's state does not allow the step, that is the error at any driver position.
      if (requested && allowsStep(order, step)) refuseDistantApproach(requested, doorOf(order) ?? requested);
      return { driver: { ...positionAlong(way, approachPart(way)), ...requested } };
    }
    case 'complete':
      // The course stays the same as in the last move.
      return { driver: doorOf(order) ?? {} };
    default:
      return {};
  }
}

/** Refuses a position that is not near the address, because the customer is notified that the driver is near. */
function refuseDistantApproach(driver: Position, door: Position): void {
  if (isNear(driver, door)) return;
  const meters = Math.ceil(metersBetween(driver, door));
  throw new Refusal(
    'transition_not_allowed',
    `The driver is ${meters} m from the delivery address. approach is possible within ${NEAR_METERS} m.`,
  );
}

/** A position on the route, and its course in degrees from north. */
type PlaceOnWay = Position & { course: number };

/**
 * The turns of the route: shares of the straight line from store to address, and distances sideways in the same unit.
 */
const TURNS = [
  { along: 0.3, aside: 0.15 },
  { along: 0.7, aside: -0.15 },
] as const;
/** Distance to the address where the simulated approach begins, well within the 500 m of `approach`. */
const APPROACH_METERS = 200;

/** The simulated driver's route from store to address: along streets, or with two turns as in a street grid. */
export function wayOf(order: Order, streets: readonly Street[]): readonly Position[] {
  const { latitude, longitude } = order.quote.store;
  const door = doorOf(order) ?? { latitude, longitude };
  const route = streetRoute(streets, { latitude, longitude }, door);
  if (route) return route;
  const squeeze = Math.cos((latitude * Math.PI) / 180);
  const [north, east] = [door.latitude - latitude, (door.longitude - longitude) * squeeze];
  const turns = TURNS.map(({ along, aside }) => ({
    latitude: latitude + north * along + east * aside,
    longitude: longitude + (east * along - north * aside) / squeeze,
  }));
  return [{ latitude, longitude }, ...turns, door];
}

/** The position after a share of the route, from 0 (the store) to 1 (the address). */
export function positionAlong(way: readonly Position[], part: number): PlaceOnWay {
  const legs = way.slice(1).map((to, index) => legOf(way[index] ?? to, to));
  let left = part * legs.reduce((sum, { meters }) => sum + meters, 0);
  for (const { from, to, meters, course } of legs.slice(0, -1)) {
    if (left < meters) return { ...between(from, to, left / meters), course };
    left -= meters;
  }
  const last = legs.at(-1);
  if (!last) throw new RangeError('A route needs at least two points.');
  const { from, to, meters, course } = last;
  return { ...between(from, to, meters === 0 ? 1 : Math.min(1, left / meters)), course };
}

/** The share of the route to drive before `approach` is due; half if the store is next door. */
export function approachPart(way: readonly Position[]): number {
  const meters = way.slice(1).reduce((sum, to, index) => sum + metersBetween(way[index] ?? to, to), 0);
  return meters === 0 ? 1 : 1 - Math.min(0.5, APPROACH_METERS / meters);
}

function legOf(from: Position, to: Position) {
  return { from, to, meters: metersBetween(from, to), course: bearingBetween(from, to) ?? 0 };
}

function between(from: Position, to: Position, part: number): Position {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * part,
    longitude: from.longitude + (to.longitude - from.longitude) * part,
  };
}
