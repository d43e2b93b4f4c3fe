import { orient2d } from 'robust-predicates';
import { EARTH_RADIUS_MILES } from './sphere.ts';

/** Areas on the map: checks of polygons and multipolygons with holes, and circles. `packed-areas.ts` tests points. */

/** Degrees, longitude first, as in GeoJSON (RFC 7946). */
export type LongitudeLatitude = readonly [number, number];

/** A closed ring as in GeoJSON: its first and last positions are equal. */
export type Ring = readonly LongitudeLatitude[];

/**
 * Polygons of rings: the first ring is the outline, the others are holes. Edges are straight in longitude and latitude.
 * An area across the antimeridian is split at ±180, or its longitudes run past ±180.
 */
export type Area = readonly (readonly Ring[])[];

/** Maximum positions per area, because a point test reads each. */
export const MAX_AREA_POSITIONS = 2000;

const MIN_RING_POSITIONS = 4;

/** Maximum longitude of an area that runs past ±180. */
const MAX_LONGITUDE = 360;
const MAX_LATITUDE = 90;

export const countPositions = (area: Area): number => area.flat().reduce((sum, ring) => sum + ring.length, 0);

/** Reasons why an area is invalid, each worded to follow its name; empty for a valid area. */
export function areaFaults(area: Area): string[] {
  const positions = countPositions(area);
  if (positions > MAX_AREA_POSITIONS) return [`has ${positions} positions, over ${MAX_AREA_POSITIONS}`];
  if (area.length === 0) return ['has no polygon'];
  const faults: string[] = [];
  for (const [number, rings] of area.entries()) {
    const fault = polygonFault(rings);
    if (fault !== null) faults.push(area.length === 1 ? fault : `${fault}, in polygon ${number + 1}`);
  }
  return faults;
}

/** Returns only the first error, because later checks rely on earlier ones. */
function polygonFault(rings: readonly Ring[]): string | null {
  if (rings.length === 0) return 'has a polygon without a ring';
  for (const ring of rings) {
    const fault = ringFault(ring);
    if (fault !== null) return fault;
  }
  const crossing = crossingEdge(rings);
  if (crossing !== null)
    return `has an edge that crosses another, from ${formatPosition(crossing.at)} to ${formatPosition(crossing.to)}`;
  const [outline = [], ...holes] = rings;
  const outer = holes.flat().find(([x, y]) => sideOfRing(outline, x, y) === OUTSIDE);
  return outer === undefined ? null : `has a hole outside of its outline, at ${formatPosition(outer)}`;
}

function ringFault(ring: Ring): string | null {
  if (ring.length < MIN_RING_POSITIONS) return `has a ring of ${ring.length} positions, under ${MIN_RING_POSITIONS}`;
  const strange = ring.find(([x, y]) => !isDegree(x, MAX_LONGITUDE) || !isDegree(y, MAX_LATITUDE));
  if (strange !== undefined) return `has a position out of range: ${formatPosition(strange)}`;
  const [first, last] = [ring[0] as LongitudeLatitude, ring[ring.length - 1] as LongitudeLatitude];
  if (first[0] !== last[0] || first[1] !== last[1]) {
    return `has a ring that is not closed: it begins at ${formatPosition(first)} and ends at ${formatPosition(last)}`;
  }
  if (isFlat(ring)) return `has a ring without an inside, at ${formatPosition(first)}`;
  const longitudes = ring.map(([x]) => x);
  if (Math.max(...longitudes) - Math.min(...longitudes) > 360) return 'has a ring that is longer than one turn';
  return longEdgeFault(ring);
}

/** Finds edges across the antimeridian: from 179 to -179 is meant to be 2 degrees but would be 358. */
function longEdgeFault(ring: Ring): string | null {
  for (let i = 1; i < ring.length; i += 1) {
    const [from, to] = [ring[i - 1] as LongitudeLatitude, ring[i] as LongitudeLatitude];
    const span = Math.abs(from[0] - to[0]);
    if (span > 180 && span < 360) {
      return `has an edge of ${span} degrees from ${formatPosition(from)} to ${formatPosition(to)}: split it at the antimeridian, or let its longitudes run past 180`;
    }
  }
  return null;
}

const isDegree = (value: number, max: number): boolean =>
  value === 0 || (Math.abs(value) <= max && Math.abs(value) >= MIN_MAGNITUDE);

const formatPosition = ([longitude, latitude]: LongitudeLatitude): string => `[${longitude}, ${latitude}]`;

/** Position of a point relative to a ring. */
export const OUTSIDE = 0;
export const ON_EDGE = 1;
export const INSIDE = 2;

export type Side = typeof OUTSIDE | typeof ON_EDGE | typeof INSIDE;

/** Result of ray casting for one edge: the ray misses it, crosses it, or the point lies on it. */
const NO_CROSSING = 0;
const CROSSING = 1;
export const CONTAINS_POINT = 2;

/** Smaller coordinates count as 0, because their products underflow the range where orientation is exact. */
const MIN_MAGNITUDE = 1e-30;

/** Replaces a tiny coordinate by 0, as the tests below need. */
export const clampSmallDegrees = (value: number): number => (Math.abs(value) < MIN_MAGNITUDE ? 0 : value);

/**
 * Whether the ray east of (x, y) crosses edge a-b. An edge includes only its lower end, so a ray through a vertex
 * crosses one of two edges that pass it, and both or none of two that turn there.
 */
export function crossEdge(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  x: number,
  y: number,
): typeof NO_CROSSING | typeof CROSSING | typeof CONTAINS_POINT {
  if ((ay > y && by > y) || (ay < y && by < y) || (ax < x && bx < x)) return NO_CROSSING;
  const isAcross = ay > y !== by > y;
  if (ax > x && bx > x) return isAcross ? CROSSING : NO_CROSSING;
  if (ay === by) return CONTAINS_POINT;
  const turn = orient2d(ax, ay, bx, by, x, y);
  if (turn === 0) return CONTAINS_POINT;
  return isAcross && turn > 0 === ay > by ? CROSSING : NO_CROSSING;
}

/** Returns the position of the point relative to a ring, exactly: inside for an odd number of crossings. */
function sideOfRing(ring: Ring, x: number, y: number): Side {
  let isInside = false;
  for (let i = 1; i < ring.length; i += 1) {
    const [ax, ay] = ring[i - 1] as Ring[number];
    const [bx, by] = ring[i] as Ring[number];
    const crossed = crossEdge(ax, ay, bx, by, x, y);
    if (crossed === CONTAINS_POINT) return ON_EDGE;
    if (crossed === CROSSING) isInside = !isInside;
  }
  return isInside ? INSIDE : OUTSIDE;
}

type Edge = { at: LongitudeLatitude; to: LongitudeLatitude; before: Edge | null; west: number; east: number };

/**
 * Returns an edge where a polygon's rings cross themselves or each other; null without one. Rings may touch at vertices
 * and along opposite edges, as for a hole cut open. Edges overlapping in one direction cross.
 */
function crossingEdge(rings: readonly Ring[]): Edge | null {
  const edges = rings.flatMap(edgesOf).sort((one, other) => one.west - other.west);
  for (const [i, edge] of edges.entries()) {
    for (let j = i + 1; j < edges.length; j += 1) {
      const other = edges[j] as Edge;
      if (other.west > edge.east) break;
      if (edgesCross(edge, other)) return edge;
    }
  }
  return null;
}

/** Lists the edges of a ring; repeated positions make none. */
function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let i = 1; i < ring.length; i += 1) {
    const [at, to] = [ring[i - 1] as LongitudeLatitude, ring[i] as LongitudeLatitude];
    if (at[0] === to[0] && at[1] === to[1]) continue;
    edges.push({ at, to, before: null, west: Math.min(at[0], to[0]), east: Math.max(at[0], to[0]) });
  }
  for (const [i, edge] of edges.entries()) edge.before = edges.at(i - 1) ?? null;
  return edges;
}

function edgesCross(one: Edge, other: Edge): boolean {
  if (Math.max(one.at[1], one.to[1]) < Math.min(other.at[1], other.to[1])) return false;
  if (Math.max(other.at[1], other.to[1]) < Math.min(one.at[1], one.to[1])) return false;
  const [fromOne, toOne] = [sideOf(other, one.at), sideOf(other, one.to)];
  if (fromOne === 0 && toOne === 0 && runTogether(one, other)) return true;
  // Both ends on one side: the edges cannot touch. Most pairs of long edges return here.
  if (fromOne * toOne > 0) return false;
  const [fromOther, toOther] = [sideOf(one, other.at), sideOf(one, other.to)];
  if (fromOther * toOther > 0) return false;
  if (fromOne * toOne < 0 && fromOther * toOther < 0) return true;
  return passesThrough(one, other) || passesThrough(other, one);
}

/** Returns the position's side of the edge's line: 1, -1, or 0 on the line. */
const sideOf = ({ at, to }: Edge, position: LongitudeLatitude): number =>
  Math.sign(orient2d(at[0], at[1], to[0], to[1], position[0], position[1]));

/** Whether two collinear edges overlap in the same direction. */
function runTogether(one: Edge, other: Edge): boolean {
  const axis = one.at[0] === one.to[0] ? 1 : 0;
  const [from, to] = [one.at[axis], one.to[axis]];
  const [otherFrom, otherTo] = [other.at[axis], other.to[axis]];
  if (to > from !== otherTo > otherFrom) return false;
  return (
    Math.max(Math.min(from, to), Math.min(otherFrom, otherTo)) <
    Math.min(Math.max(from, to), Math.max(otherFrom, otherTo))
  );
}

/** Whether `one`'s ring crosses the other ring at the vertex where `one` begins. */
function passesThrough(one: Edge, other: Edge): boolean {
  const { at, to, before } = one;
  if (before === null || !isOn(other, at) || same(other.to, at)) return false;
  if (!same(other.at, at)) return sideOf(other, before.at) * sideOf(other, to) < 0;
  if (other.before === null) return false;
  const wedge: Wedge = { at, from: before.at, to };
  const ends = [other.before.at, other.to] as const;
  if (ends.some((end) => isSameRay(at, end, before.at) || isSameRay(at, end, to))) return false;
  return isInWedge(wedge, ends[0]) !== isInWedge(wedge, ends[1]);
}

function isOn(edge: Edge, position: LongitudeLatitude): boolean {
  const [x, y] = position;
  return (
    x >= edge.west &&
    x <= edge.east &&
    y >= Math.min(edge.at[1], edge.to[1]) &&
    y <= Math.max(edge.at[1], edge.to[1]) &&
    sideOf(edge, position) === 0
  );
}

/** A vertex and the directions of its two edges. */
type Wedge = { at: LongitudeLatitude; from: LongitudeLatitude; to: LongitudeLatitude };

function isInWedge({ at, from, to }: Wedge, position: LongitudeLatitude): boolean {
  const opening = orientation(at, from, to);
  if (opening === 0 && isSameRay(at, from, to)) return false;
  const [afterFrom, beforeTo] = [orientation(at, from, position) > 0, orientation(at, position, to) > 0];
  if (opening > 0) return afterFrom && beforeTo;
  return opening === 0 ? afterFrom : afterFrom || beforeTo;
}

function isSameRay(at: LongitudeLatitude, one: LongitudeLatitude, other: LongitudeLatitude): boolean {
  if (orientation(at, one, other) !== 0) return false;
  return (
    Math.sign(one[0] - at[0]) === Math.sign(other[0] - at[0]) &&
    Math.sign(one[1] - at[1]) === Math.sign(other[1] - at[1])
  );
}

const orientation = (at: LongitudeLatitude, from: LongitudeLatitude, to: LongitudeLatitude): number =>
  orient2d(at[0], at[1], from[0], from[1], to[0], to[1]);

const same = (one: LongitudeLatitude, other: LongitudeLatitude): boolean => one[0] === other[0] && one[1] === other[1];

/** Whether all positions are collinear. */
function isFlat(ring: Ring): boolean {
  const [first] = ring;
  const second = first && ring.find((position) => !same(first, position));
  return !first || !second || ring.every((position) => orientation(first, second, position) === 0);
}

const RADIANS = Math.PI / 180;
/** Rounding to 1e-6 degrees, a tenth of a meter. */
const DECIMALS = 1e6;

/** Returns a closed ring of `corners` on a circle around a point; its edges lie inside of the circle. */
export function circleRing(center: { latitude: number; longitude: number }, miles: number, corners: number): Ring {
  const arc = miles / EARTH_RADIUS_MILES;
  const phi = center.latitude * RADIANS;
  const ring = Array.from({ length: corners }, (_, n): LongitudeLatitude => {
    const bearing = (2 * Math.PI * n) / corners;
    const sine = Math.sin(phi) * Math.cos(arc) + Math.cos(phi) * Math.sin(arc) * Math.cos(bearing);
    const east = Math.sin(bearing) * Math.sin(arc) * Math.cos(phi);
    const turn = Math.atan2(east, Math.cos(arc) - Math.sin(phi) * sine);
    return [rounded(center.longitude + turn / RADIANS), rounded(Math.asin(sine) / RADIANS)];
  });
  return [...ring, ...ring.slice(0, 1)];
}

const rounded = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS;
