import type { Ring } from './area.ts';
import { type Coordinate, unitVectorAt } from './sphere.ts';

/** West, south, east and north in degrees; longitudes may run past ±180. */
export type Box = { west: number; south: number; east: number; north: number };

const RADIANS = Math.PI / 180;

/** The squared chord of a quarter of the circumference: no nearer point has its farthest point inside of a ring. */
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

/** A squared chord beyond which the ring holds no point, to 1e-14. It is close for a ring of short edges. */
export function farthestChordToRing(from: Coordinate, ring: Ring): number {
  const toBox = farthestChordToBox(from, boxOf(ring));
  return toBox >= QUARTER ? toBox : Math.min(toBox, farthestChordToEdges(from, ring));
}

/** A point of an edge is no farther than an end of the edge and half of its length, the longest that it may be. */
function farthestChordToEdges(from: Coordinate, ring: Ring): number {
  const { x, y, z } = unitVectorAt(from.latitude, from.longitude);
  let [farthest, longest] = [0, 0];
  let before = ring[0] ?? [0, 0];
  for (const position of ring) {
    const corner = unitVectorAt(position[1], position[0]);
    const [dx, dy, dz] = [corner.x - x, corner.y - y, corner.z - z];
    const [east, north] = [position[0] - before[0], position[1] - before[1]];
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz);
    longest = Math.max(longest, east * east + north * north);
    before = position;
  }
  return (Math.sqrt(farthest) + (Math.sqrt(longest) * RADIANS) / 2) ** 2;
}

/**
 * Squared chord to the farthest point of the box. The farthest meridian is the farthest one at every latitude; along it
 * the arc is longest at an end, or opposite to the point.
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

/** Between two meridians, the shorter way around. */
function degreesApart(degrees: number): number {
  const turned = Math.abs(degrees) % 360;
  return Math.min(turned, 360 - turned);
}
