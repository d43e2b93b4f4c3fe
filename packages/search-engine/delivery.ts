import type { Area, Ring } from './geography/area.ts';
import { areaContains, packAreas, packedAreasContain } from './geography/packed-areas.ts';
import { chordsToRing } from './geography/ring-chords.ts';
import { type Coordinate, chordOfMiles, milesOfChord } from './geography/sphere.ts';

/**
 * A store's delivery as numbers: largest radius in miles (or `NO_RADIUS`), squared chords `core` (delivers everywhere
 * within) and `reach` (nowhere beyond), areas (`packAreas`), and zones if their preparation differs. Stores with equal
 * numbers share one entry.
 */
const CORE = 1;
const REACH = 2;
const ZONES_AT = 3;
const AREAS = 4;

export const NO_RADIUS = -1;
/** Reach of a store without delivery, less than every squared chord. */
export const NO_REACH = -1;
export const NO_DELIVERY = Float64Array.of(NO_RADIUS, 0, NO_REACH, 0, 0);

/** Slack for rounding of chords and miles: a share of a squared chord, plus a constant for stores at the address. */
const CHORD_SLACK = 3e-7;
const MIN_CHORD_SLACK = 1e-14;

export type Zone = { reach: { radiusMiles: number } | { area: Area }; minutes: number };
/** Who delivers: the store, a marketplace or a courier. All zones decide where, zones of accepting ones how soon. */
export type Party = { isAccepting: boolean; zones: readonly Zone[] };

export function packDelivery(store: Coordinate, parties: readonly Party[]): Float64Array {
  let radius = NO_RADIUS;
  const area: (readonly Ring[])[] = [];
  for (const { reach } of parties.flatMap(({ zones }) => zones)) {
    if ('area' in reach) area.push(...reach.area);
    else radius = Math.max(radius, reach.radiusMiles);
  }
  const accepting = parties.filter(({ isAccepting }) => isAccepting);
  const minutes = new Set(accepting.flatMap(({ zones }) => zones.map((zone) => zone.minutes)));
  const limit = radius === NO_RADIUS ? 0 : chordOfMiles(radius);
  const [core, reach] = area.length === 0 ? [limit, limit] : coreAndReach(store, area, limit);
  const areas = packAreas([area]);
  const zones = minutes.size > 1 ? packZones(accepting) : [];
  const zonesAt = zones.length > 0 ? AREAS + areas.length : 0;
  return Float64Array.of(radius, core - slackOf(core), reach + slackOf(reach), zonesAt, ...areas, ...zones);
}

export const reachOf = (deliveries: Float64Array, start: number): number => deliveries[start + REACH] as number;

/** Whether a store delivers to an address at this squared chord, exactly as its quote decides. */
export function deliversTo(deliveries: Float64Array, start: number, door: Coordinate, chordSquared: number): boolean {
  if (chordSquared > (deliveries[start + REACH] as number)) return false;
  if (chordSquared < (deliveries[start + CORE] as number)) return true;
  const radius = deliveries[start] as number;
  if (radius !== NO_RADIUS && milesOfChord(chordSquared) <= radius) return true;
  return packedAreasContain(deliveries, start + AREAS, door.longitude, door.latitude);
}

/**
 * Returns the shortest delivery time over the zones that contain the address, one zone per party; Infinity if there is
 * none or all zones are alike.
 */
export function shortestDeliveryMinutes(
  deliveries: Float64Array,
  start: number,
  door: Coordinate,
  chordSquared: number,
): number {
  const zonesAt = deliveries[start + ZONES_AT] as number;
  if (zonesAt === 0) return Infinity;
  const miles = milesOfChord(chordSquared);
  let fewest = Infinity;
  let at = start + zonesAt + 1;
  for (let party = deliveries[start + zonesAt] as number; party > 0; party -= 1) {
    let isFound = false;
    const zones = deliveries[at] as number;
    at += 1;
    for (let zone = 0; zone < zones; zone += 1) {
      const [minutes, radius, length] = [deliveries[at], deliveries[at + 1], deliveries[at + 2]] as [
        number,
        number,
        number,
      ];
      at += 3;
      const holds = isFound
        ? false
        : length === 0
          ? miles <= radius
          : packedAreasContain(deliveries, at, door.longitude, door.latitude);
      at += length;
      if (!holds) continue;
      isFound = true;
      fewest = Math.min(fewest, minutes);
    }
  }
  return fewest;
}

/**
 * Packs the number of parties; per party its number of zones; per zone its minutes, radius and packed area's length.
 */
function packZones(parties: readonly Party[]): number[] {
  const packed = [parties.length];
  for (const { zones } of parties) {
    packed.push(zones.length);
    for (const { reach, minutes } of zones) {
      const area = 'area' in reach ? packAreas([reach.area]) : [];
      packed.push(minutes, 'area' in reach ? NO_RADIUS : reach.radiusMiles, area.length, ...area);
    }
  }
  return packed;
}

/** Computes core and reach. The core is `limit` or, if farther, the nearest edge of a polygon around the store. */
function coreAndReach(store: Coordinate, area: Area, limit: number): [core: number, reach: number] {
  let [core, reach] = [limit, limit];
  for (const rings of area) {
    const chords = rings.map((ring) => chordsToRing(store, ring));
    reach = Math.max(reach, chords[0]?.farthest ?? 0);
    const nearest = Math.min(...chords.map((chord) => chord.nearest));
    if (areaContains([rings], store.longitude, store.latitude)) core = Math.max(core, nearest);
  }
  return [core, reach];
}

/** Returns an upper bound of the rounding errors of a chord and its miles. */
const slackOf = (chord: number): number => chord * CHORD_SLACK + MIN_CHORD_SLACK;
