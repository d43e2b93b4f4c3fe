import { isJsonObject } from 'doorstep/plugin';
import { measureRing } from 'doorstep/search-engine/geography';

/** The point of a geometry: GeoJSON of any kind, or a WKB point of GeoParquet. */

export type Spot = { latitude: number; longitude: number };
type Position = readonly [longitude: number, latitude: number];

/** A geometry as one point. `none`: there is no geometry. `fault`: the expected form. */
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
