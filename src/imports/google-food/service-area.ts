import { type Area, areaFaults, type Position } from '../../lib/geo/area.ts';
import { circleRing } from '../../lib/geo/circle-ring.ts';
import { METRES_PER_MILE, metresBetween } from '../../lib/geo/sphere.ts';
import { FEED_LIMITS } from '../feed/feed-limits.ts';
import { farPosition } from '../feed/parse-area.ts';
import { listOf, textOf } from './entity.ts';
import { firstText, type StoreContext } from './store-context.ts';
import { type GraphEntity, given } from './store-graph.ts';

/** A circle whose centre is nearer to the store is a radius around the store. */
const SAME_PLACE_METRES = 100;
/** A circle around another point becomes a polygon of so many corners: its edges lie at most 0.2 % inside. */
const CIRCLE_CORNERS = 64;
const CIRCLE = /^\d{1,8}(?:\.\d{1,9})?$/;
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** Where a service is offered, and how large that is, in square degrees. */
export type ServiceReach = { entity: GraphEntity; reach: { radiusMiles: number } | { area: Area }; size: number };

type Place = { latitude: number; longitude: number };

/** The reach of a ServiceArea: its polygons, else its circle. An area of another kind, or a wrong one, is left out with a warning. */
export function readServiceArea({ graph, notes }: StoreContext, entity: GraphEntity): ServiceReach[] {
  const store = placeOf(graph.restaurant, 'latitude', 'longitude');
  const polygons = listOf(given(entity, 'polygon')).map(textOf);
  const leftOut = (why: string): ServiceReach[] => {
    notes.warn(entity.label, '', `${why}; left out`);
    return [];
  };
  if (polygons.length > 0) {
    const area = readPolygons(polygons);
    if (!area) return leftOut('expected polygons of latitudes and longitudes, separated by spaces');
    const [fault] = areaFaults(area);
    if (fault !== undefined) return leftOut(`expected a valid polygon; this one ${fault}`);
    if (store && farPosition(area, store))
      return leftOut(`expected a polygon within ${FEED_LIMITS.radiusMiles} miles of the store`);
    return [{ entity, reach: { area }, size: sizeOf(area) }];
  }
  const metres = firstText(entity, 'geoRadius');
  if (!CIRCLE.test(metres)) return leftOut('expected a polygon, or a circle with geoRadius');
  const miles = Math.round((Number(metres) / METRES_PER_MILE) * 1000) / 1000;
  const centre = placeOf(entity, 'geoMidpointLatitude', 'geoMidpointLongitude') ?? store;
  if (miles > FEED_LIMITS.radiusMiles) return leftOut(`expected a circle of at most ${FEED_LIMITS.radiusMiles} miles`);
  const around: Area = [[circleRing(centre ?? { latitude: 0, longitude: 0 }, miles, CIRCLE_CORNERS)]];
  const size = sizeOf(around);
  const isOfStore = !centre || !store || metresBetween(centre, store) <= SAME_PLACE_METRES;
  if (isOfStore) return [{ entity, reach: { radiusMiles: miles }, size }];
  if (areaFaults(around).length > 0 || farPosition(around, store)) return leftOut('expected a circle near the store');
  return [{ entity, reach: { area: around }, size }];
}

/** Texts of `latitude longitude latitude longitude …`, as schema.org's GeoShape has them; undefined where a number is wrong. */
function readPolygons(texts: readonly string[]): Area | undefined {
  const rings = texts.map((text) => {
    const numbers = text.split(/[\s,]+/).filter((part) => part !== '');
    if (numbers.length % 2 !== 0 || !numbers.every((part) => DEGREES.test(part))) return undefined;
    const ring = numbers.flatMap((latitude, at): Position[] =>
      at % 2 === 0 ? [[Number(numbers[at + 1]), Number(latitude)]] : [],
    );
    const [first, last] = [ring[0], ring.at(-1)];
    const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
    return isClosed ? ring : [...ring, ...ring.slice(0, 1)];
  });
  return rings.every((ring) => ring !== undefined) ? rings.map((ring) => [ring]) : undefined;
}

function placeOf(entity: GraphEntity, latitudeKey: string, longitudeKey: string): Place | undefined {
  const [latitude, longitude] = [firstText(entity, latitudeKey), firstText(entity, longitudeKey)];
  if (!DEGREES.test(latitude) || !DEGREES.test(longitude)) return undefined;
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

/** Square degrees within the outlines: enough to sort areas around one store by size. */
function sizeOf(area: Area): number {
  return area.reduce((sum, [outline = []]) => {
    const twice = outline.reduce((total, [x, y], at) => {
      const [nextX, nextY] = outline[at + 1] ?? [x, y];
      return total + x * nextY - nextX * y;
    }, 0);
    return sum + Math.abs(twice) / 2;
  }, 0);
}
