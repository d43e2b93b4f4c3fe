import { type Area, MAX_AREA_POSITIONS } from '../../lib/geo/area.ts';
import { FEED_LIMITS } from '../feed/feed-limits.ts';
import { areaFeeOf, type ServiceFee } from './fee-value.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import { readServiceArea, type ServiceReach } from './service-area.ts';
import type { StoreContext } from './store-context.ts';
import type { GraphEntity } from './store-graph.ts';

/** A delivery service, with its minutes where it is one of several. */
type DeliveryService = { service: GraphEntity; minutes: object };
type Zone = ServiceReach & { terms: object };

/**
 * Where a store delivers, in the fields of its line: the areas of its delivery services, smallest first, so that the fee of
 * a small area counts within a large one. Without a known area the feed's default holds.
 */
export function deliveryZonesOf(
  context: StoreContext,
  services: readonly DeliveryService[],
  fees: readonly ServiceFee[],
): object {
  const zones = checkedAreas(context, services).flatMap(({ service, minutes, area }): Zone[] => {
    const terms = { ...areaFeeOf(context, fees, { service, area }), ...minutes };
    return readServiceArea(context, area).map((reach) => ({ ...reach, terms }));
  });
  const kept = withinLimits(
    context,
    joinEqual(zones).toSorted((a, b) => a.size - b.size),
  );
  const [only, ...others] = kept;
  if (!only) return {};
  if (others.length === 0 && Object.keys(only.terms).length === 0) return reachFields(only);
  return { zones: kept.map((zone) => context.notes.from(zone.entity.label, { ...reachFields(zone), ...zone.terms })) };
}

/** The areas of all services, up to the limit; the others are left out with one warning. */
function checkedAreas({ graph, notes }: StoreContext, services: readonly DeliveryService[]) {
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
 * Where all zones have the same terms, their widest circle is enough, and their polygons are one area while it has room.
 * Zones of different terms stay apart: the smaller of two that hold a door decides.
 */
function joinEqual(zones: readonly Zone[]): readonly Zone[] {
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
    return positionsOf(area) > MAX_AREA_POSITIONS
      ? undefined
      : { ...one, reach: { area }, size: one.size + other.size };
  }
  if ('area' in one.reach || 'area' in other.reach) return undefined;
  return one.reach.radiusMiles < other.reach.radiusMiles ? other : one;
}

/** The zones that a line may have; each further zone is left out with a warning. */
function withinLimits({ notes }: StoreContext, zones: readonly Zone[]): Zone[] {
  let positions = 0;
  return zones.filter(({ entity, reach }, at) => {
    positions += 'area' in reach ? positionsOf(reach.area) : 0;
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

function positionsOf(area: Area): number {
  return area.flat().reduce((sum, ring) => sum + ring.length, 0);
}
