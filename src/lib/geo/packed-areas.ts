import type { Area, Ring } from './area.ts';
import { boxOf } from './ring-chords.ts';
import { CROSSING, crossEdge, HOLDS_POINT, INSIDE, ON_EDGE, OUTSIDE, type Side, testedDegrees } from './ring-side.ts';

/** Numbers of a polygon before its first ring. */
const POLYGON_HEAD = 6;

/**
 * Areas as plain numbers, so that an index keeps them in its own arrays: how many polygons there are, then each polygon
 * as the index of the number after it, its box, how many rings it has, and each ring as how many positions it has, its
 * longitudes and its latitudes. A polygon that runs past ±180 is there twice, a turn apart.
 */
export function packAreas(areas: readonly Area[]): Float64Array {
  const polygons = areas.flat().flatMap(turnedPolygons);
  const packed = new Float64Array(1 + polygons.reduce((sum, rings) => sum + sizeOf(rings), 0));
  packed[0] = polygons.length;
  let at = 1;
  for (const rings of polygons) {
    const { west, south, east, north } = boxOf(rings[0] ?? []);
    packed.set([at + sizeOf(rings), west, south, east, north, rings.length], at);
    at += POLYGON_HEAD;
    for (const ring of rings) {
      packed[at] = ring.length;
      for (const [i, [longitude, latitude]] of ring.entries()) {
        packed[at + 1 + i] = longitude;
        packed[at + 1 + ring.length + i] = latitude;
      }
      at += 1 + 2 * ring.length;
    }
  }
  return packed;
}

function sizeOf(rings: readonly Ring[]): number {
  return rings.reduce((sum, ring) => sum + 1 + 2 * ring.length, POLYGON_HEAD);
}

function turnedPolygons(rings: readonly Ring[]): (readonly Ring[])[] {
  const { west, east } = boxOf(rings[0] ?? []);
  if (west >= -180 && east <= 180) return [rings];
  const turned = (turn: number) => rings.map((ring) => ring.map(([x, y]) => [x + turn, y] as const));
  return [rings, ...(east > 180 ? [turned(-360)] : []), ...(west < -180 ? [turned(360)] : [])];
}

/** Whether one of the areas packed at `start` holds the point, exactly as `areaHolds` tells. */
export function packedAreasHold(data: Float64Array, start: number, longitude: number, latitude: number): boolean {
  const [x, y] = [testedDegrees(longitude), testedDegrees(latitude)];
  return somePolygonHolds(data, start, x, y) || (Math.abs(x) === 180 && somePolygonHolds(data, start, -x, y));
}

function somePolygonHolds(data: Float64Array, start: number, x: number, y: number): boolean {
  let at = start + 1;
  for (let left = data[start] as number; left > 0; left -= 1) {
    const isInBox =
      x >= (data[at + 1] as number) &&
      y >= (data[at + 2] as number) &&
      x <= (data[at + 3] as number) &&
      y <= (data[at + 4] as number);
    if (isInBox && ringsHold(data, at + 5, x, y)) return true;
    at = start + (data[at] as number);
  }
  return false;
}

function ringsHold(data: Float64Array, start: number, x: number, y: number): boolean {
  const rings = data[start] as number;
  let at = start + 1;
  for (let ring = 0; ring < rings; ring += 1) {
    const side = sideOfPacked(data, at, x, y);
    if (side === (ring === 0 ? OUTSIDE : INSIDE)) return false;
    at += 1 + 2 * (data[at] as number);
  }
  return true;
}

/** As `sideOfRing`. Most edges are above or below the point, which the latitudes alone tell. */
function sideOfPacked(data: Float64Array, start: number, x: number, y: number): Side {
  const count = data[start] as number;
  const xs = start + 1;
  const ys = xs + count;
  let isInside = false;
  let before = data[ys] as number;
  for (let i = 1; i < count; i += 1) {
    const after = data[ys + i] as number;
    const isApart = before > y ? after > y : before < y && after < y;
    if (!isApart) {
      const crossed = crossEdge(data[xs + i - 1] as number, before, data[xs + i] as number, after, x, y);
      if (crossed === HOLDS_POINT) return ON_EDGE;
      if (crossed === CROSSING) isInside = !isInside;
    }
    before = after;
  }
  return isInside ? INSIDE : OUTSIDE;
}
