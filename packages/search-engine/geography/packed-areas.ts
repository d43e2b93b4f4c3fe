import {
  type Area,
  CONTAINS_POINT,
  clampSmallDegrees,
  crossEdge,
  INSIDE,
  ON_EDGE,
  OUTSIDE,
  type Ring,
  type Side,
} from './area.ts';
import { boxOf } from './ring-chords.ts';

/** Numbers that precede a polygon's first ring. */
const POLYGON_HEAD = 6;

/**
 * Edges per run. A point test of a ring with 100 edges reads the ranges of a dozen runs and the edges of two or three.
 */
const RUN_EDGES = 8;

/**
 * Flattens areas into one array of numbers: the polygon count, then per polygon the index of its end, its west, south,
 * east and north, its ring count and its rings. A ring is its edge count, the minimum and maximum latitude of each run of
 * `RUN_EDGES` edges, and its positions. A polygon that crosses ±180° is stored twice, once on each side.
 */
export function packAreas(areas: readonly Area[]): Float64Array {
  const polygons = areas.flat().flatMap(turnedPolygons);
  const packed = new Float64Array(1 + polygons.reduce((sum, rings) => sum + packedSize(rings), 0));
  packed[0] = polygons.length;
  let at = 1;
  for (const rings of polygons) {
    const { west, south, east, north } = boxOf(rings[0] ?? []);
    packed.set([at + packedSize(rings), west, south, east, north, rings.length], at);
    at += POLYGON_HEAD;
    for (const ring of rings) {
      packRing(packed, at, ring);
      at += ringSize(ring.length - 1);
    }
  }
  return packed;
}

function packRing(packed: Float64Array, start: number, ring: Ring): void {
  const edges = ring.length - 1;
  const runs = Math.ceil(edges / RUN_EDGES);
  packed[start] = edges;
  const positions = start + 1 + 2 * runs;
  for (const [i, [longitude, latitude]] of ring.entries()) {
    packed[positions + 2 * i] = longitude;
    packed[positions + 2 * i + 1] = latitude;
  }
  for (let run = 0; run < runs; run += 1) {
    const latitudes = ring.slice(run * RUN_EDGES, (run + 1) * RUN_EDGES + 1).map((position) => position[1]);
    packed.set([Math.min(...latitudes), Math.max(...latitudes)], start + 1 + 2 * run);
  }
}

const packedSize = (rings: readonly Ring[]): number =>
  rings.reduce((sum, ring) => sum + ringSize(ring.length - 1), POLYGON_HEAD);

const ringSize = (edges: number): number => 1 + 2 * Math.ceil(edges / RUN_EDGES) + 2 * (edges + 1);

function turnedPolygons(rings: readonly Ring[]): (readonly Ring[])[] {
  const { west, east } = boxOf(rings[0] ?? []);
  if (west >= -180 && east <= 180) return [rings];
  const turned = (turn: number) => rings.map((ring) => ring.map(([x, y]) => [x + turn, y] as const));
  return [rings, ...(east > 180 ? [turned(-360)] : []), ...(west < -180 ? [turned(360)] : [])];
}

/** Whether a valid area (`areaFaults`) contains the point, for a single test. */
export const areaContains = (area: Area, longitude: number, latitude: number): boolean =>
  packedAreasContain(packAreas([area]), 0, longitude, latitude);

/**
 * Whether one of the valid areas (`areaFaults`) packed at `start` contains the point, longitude within ±180. Edges
 * count as inside, also edges of holes. Exact for the given coordinates; turning a polygon by 360 degrees is exact from
 * 128 degrees on, and rounds by nanometers below.
 */
export function packedAreasContain(data: Float64Array, start: number, longitude: number, latitude: number): boolean {
  const [x, y] = [clampSmallDegrees(longitude), clampSmallDegrees(latitude)];
  return somePolygonContains(data, start, x, y) || (Math.abs(x) === 180 && somePolygonContains(data, start, -x, y));
}

function somePolygonContains(data: Float64Array, start: number, x: number, y: number): boolean {
  let at = start + 1;
  for (let left = data[start] as number; left > 0; left -= 1) {
    const isInBox =
      x >= (data[at + 1] as number) &&
      y >= (data[at + 2] as number) &&
      x <= (data[at + 3] as number) &&
      y <= (data[at + 4] as number);
    if (isInBox && ringsContain(data, at + 5, x, y)) return true;
    at = start + (data[at] as number);
  }
  return false;
}

function ringsContain(data: Float64Array, start: number, x: number, y: number): boolean {
  const rings = data[start] as number;
  let at = start + 1;
  for (let ring = 0; ring < rings; ring += 1) {
    const side = sideOfPacked(data, at, x, y);
    if (side === (ring === 0 ? OUTSIDE : INSIDE)) return false;
    at += ringSize(data[at] as number);
  }
  return true;
}

/** Returns the point's position relative to a packed ring. Skips runs entirely above or below the point. */
function sideOfPacked(data: Float64Array, start: number, x: number, y: number): Side {
  const edges = data[start] as number;
  const runs = Math.ceil(edges / RUN_EDGES);
  const positions = start + 1 + 2 * runs;
  let crossings = 0;
  for (let run = 0; run < runs; run += 1) {
    const bounds = start + 1 + 2 * run;
    if (y < (data[bounds] as number) || y > (data[bounds + 1] as number)) continue;
    const end = positions + 2 * Math.min(edges, (run + 1) * RUN_EDGES);
    for (let at = positions + 2 * run * RUN_EDGES; at < end; at += 2) {
      const [ay, by] = [data[at + 1] as number, data[at + 3] as number];
      if (ay > y ? by > y : ay < y && by < y) continue;
      const crossed = crossEdge(data[at] as number, ay, data[at + 2] as number, by, x, y);
      if (crossed === CONTAINS_POINT) return ON_EDGE;
      crossings += crossed;
    }
  }
  return crossings % 2 === 1 ? INSIDE : OUTSIDE;
}
