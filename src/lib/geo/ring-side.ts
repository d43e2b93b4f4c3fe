import { orient2d } from 'robust-predicates';
import type { Ring } from './area.ts';

/** Where a point lies of a ring. */
export const OUTSIDE = 0;
export const ON_EDGE = 1;
export const INSIDE = 2;

export type Side = typeof OUTSIDE | typeof ON_EDGE | typeof INSIDE;

/** The result for one edge: a ray from the point crosses it, the point lies on it, or neither. */
export const NO_CROSSING = 0;
export const CROSSING = 1;
export const HOLDS_POINT = 2;

/** Products of smaller coordinates leave the range of a double, in which orientation is exact: such a coordinate is 0. */
export const MIN_MAGNITUDE = 1e-30;

/** A coordinate of a point as the tests below take it. */
export function testedDegrees(value: number): number {
  return Math.abs(value) < MIN_MAGNITUDE ? 0 : value;
}

/**
 * Whether the ray east of the point (x, y) crosses the edge from a to b. An edge has its lower end and not its upper
 * one, so that a ray through a vertex crosses one of the two edges there, or both or none where they turn back.
 */
export function crossEdge(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  x: number,
  y: number,
): typeof NO_CROSSING | typeof CROSSING | typeof HOLDS_POINT {
  if ((ay > y && by > y) || (ay < y && by < y) || (ax < x && bx < x)) return NO_CROSSING;
  const isAcross = ay > y !== by > y;
  if (ax > x && bx > x) return isAcross ? CROSSING : NO_CROSSING;
  if (ay === by) return HOLDS_POINT;
  const turn = orient2d(ax, ay, bx, by, x, y);
  if (turn === 0) return HOLDS_POINT;
  return isAcross && turn > 0 === ay > by ? CROSSING : NO_CROSSING;
}

/**
 * The side of a ring on which the point lies, exactly; `turn` is added to the longitudes of the ring. A point is inside
 * where a ray crosses the ring an odd number of times. A whole turn added to a longitude of 128 to 360 degrees, away
 * from it, is exact; nearer to 0 it rounds by a few nanometres.
 */
export function sideOfRing(ring: Ring, turn: number, x: number, y: number): Side {
  let isInside = false;
  for (let i = 1; i < ring.length; i += 1) {
    const [ax, ay] = ring[i - 1] as Ring[number];
    const [bx, by] = ring[i] as Ring[number];
    const crossed = crossEdge(ax + turn, ay, bx + turn, by, x, y);
    if (crossed === HOLDS_POINT) return ON_EDGE;
    if (crossed === CROSSING) isInside = !isInside;
  }
  return isInside ? INSIDE : OUTSIDE;
}
