import { FEED_LIMITS, farPosition } from 'doorstep/plugin';
import {
  type Area,
  areaFaults,
  circleRing,
  countPositions,
  type LongitudeLatitude,
  MAX_AREA_POSITIONS,
  METERS_PER_MILE,
  measureRing,
  metersBetween,
} from 'doorstep/search-engine/geography';
import { asList, GOOGLE_FOOD_LIMITS, toText } from './entity.ts';
import { areaFeeOf, type GoogleServiceFee } from './fee-value.ts';
import { entityValue, firstText, type GraphEntity, type RestaurantContext } from './store-graph.ts';

/**
 * Delivery zones of a restaurant in Google's feed: the polygons and circles of its service areas, as zones of a store
 * line.
 */

/** A delivery service; if there are several, each with its own minutes. */
type DeliveryService = { service: GraphEntity; minutes: object };
type Zone = ServiceReach & { terms: object };

/**
 * The delivery fields of a line: the areas of its delivery services, smallest first, so that a small area's fee takes
 * precedence over a large one's. Without a known area, the feed's default applies.
 */
export function deliveryZonesOf(
  context: RestaurantContext,
  services: readonly DeliveryService[],
  fees: readonly GoogleServiceFee[],
): object {
  const zones = checkedAreas(context, services).flatMap(({ service, minutes, area }): Zone[] => {
    const terms = { ...areaFeeOf(context, fees, { service, area }), ...minutes };
    return readServiceArea(context, area).map((reach) => ({ ...reach, terms }));
  });
  const kept = withinLimits(
    context,
    mergeEqualZones(zones).toSorted((a, b) => a.size - b.size),
  );
  const [only, ...others] = kept;
  if (!only) return {};
  if (others.length === 0 && Object.keys(only.terms).length === 0) return reachFields(only);
  return { zones: kept.map((zone) => context.notes.from(zone.entity.label, { ...reachFields(zone), ...zone.terms })) };
}

/** Areas of all services, up to the limit; the rest is dropped with one warning. */
function checkedAreas({ graph, notes }: RestaurantContext, services: readonly DeliveryService[]) {
  const areas = services.flatMap(({ service, minutes }) =>
    graph.below(service, 'ServiceArea').map((area) => ({ service, minutes, area })),
  );
  const first = areas[GOOGLE_FOOD_LIMITS.areasPerStore];
  if (first) {
    const why = `expected at most ${GOOGLE_FOOD_LIMITS.areasPerStore} areas of one restaurant, not ${areas.length}`;
    notes.warn(first.area.label, '', `${why}; this one and those after it are left out`);
  }
  return areas.slice(0, GOOGLE_FOOD_LIMITS.areasPerStore);
}

function reachFields({ reach }: ServiceReach): object {
  return 'area' in reach
    ? { area: { type: 'MultiPolygon', coordinates: reach.area } }
    : { radius_miles: reach.radiusMiles };
}

/**
 * Joins zones with equal terms: the widest circle is enough, and polygons become one area while there is room. Zones
 * with different terms stay separate, because the smallest zone that contains an address decides.
 */
function mergeEqualZones(zones: readonly Zone[]): readonly Zone[] {
  if (new Set(zones.map(({ terms }) => JSON.stringify(terms))).size > 1) return zones;
  const joined: Zone[] = [];
  for (const zone of zones) {
    const at = joined.findIndex((other) => join(other, zone) !== undefined);
    const both = joined[at] && join(joined[at], zone);
    if (both) joined[at] = both;
    else joined.push(zone);
  }
  return joined;
}

function join(one: Zone, other: Zone): Zone | undefined {
  if ('area' in one.reach && 'area' in other.reach) {
    const area = [...one.reach.area, ...other.reach.area];
    return countPositions(area) > MAX_AREA_POSITIONS
      ? undefined
      : { ...one, reach: { area }, size: one.size + other.size };
  }
  if ('area' in one.reach || 'area' in other.reach) return undefined;
  return one.reach.radiusMiles < other.reach.radiusMiles ? other : one;
}

function withinLimits({ notes }: RestaurantContext, zones: readonly Zone[]): Zone[] {
  let positions = 0;
  return zones.filter(({ entity, reach }, at) => {
    positions += 'area' in reach ? countPositions(reach.area) : 0;
    const fits = at < FEED_LIMITS.deliveryZones && positions <= FEED_LIMITS.deliveryPositions;
    if (!fits)
      notes.warn(
        entity.label,
        '',
        `expected at most ${FEED_LIMITS.deliveryZones} areas of ${FEED_LIMITS.deliveryPositions} positions; left out`,
      );
    return fits;
  });
}

/** Maximum distance between a circle's center and the store for the circle to count as a radius around the store. */
const SAME_PLACE_METERS = 100;
/** Corners of the polygon that replaces any other circle; its edges are no more than 0.2 % inside the circle. */
const CIRCLE_CORNERS = 64;
const CIRCLE = /^\d{1,8}(?:\.\d{1,9})?$/;
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** Where a service delivers, and the size of that area in square degrees. */
type ServiceReach = { entity: GraphEntity; reach: { radiusMiles: number } | { area: Area }; size: number };

type Place = { latitude: number; longitude: number };

/** The polygons of a ServiceArea, otherwise its circle. Unknown or invalid areas are dropped with a warning. */
function readServiceArea({ graph, notes }: RestaurantContext, entity: GraphEntity): ServiceReach[] {
  const store = entityPoint(graph.restaurant, 'latitude', 'longitude');
  const polygons = asList(entityValue(entity, 'polygon')).map(toText);
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
    return [{ entity, reach: { area }, size: outlineSize(area) }];
  }
  const meters = firstText(entity, 'geoRadius');
  if (!CIRCLE.test(meters)) return leftOut('expected a polygon, or a circle with geoRadius');
  const miles = Math.round((Number(meters) / METERS_PER_MILE) * 1000) / 1000;
  const center = entityPoint(entity, 'geoMidpointLatitude', 'geoMidpointLongitude') ?? store;
  if (miles > FEED_LIMITS.radiusMiles) return leftOut(`expected a circle of at most ${FEED_LIMITS.radiusMiles} miles`);
  const around: Area = [[circleRing(center ?? { latitude: 0, longitude: 0 }, miles, CIRCLE_CORNERS)]];
  const size = outlineSize(around);
  const isOfStore = !center || !store || metersBetween(center, store) <= SAME_PLACE_METERS;
  if (isOfStore) return [{ entity, reach: { radiusMiles: miles }, size }];
  if (areaFaults(around).length > 0 || farPosition(around, store)) return leftOut('expected a circle near the store');
  return [{ entity, reach: { area: around }, size }];
}

/** Reads texts of `latitude longitude …`, as in schema.org's GeoShape; undefined if a number is invalid. */
function readPolygons(texts: readonly string[]): Area | undefined {
  const rings = texts.map((text) => {
    const numbers = text.split(/[\s,]+/).filter((part) => part !== '');
    if (numbers.length % 2 !== 0 || !numbers.every((part) => DEGREES.test(part))) return undefined;
    const ring = numbers.flatMap((latitude, at): LongitudeLatitude[] =>
      at % 2 === 0 ? [[Number(numbers[at + 1]), Number(latitude)]] : [],
    );
    const [first, last] = [ring[0], ring.at(-1)];
    const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
    return isClosed ? ring : [...ring, ...ring.slice(0, 1)];
  });
  return rings.every((ring) => ring !== undefined) ? rings.map((ring) => [ring]) : undefined;
}

function entityPoint(entity: GraphEntity, latitudeKey: string, longitudeKey: string): Place | undefined {
  const [latitude, longitude] = [firstText(entity, latitudeKey), firstText(entity, longitudeKey)];
  if (!DEGREES.test(latitude) || !DEGREES.test(longitude)) return undefined;
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

/** Size of the outlines in square degrees, accurate enough to sort areas around one store. */
const outlineSize = (area: Area): number => area.reduce((sum, [outline = []]) => sum + measureRing(outline).area, 0);
