import type { LongitudeLatitude, Ring } from './area.ts';
import { type Coordinate, unitVectorAt } from './sphere.ts';

/** West, south, east and north in degrees; longitudes may run past ±180. */
export type Box = { west: number; south: number; east: number; north: number };

const RADIANS = Math.PI / 180;

/** Maximum distance between sample points on an edge, as a share of the longer side of the ring's box. */
const MAX_STEP = 1 / 32;

/** Maximum sample points per ring; a ring with thousands of long edges gets looser limits. */
const MAX_POINTS = 4096;

/**
 * Squared chord of a quarter of the circumference. If a point is nearer, the farthest point of a ring is on an edge.
 */
const QUARTER = 2;

export function boxOf(ring: Ring): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [longitude, latitude] of ring) {
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
  }
  return box;
}

/**
 * Returns limits of squared chords to a ring, to 1e-14: no edge is nearer than `nearest`, and no point in the ring is
 * farther than `farthest`.
 */
export function chordsToRing(from: Coordinate, ring: Ring): { nearest: number; farthest: number } {
  const { nearest, farthest } = chordsToEdges(from, ring);
  const toBox = farthestChordToBox(from, boxOf(ring));
  return { nearest, farthest: toBox >= QUARTER ? toBox : Math.min(toBox, farthest) };
}

/** Returns limits of squared chords to the points of all edges. Every point is within half a step of a sample. */
function chordsToEdges(from: Coordinate, ring: Ring): { nearest: number; farthest: number } {
  const { x, y, z } = unitVectorAt(from.latitude, from.longitude);
  const { west, south, east, north } = boxOf(ring);
  const longest = Math.max(east - west, north - south) * MAX_STEP;
  const maxSteps = Math.max(1, Math.floor(MAX_POINTS / ring.length));
  let [nearest, farthest] = [Infinity, 0];
  for (let i = 1; i < ring.length; i += 1) {
    const [a, b] = [ring[i - 1] as LongitudeLatitude, ring[i] as LongitudeLatitude];
    const length = Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2);
    const steps = length > longest ? Math.min(Math.ceil(length / longest), maxSteps) : 1;
    const halfStep = (length * RADIANS) / steps / 2;
    for (let step = 0; step <= steps; step += 1) {
      const share = step / steps;
      const point = unitVectorAt(a[1] + (b[1] - a[1]) * share, a[0] + (b[0] - a[0]) * share);
      const chord = Math.sqrt((point.x - x) ** 2 + (point.y - y) ** 2 + (point.z - z) ** 2);
      nearest = Math.min(nearest, chord - halfStep);
      farthest = Math.max(farthest, chord + halfStep);
    }
  }
  return { nearest: Math.max(0, nearest) ** 2, farthest: farthest ** 2 };
}

/**
 * Returns the squared chord to the box's farthest point. The farthest meridian is the same at every latitude; on it,
 * the farthest point is an end or the antipode.
 */
export function farthestChordToBox(from: Coordinate, { west, south, east, north }: Box): number {
  const [start, end] = [west - from.longitude, east - from.longitude];
  const isBehind = Math.ceil((start - 180) / 360) <= Math.floor((end - 180) / 360);
  const lambda = isBehind ? Math.PI : Math.max(degreesApart(start), degreesApart(end)) * RADIANS;
  const phi = from.latitude * RADIANS;
  const [polar, level] = [Math.sin(phi), Math.cos(phi) * Math.cos(lambda)];
  const cosineAt = (latitude: number): number => polar * Math.sin(latitude) + level * Math.cos(latitude);
  const [lowest, highest] = [south * RADIANS, north * RADIANS];
  const opposite = Math.atan2(-polar, -level);
  const cosines = [cosineAt(lowest), cosineAt(highest)];
  if (opposite > lowest && opposite < highest) cosines.push(cosineAt(opposite));
  return 2 - 2 * Math.min(...cosines);
}

/** Returns the degrees between two meridians, the shorter way around. */
function degreesApart(degrees: number): number {
  const turned = Math.abs(degrees) % 360;
  return Math.min(turned, 360 - turned);
}
