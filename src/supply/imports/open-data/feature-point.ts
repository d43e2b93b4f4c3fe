import { isJsonObject } from '../../../platform/lib/json-object.ts';

/** The point of a geometry: GeoJSON of any kind, or a WKB point of GeoParquet. */

export type Spot = { latitude: number; longitude: number };
type Position = readonly [longitude: number, latitude: number];

/** A geometry as one point. `none`: there is no geometry. `fault`: what was expected. */
type SpotReading = { spot: Spot } | { none: true } | { fault: string };

const EXPECTED_POSITION = 'expected longitude and latitude, two numbers in degrees';
const EXPECTED_GEOMETRY = 'expected a Point, LineString, Polygon or MultiPolygon';

/**
 * The point of a GeoJSON geometry: a point itself, the middle corner of a line, the center of mass of an area, or of
 * the largest of several.
 */
export function featurePoint(geometry: unknown): SpotReading {
  if (geometry === null || geometry === undefined) return { none: true };
  if (!isJsonObject(geometry)) return { fault: EXPECTED_GEOMETRY };
  const { coordinates } = geometry;
  switch (geometry.type) {
    case 'Point':
      return spotReading(readCoordinates(coordinates));
    case 'LineString': {
      const corners = readPositions(coordinates);
      return spotReading(corners?.[Math.floor((corners.length - 1) / 2)]);
    }
    case 'Polygon':
      return spotReading(centerOf([coordinates]));
    case 'MultiPolygon':
      return spotReading(Array.isArray(coordinates) ? centerOf(coordinates) : null);
    default:
      return { fault: EXPECTED_GEOMETRY };
  }
}

function spotReading(position: Position | null | undefined): SpotReading {
  if (!position) return { fault: EXPECTED_POSITION };
  return { spot: { latitude: position[1], longitude: position[0] } };
}

function readCoordinates(value: unknown): Position | null {
  if (!Array.isArray(value)) return null;
  const [longitude, latitude]: readonly unknown[] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null;
}

function readPositions(value: unknown): Position[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const positions: Position[] = [];
  for (const one of value) {
    const position = readCoordinates(one);
    if (!position) return null;
    positions.push(position);
  }
  return positions;
}

/** The center of the largest polygon, by outer rings; null if a value is not a polygon. */
function centerOf(polygons: readonly unknown[]): Position | null {
  let largest: { area: number; center: Position } | null = null;
  for (const polygon of polygons) {
    const ring = Array.isArray(polygon) ? readPositions(polygon[0]) : null;
    if (!ring) return null;
    const measured = measureRing(ring);
    if (!largest || measured.area > largest.area) largest = measured;
  }
  return largest?.center ?? null;
}

const ORIGIN: Position = [0, 0];

/** The area of a ring in square degrees, and its center of mass; without an area, the mean of its corners. */
export function measureRing(ring: readonly Position[]): { area: number; center: Position } {
  const [first = ORIGIN] = ring;
  const [x0, y0] = first;
  const relative = ([x, y]: Position): Position => [x - x0, y - y0];
  let doubled = 0;
  let x = 0;
  let y = 0;
  for (const [n, corner] of ring.entries()) {
    // Coordinates relative to the first corner, or rounding would lose a building's area.
    const [x1, y1] = relative(corner);
    const [x2, y2] = relative(ring[n + 1] ?? first);
    const cross = x1 * y2 - x2 * y1;
    doubled += cross;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  }
  const center: Position = [x0 + x / (3 * doubled), y0 + y / (3 * doubled)];
  return { area: Math.abs(doubled / 2), center: isInBoundingBox(ring, center) ? center : meanOf(ring) };
}

/** Whether a point is in a ring's bounding box, as the center of a degenerate ring may not be. */
function isInBoundingBox(ring: readonly Position[], [x, y]: Position): boolean {
  const isBetween = (value: number, all: readonly number[]) =>
    all.some((one) => one <= value) && all.some((one) => one >= value);
  return (
    isBetween(
      x,
      ring.map(([x1]) => x1),
    ) &&
    isBetween(
      y,
      ring.map(([, y1]) => y1),
    )
  );
}

function meanOf(ring: readonly Position[]): Position {
  const sum = ring.reduce<Position>(([x, y], [x1, y1]) => [x + x1, y + y1], [0, 0]);
  return [sum[0] / ring.length, sum[1] / ring.length];
}

/** Flags of extended WKB in the type's upper bits: further numbers per position, and a preceding SRID. */
const HAS_MORE_NUMBERS = 0xc000_0000;
const HAS_SYSTEM = 0x2000_0000;
const POINT = 1;

/**
 * Longitude and latitude of a WKB point in either byte order, plain or extended (ISO types 1001 to 3001, or flags);
 * null for other geometries and malformed bytes.
 */
export function positionOfWkb(bytes: Uint8Array): [longitude: number, latitude: number] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 21 || view.getUint8(0) > 1) return null;
  const isLittle = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittle);
  const plainType = (type & ~(HAS_MORE_NUMBERS | HAS_SYSTEM)) >>> 0;
  if (plainType % 1000 !== POINT || plainType > 3001) return null;
  const start = (type & HAS_SYSTEM) === 0 ? 5 : 9;
  if (view.byteLength < start + 16) return null;
  return [view.getFloat64(start, isLittle), view.getFloat64(start + 8, isLittle)];
}
