import { type Area, areaFaults, MAX_AREA_POSITIONS, type Position } from '../../lib/geo/area.ts';
import { milesBetween } from '../../lib/geo/sphere.ts';
import {
  addFault,
  type FeedObject,
  type FeedPath,
  faultAt,
  given,
  MISSING,
  readChoice,
  readObject,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';

type Place = { latitude: number; longitude: number };

/** A store whose areas are read, and how many positions its line may still have. */
export type AreaStore = Place & { positionsLeft: number };

const SHAPES = ['Polygon', 'MultiPolygon'] as const;

/**
 * A GeoJSON Polygon or MultiPolygon (RFC 7946); undefined where it is absent or faulty. Positions lie within the largest
 * radius of a delivery around the store, which finds positions that have latitude before longitude. Areas beyond the
 * positions of a line are not checked: a check takes up to 50 milliseconds, and the line is rejected anyway.
 */
export function readArea(from: FeedObject, key: string, store: AreaStore): Area | undefined {
  const shape = readObject(from, key);
  if (!shape) return undefined;
  const type = readChoice(shape, 'type', SHAPES);
  for (const member of ['type', 'coordinates']) if (given(shape, member) === undefined) faultAt(shape, member, MISSING);
  const coordinates = given(shape, 'coordinates');
  if (type === undefined || coordinates === undefined) return undefined;
  const area = readPolygons(shape, type === 'Polygon' ? [coordinates] : coordinates, type === 'MultiPolygon');
  if (!area) return undefined;
  store.positionsLeft -= area.flat().reduce((sum, ring) => sum + ring.length, 0);
  if (store.positionsLeft < 0) return undefined;
  const faults = areaFaults(area);
  for (const fault of faults) faultAt(shape, 'coordinates', `expected a valid area; this one ${fault}`);
  if (faults.length > 0) return undefined;
  const far = farPosition(area, store);
  if (!far) return area;
  faultAt(
    shape,
    'coordinates',
    `expected [longitude, latitude] within ${FEED_LIMITS.radiusMiles} miles of the store, not [${far.join(', ')}]`,
  );
  return undefined;
}

/** A position that lies farther from the store than the largest radius of a delivery. */
export function farPosition(area: Area, store: Place): Position | undefined {
  const isFar = ([longitude, latitude]: Position) =>
    milesBetween(store, { latitude, longitude }) > FEED_LIMITS.radiusMiles;
  return area.flat(2).find(isFar);
}

/** The polygons of a shape; undefined where a position, a ring or the number of positions is wrong. */
function readPolygons(shape: FeedObject, value: unknown, isMany: boolean): Area | undefined {
  const root: FeedPath = { parent: shape.path, key: 'coordinates' };
  const fault = (path: FeedPath, message: string): undefined => {
    addFault(shape.report, path, message);
  };
  let positions = 0;
  const read = <T>(
    list: unknown,
    path: FeedPath,
    member: (one: unknown, at: FeedPath) => T | undefined,
  ): T[] | undefined => {
    if (!Array.isArray(list) || list.length === 0) return fault(path, 'expected a list that is not empty');
    const members: T[] = [];
    for (const [index, one] of list.entries()) {
      const got = member(one, { parent: path, key: index });
      if (got === undefined) return undefined;
      members.push(got);
    }
    return members;
  };
  const readPosition = (one: unknown, at: FeedPath): Position | undefined => {
    positions += 1;
    if (positions > MAX_AREA_POSITIONS) return fault(root, `expected at most ${MAX_AREA_POSITIONS} positions`);
    const [longitude, latitude]: readonly unknown[] = Array.isArray(one) ? one : [];
    if (typeof longitude === 'number' && typeof latitude === 'number') return [longitude, latitude];
    return fault(at, 'expected [longitude, latitude]');
  };
  const readRing = (one: unknown, at: FeedPath) => read(one, at, readPosition);
  return read(value, root, (one, at) => read(one, isMany ? at : root, readRing));
}
