import { grownFloat64 } from '../../lib/columns/grow.ts';
import { createNumberStore } from '../../lib/columns/number-store.ts';
import type { Area, Ring } from '../../lib/geo/area.ts';
import { farthestChordToRing } from '../../lib/geo/farthest-chord.ts';
import { packAreas, packedAreasHold } from '../../lib/geo/packed-areas.ts';
import { chordOfMiles, milesBetween, unitVectorAt } from '../../lib/geo/sphere.ts';
import type { Store } from '../store.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { NO_REACH } from './spatial-tree.ts';
import type { Coordinate } from './store-query.ts';
import { chordTo } from './walk-tree.ts';

type Delivering = Pick<Store, 'latitude' | 'longitude' | 'delivery'>;

/**
 * Where each store delivers: all zones of all its parties, whether or not a party accepts orders now. The largest radius
 * stands for all radii of a store, and its areas lie packed in one array.
 */
export type DeliveryReach = {
  /** Returns the squared chord beyond which the store does not deliver; NO_REACH where it does not deliver. */
  set(ordinal: number, store: Delivering): number;
  clear(ordinal: number): void;
  /** Returns whether a store delivers to the door, exactly as its quote tells. */
  deliversTo(door: Coordinate): (ordinal: number) => boolean;
  /** Memory of the areas. */
  readonly reservedBytes: number;
};

/** A share of a squared chord, and a number for stores at the door. */
const CHORD_SLACK = 1e-9;
const MIN_CHORD_SLACK = 1e-14;

/** A store without a radius. */
const NO_RADIUS = -1;

export function createDeliveryReach(spatial: SpatialIndex): DeliveryReach {
  const areas = createNumberStore();
  /** By ordinal: the largest radius in miles. */
  let radii = new Float64Array(1024);

  /** The chord decides but for a store that is as far off as its radius, where the miles of the quote do. */
  function isInRadius(ordinal: number, chord: number, door: Coordinate): boolean {
    const radius = radii[ordinal] as number;
    if (radius === NO_RADIUS) return false;
    const limit = chordOfMiles(radius);
    if (Math.abs(chord - limit) > slackOf(limit)) return chord < limit;
    const [latitude, longitude] = [spatial.latitudes[ordinal] as number, spatial.longitudes[ordinal] as number];
    return milesBetween({ latitude, longitude }, door) <= radius;
  }

  return {
    set(ordinal, store) {
      if (ordinal >= radii.length) radii = grownFloat64(radii, ordinal + 1);
      areas.clear(ordinal);
      radii[ordinal] = NO_RADIUS;
      if (!store.delivery.enabled) return NO_REACH;
      const { radius, area } = reachOf(store.delivery);
      radii[ordinal] = radius;
      if (area.length > 0) areas.set(ordinal, packAreas([area]));
      const outlines = area.map(([outline = []]) => farthestChordToRing(store, outline));
      const chord = Math.max(...outlines, radius === NO_RADIUS ? 0 : chordOfMiles(radius));
      return chord + slackOf(chord);
    },
    clear(ordinal) {
      areas.clear(ordinal);
    },
    deliversTo(door) {
      const from = unitVectorAt(door.latitude, door.longitude);
      return (ordinal) => {
        const chord = chordTo(spatial, ordinal, from);
        if (chord > spatial.reachOf(ordinal)) return false;
        if (isInRadius(ordinal, chord, door)) return true;
        if (!areas.has(ordinal)) return false;
        return packedAreasHold(areas.slabOf(ordinal), areas.offsetOf(ordinal), door.longitude, door.latitude);
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

/** What roundings of a chord and of its miles are smaller than. */
function slackOf(chord: number): number {
  return chord * CHORD_SLACK + MIN_CHORD_SLACK;
}
