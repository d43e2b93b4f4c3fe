import { metersBetween } from 'doorstep/search-engine/geography';
import type { Position } from '../../fulfillment/deliveries/position.ts';

/*
 * The way of the simulated driver along streets, where the service is given streets: the shortest that has few
 * corners. Two are enough in a grid, a third leaves a street that ends.
 */

/** A straight street, from end to end. */
export type Street = { from: Position; to: Position };

/** A position farther from every street is on none. */
const MAX_METERS = 400;
const MAX_CORNERS = 3;
/** The cost of a corner, so that the straighter of two equally long paths is taken. */
const CORNER_METERS = 20;
/** How far a street may miss another and still meet it, as a share of its length. */
const REACH = 0.01;

/** Positions from the start, along streets, to the end; undefined if one of both is on no street, or no way is found. */
export function streetRoute(streets: readonly Street[], start: Position, end: Position): Position[] | undefined {
  const [first, last] = [nearestStreet(streets, start), nearestStreet(streets, end)];
  if (!first || !last) return undefined;
  const corners = first.street === last.street ? [[]] : cornersBetween(streets, first.street, last.street, MAX_CORNERS);
  const ways = corners.map((turns) => [start, first.at, ...turns, last.at, end]);
  const [shortest] = ways
    .map((way) => ({ way, meters: lengthOf(way) + way.length * CORNER_METERS }))
    .sort((a, b) => a.meters - b.meters);
  return shortest?.way;
}

/** The corners of every way from one street to another with up to `max` corners. */
function cornersBetween(streets: readonly Street[], one: Street, other: Street, max: number): Position[][] {
  const corner = crossing(one, other);
  const direct = corner ? [[corner]] : [];
  if (max === 1) return direct;
  const around = streets.flatMap((street) => {
    const turn = crossing(one, street);
    return turn ? cornersBetween(streets, street, other, max - 1).map((rest) => [turn, ...rest]) : [];
  });
  return [...direct, ...around];
}

function nearestStreet(streets: readonly Street[], to: Position): { street: Street; at: Position } | undefined {
  const [nearest] = streets
    .map((street) => ({ street, at: nearestOn(street, to) }))
    .map((each) => ({ ...each, meters: metersBetween(each.at, to) }))
    .sort((a, b) => a.meters - b.meters);
  return nearest && nearest.meters <= MAX_METERS ? nearest : undefined;
}

function nearestOn({ from, to }: Street, place: Position): Position {
  const squeeze = Math.cos((from.latitude * Math.PI) / 180) ** 2;
  const [north, east] = [to.latitude - from.latitude, to.longitude - from.longitude];
  const dot = (place.latitude - from.latitude) * north + (place.longitude - from.longitude) * east * squeeze;
  return along({ from, to }, Math.min(Math.max(dot / (north * north + east * east * squeeze), 0), 1));
}

/** Where two streets cross; undefined if they are parallel or do not reach each other. */
function crossing(one: Street, other: Street): Position | undefined {
  const [north, east] = [one.to.latitude - one.from.latitude, one.to.longitude - one.from.longitude];
  const [otherNorth, otherEast] = [other.to.latitude - other.from.latitude, other.to.longitude - other.from.longitude];
  const determinant = north * otherEast - east * otherNorth;
  if (determinant === 0) return undefined;
  const [up, right] = [other.from.latitude - one.from.latitude, other.from.longitude - one.from.longitude];
  const part = (up * otherEast - right * otherNorth) / determinant;
  const otherPart = (up * east - right * north) / determinant;
  const isReached = [part, otherPart].every((share) => share >= -REACH && share <= 1 + REACH);
  return isReached ? along(one, part) : undefined;
}

function along({ from, to }: Street, part: number): Position {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * part,
    longitude: from.longitude + (to.longitude - from.longitude) * part,
  };
}

function lengthOf(way: readonly Position[]): number {
  return way.slice(1).reduce((sum, to, index) => sum + metersBetween(way[index] ?? to, to), 0);
}
