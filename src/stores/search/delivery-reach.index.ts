import { grownFloat64 } from '../../lib/columns/grow.ts';
import { createNumberStore, NO_ADDRESS } from '../../lib/columns/number-store.ts';
import { type Area, areaHolds, type Ring } from '../../lib/geo/area.ts';
import { packAreas, packedAreasHold } from '../../lib/geo/packed-areas.ts';
import { chordsToRing } from '../../lib/geo/ring-chords.ts';
import { chordOfMiles, milesBetween } from '../../lib/geo/sphere.ts';
import type { Store } from '../store.ts';
import { hasOnePreparation, preparationAtDoor } from '../zone-at-door.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { type DeliveryRange, NO_REACH } from './spatial-tree.ts';
import type { Coordinate } from './store-query.ts';

type Delivering = Pick<Store, 'latitude' | 'longitude' | 'delivery'>;

/**
 * Where each store delivers: all zones of all its parties, whether or not a party accepts orders now. The largest radius
 * stands for all radii of a store, and its areas lie packed in one array.
 */
export type DeliveryReach = {
  set(ordinal: number, store: Delivering): DeliveryRange;
  /** What all stores with this offer share, wherever they are; null for an offer with an area or several preparations. */
  radiusOf(offer: Store['delivery']): RadiusOnly | null;
  /** Sets new stores without an area, whose ordinals follow each other, by their largest radii in miles. */
  placeAll(first: number, radii: Float64Array): void;
  /** Makes room for so many stores in all. */
  reserve(stores: number): void;
  clear(ordinal: number): void;
  /** The shortest preparation at the door of a store whose zones differ in it; undefined for any other. */
  preparationAt(door: Coordinate): (ordinal: number) => readonly [number, number] | undefined;
  /** Returns whether a store delivers to the door, exactly as its quote tells. */
  deliversTo(door: Coordinate): (ordinal: number) => boolean;
  /** Memory of the areas. */
  readonly reservedBytes: number;
};

/** The largest radius in miles, and what it means around a store. */
export type RadiusOnly = { radius: number; range: DeliveryRange };

/** A share of a squared chord, over the roundings of single precision, and a number for stores at the door. */
const CHORD_SLACK = 3e-7;
const MIN_CHORD_SLACK = 1e-14;

/** A store without a radius. */
export const NO_RADIUS = -1;

export function createDeliveryReach(spatial: SpatialIndex): DeliveryReach {
  /** By ordinal, for a store with an area: its largest radius in miles, and its areas packed. */
  const areas = createNumberStore();
  /** By ordinal, for a store whose zones differ in preparation. */
  const zoned = new Map<number, Delivering>();
  /** By ordinal, for any other store: the largest radius in miles. */
  let radii = new Float64Array(1024);

  function isWithin(radius: number, ordinal: number, door: Coordinate): boolean {
    if (radius === NO_RADIUS) return false;
    const [latitude, longitude] = [spatial.latitudes[ordinal] as number, spatial.longitudes[ordinal] as number];
    return milesBetween({ latitude, longitude }, door) <= radius;
  }

  function makeRoom(stores: number): void {
    if (stores > radii.length) radii = grownFloat64(radii, stores);
  }

  function place(ordinal: number, { radius }: RadiusOnly): void {
    makeRoom(ordinal + 1);
    areas.clear(ordinal);
    zoned.delete(ordinal);
    radii[ordinal] = radius;
  }

  return {
    set(ordinal, store) {
      const only = radiusOnly(store.delivery);
      if (only !== null) {
        place(ordinal, only);
        return only.range;
      }
      if (hasOnePreparation(store.delivery)) zoned.delete(ordinal);
      else zoned.set(ordinal, { latitude: store.latitude, longitude: store.longitude, delivery: store.delivery });
      const { radius, area } = reachOf(store.delivery);
      areas.set(ordinal, Float64Array.of(radius, ...packAreas([area])));
      return rangeOf(store, area, radius);
    },
    radiusOf: radiusOnly,
    placeAll(first, own) {
      makeRoom(first + own.length);
      radii.set(own, first);
    },
    reserve: makeRoom,
    clear(ordinal) {
      areas.clear(ordinal);
      zoned.delete(ordinal);
    },
    preparationAt(door) {
      return (ordinal) => {
        const store = zoned.size === 0 ? undefined : zoned.get(ordinal);
        return store && preparationAtDoor(store.delivery, door, milesBetween(store, door));
      };
    },
    deliversTo(door) {
      return (ordinal) => {
        const address = areas.addressOf(ordinal);
        if (address === NO_ADDRESS) return isWithin(radii[ordinal] as number, ordinal, door);
        const [slab, offset] = [areas.slabAt(address), areas.offsetAt(address)];
        if (isWithin(slab[offset] as number, ordinal, door)) return true;
        return packedAreasHold(slab, offset + 1, door.longitude, door.latitude);
      };
    },
    get reservedBytes() {
      return areas.reservedBytes;
    },
  };
}

/** The largest radius and all areas of the zones of all parties. */
function reachOf({ parties }: Store['delivery']): { radius: number; area: Area } {
  let radius = NO_RADIUS;
  const area: (readonly Ring[])[] = [];
  for (const { reach } of parties.flatMap(({ zones }) => zones)) {
    if ('area' in reach) area.push(...reach.area);
    else radius = Math.max(radius, reach.radiusMiles);
  }
  return { radius, area };
}

function radiusOnly(offer: Store['delivery']): RadiusOnly | null {
  if (!offer.enabled) return { radius: NO_RADIUS, range: { core: 0, reach: NO_REACH } };
  const { radius, area } = reachOf(offer);
  return area.length > 0 || !hasOnePreparation(offer) ? null : { radius, range: radiusRange(radius) };
}

function radiusRange(radius: number): DeliveryRange {
  const limit = radius === NO_RADIUS ? 0 : chordOfMiles(radius);
  return { core: limit - slackOf(limit), reach: limit + slackOf(limit) };
}

/** Around a store in a polygon the core ends at the nearest edge; a store outside of it has no core of that polygon. */
function rangeOf(store: Delivering, area: Area, radius: number): DeliveryRange {
  const limit = radius === NO_RADIUS ? 0 : chordOfMiles(radius);
  let [core, reach] = [limit, limit];
  for (const rings of area) {
    const chords = rings.map((ring) => chordsToRing(store, ring));
    reach = Math.max(reach, chords[0]?.farthest ?? 0);
    const nearest = Math.min(...chords.map((chord) => chord.nearest));
    if (areaHolds([rings], store.longitude, store.latitude)) core = Math.max(core, nearest);
  }
  return { core: core - slackOf(core), reach: reach + slackOf(reach) };
}

/** A bound of the rounding errors of a chord and of its miles. */
function slackOf(chord: number): number {
  return chord * CHORD_SLACK + MIN_CHORD_SLACK;
}
