import { crossingEdge, isFlat } from './ring-crossings.ts';
import { INSIDE, MIN_MAGNITUDE, OUTSIDE, sideOfRing, testedDegrees } from './ring-side.ts';

/** Degrees, longitude first, as in GeoJSON (RFC 7946). */
export type Position = readonly [number, number];

/** A closed line: its last position is its first. */
export type Ring = readonly Position[];

/**
 * Polygons of rings: the first ring of a polygon is its outline, the others are holes. Edges are straight in longitude
 * and latitude. An area across the antimeridian is split at ±180, or its longitudes run past ±180.
 */
export type Area = readonly (readonly Ring[])[];

/** Bound on the positions of an area, closing positions included: a test of a door looks at each of them. */
export const MAX_AREA_POSITIONS = 2000;

const MIN_RING_POSITIONS = 4;

/** Longitudes of one turn on either side of 0 have every area in both of its forms. */
const MAX_LONGITUDE = 360;
const MAX_LATITUDE = 90;

/**
 * Whether a valid area (`areaFaults`) holds the point, longitude within ±180. A point on an edge is inside, also on the
 * edge of a hole. The answer is exact for the longitudes and latitudes as they are given.
 */
export function areaHolds(area: Area, longitude: number, latitude: number): boolean {
  const [x, y] = [testedDegrees(longitude), testedDegrees(latitude)];
  return area.some((rings) => polygonHolds(rings, x, y) || (Math.abs(x) === 180 && polygonHolds(rings, -x, y)));
}

/** A turn added to the polygon brings the part of it that runs past ±180 to where the point is. */
function polygonHolds(rings: readonly Ring[], x: number, y: number): boolean {
  let [isPastEast, isPastWest] = [false, false];
  for (const [longitude] of rings[0] ?? []) {
    isPastEast ||= longitude > 180;
    isPastWest ||= longitude < -180;
  }
  return (
    isHeldAfter(0, rings, x, y) ||
    (isPastEast && isHeldAfter(-360, rings, x, y)) ||
    (isPastWest && isHeldAfter(360, rings, x, y))
  );
}

function isHeldAfter(turn: number, [outline = [], ...holes]: readonly Ring[], x: number, y: number): boolean {
  return sideOfRing(outline, turn, x, y) !== OUTSIDE && holes.every((hole) => sideOfRing(hole, turn, x, y) !== INSIDE);
}

/** What keeps an area from being valid, in words that follow its name; empty for a valid area. */
export function areaFaults(area: Area): string[] {
  const positions = area.flat().reduce((sum, ring) => sum + ring.length, 0);
  if (positions > MAX_AREA_POSITIONS) return [`has ${positions} positions, over ${MAX_AREA_POSITIONS}`];
  if (area.length === 0) return ['has no polygon'];
  const faults: string[] = [];
  for (const [number, rings] of area.entries()) {
    const fault = polygonFault(rings);
    if (fault !== null) faults.push(area.length === 1 ? fault : `${fault}, in polygon ${number + 1}`);
  }
  return faults;
}

/** The first fault: a later check relies on those before it. */
function polygonFault(rings: readonly Ring[]): string | null {
  if (rings.length === 0) return 'has a polygon without a ring';
  for (const ring of rings) {
    const fault = ringFault(ring);
    if (fault !== null) return fault;
  }
  const crossing = crossingEdge(rings);
  if (crossing !== null)
    return `has an edge that crosses another, from ${textOf(crossing.at)} to ${textOf(crossing.to)}`;
  const [outline = [], ...holes] = rings;
  const outer = holes.flat().find(([x, y]) => sideOfRing(outline, 0, x, y) === OUTSIDE);
  return outer === undefined ? null : `has a hole outside of its outline, at ${textOf(outer)}`;
}

function ringFault(ring: Ring): string | null {
  if (ring.length < MIN_RING_POSITIONS) return `has a ring of ${ring.length} positions, under ${MIN_RING_POSITIONS}`;
  const strange = ring.find(([x, y]) => !isDegree(x, MAX_LONGITUDE) || !isDegree(y, MAX_LATITUDE));
  if (strange !== undefined) return `has a position out of range: ${textOf(strange)}`;
  const [first, last] = [ring[0] as Position, ring[ring.length - 1] as Position];
  if (first[0] !== last[0] || first[1] !== last[1]) {
    return `has a ring that is not closed: it begins at ${textOf(first)} and ends at ${textOf(last)}`;
  }
  if (isFlat(ring)) return `has a ring without an inside, at ${textOf(first)}`;
  const longitudes = ring.map(([x]) => x);
  if (Math.max(...longitudes) - Math.min(...longitudes) > 360) return 'has a ring that is longer than one turn';
  return longEdgeFault(ring);
}

/** An edge from 179 to -179 is meant to be 2 degrees long, and would be 358. */
function longEdgeFault(ring: Ring): string | null {
  for (let i = 1; i < ring.length; i += 1) {
    const [from, to] = [ring[i - 1] as Position, ring[i] as Position];
    const span = Math.abs(from[0] - to[0]);
    if (span > 180 && span < 360) {
      return `has an edge of ${span} degrees from ${textOf(from)} to ${textOf(to)}: split it at the antimeridian, or let its longitudes run past 180`;
    }
  }
  return null;
}

function isDegree(value: number, max: number): boolean {
  return value === 0 || (Math.abs(value) <= max && Math.abs(value) >= MIN_MAGNITUDE);
}

function textOf([longitude, latitude]: Position): string {
  return `[${longitude}, ${latitude}]`;
}
