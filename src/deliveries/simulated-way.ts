import { metresBetween } from '../lib/geo/sphere.ts';
import type { Order } from '../orders/order.ts';
import { doorOf } from './driver-whereabouts.ts';
import { courseBetween, type Position } from './position.ts';

/** A position on the way, and the course of the road there in degrees from north. */
export type PlaceOnWay = Position & { course: number };

/** The turns of the way: parts of the straight line from store to door, and as large parts aside of it. */
const TURNS = [
  { along: 0.3, aside: 0.15 },
  { along: 0.7, aside: -0.15 },
] as const;
/** The driver counts as nearly there this far from the door, well within the 500 m of `approach`. */
const NEARLY_THERE_METRES = 200;

/** The way of a simulated driver from the store to the door: it turns twice, as streets do. */
export function wayOf(order: Order): readonly Position[] {
  const { latitude, longitude } = order.quote.store;
  const door = doorOf(order) ?? { latitude, longitude };
  const squeeze = Math.cos((latitude * Math.PI) / 180);
  const [north, east] = [door.latitude - latitude, (door.longitude - longitude) * squeeze];
  const turns = TURNS.map(({ along, aside }) => ({
    latitude: latitude + north * along + east * aside,
    longitude: longitude + (east * along - north * aside) / squeeze,
  }));
  return [{ latitude, longitude }, ...turns, door];
}

/** The place after a part of the way, from 0 (the store) to 1 (the door). */
export function placeOn(way: readonly Position[], part: number): PlaceOnWay {
  const legs = way.slice(1).map((to, index) => legOf(way[index] ?? to, to));
  let left = part * legs.reduce((sum, { metres }) => sum + metres, 0);
  for (const { from, to, metres, course } of legs.slice(0, -1)) {
    if (left < metres) return { ...between(from, to, left / metres), course };
    left -= metres;
  }
  const last = legs.at(-1);
  if (!last) throw new RangeError('A way has two ends at least.');
  const { from, to, metres, course } = last;
  return { ...between(from, to, metres === 0 ? 1 : Math.min(1, left / metres)), course };
}

/** The part of the way after which the driver is nearly there; half of it where the store is next door. */
export function nearlyThere(way: readonly Position[]): number {
  const metres = way.slice(1).reduce((sum, to, index) => sum + metresBetween(way[index] ?? to, to), 0);
  return metres === 0 ? 1 : 1 - Math.min(0.5, NEARLY_THERE_METRES / metres);
}

function legOf(from: Position, to: Position) {
  return { from, to, metres: metresBetween(from, to), course: courseBetween(from, to) ?? 0 };
}

function between(from: Position, to: Position, part: number): Position {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * part,
    longitude: from.longitude + (to.longitude - from.longitude) * part,
  };
}
