import { type Coordinate, milesOfChord } from '../../platform/lib/geo/sphere.ts';
import { shortestDeliveryMinutes } from './delivery.ts';
import type { EngineQuery } from './query.ts';
import type { Segment } from './segment.ts';
import { NO_MINUTES, UNKNOWN_PRICE } from './store-row.ts';

/** Whole minutes on the road for straight-line miles; monotonic. */
export type TravelMinutes = (miles: number) => number;

const BY_DISTANCE = 0;
const BY_RATING = 1;
const BY_PRICE = 2;
const BY_MINUTES = 3;

const PRICE_KEYS = Float64Array.from({ length: 8 }, (_, price) => (price === UNKNOWN_PRICE ? Infinity : price));

const SORT_KINDS = {
  relevance: BY_DISTANCE,
  distance: BY_DISTANCE,
  rating: BY_RATING,
  cheapest: BY_PRICE,
  fastest: BY_MINUTES,
};

/**
 * A store's sort key, smallest first; unknown values are Infinity. Ties go by distance, then by id. A node's bound is a
 * lower bound of its stores' keys. By relevance, stores of one match class are sorted by distance.
 */
export class Sort {
  readonly isByDistance: boolean;
  private readonly kind: number;
  private readonly door: Coordinate;
  private readonly pickup: boolean | null;
  private readonly travelMinutes: TravelMinutes;

  constructor({ sort, pickup, latitude, longitude }: EngineQuery, travelMinutes: TravelMinutes) {
    this.kind = SORT_KINDS[sort];
    this.isByDistance = this.kind === BY_DISTANCE;
    this.door = { latitude, longitude };
    this.pickup = pickup;
    this.travelMinutes = travelMinutes;
  }

  /** The keys by level, for a sort with few keys that do not depend on distance; otherwise null. */
  levelsIn(segment: Segment): Float64Array | null {
    if (this.kind === BY_RATING) return segment.ratingKeys;
    return this.kind === BY_PRICE ? PRICE_KEYS : null;
  }

  levelOf(levels: Float64Array, ratingCode: number, trait: number): number {
    return levels[this.levelNumber(ratingCode, trait)] as number;
  }

  levelNumber(ratingCode: number, trait: number): number {
    return this.kind === BY_RATING ? ratingCode : (trait >>> 5) & 7;
  }

  keyOf(segment: Segment, slot: number, chordSquared: number): number {
    const { columns } = segment;
    if (this.kind === BY_DISTANCE) return chordSquared;
    const levels = this.levelsIn(segment);
    if (levels !== null) return this.levelOf(levels, columns.rating[slot] as number, columns.traits[slot] as number);
    const pickup = this.pickup === false ? NO_MINUTES : (columns.pickupMinutes[slot] as number);
    const delivery = this.pickup === true ? NO_MINUTES : (columns.deliveryMinutes[slot] as number);
    if (delivery === NO_MINUTES) return knownMinutes(pickup);
    const atDoor = shortestDeliveryMinutes(columns.deliveries, segment.deliveryStart(slot), this.door, chordSquared);
    const prepared = atDoor === Infinity ? delivery : Math.max(delivery, atDoor);
    return Math.min(knownMinutes(pickup), prepared + this.travelMinutes(milesOfChord(chordSquared)));
  }

  /** `chordSquared` is the distance to the node's box. */
  boundOf(segment: Segment, node: number, chordSquared: number): number {
    const { columns } = segment;
    if (this.kind === BY_DISTANCE) return chordSquared;
    if (this.kind === BY_RATING) return segment.ratingKeys[columns.nodeRatings[node] as number] as number;
    if (this.kind === BY_PRICE) {
      const known = (columns.nodePrices[node] as number) & ~(1 << UNKNOWN_PRICE);
      return known === 0 ? Infinity : 31 - Math.clz32(known & -known);
    }
    const pickup = this.pickup === false ? NO_MINUTES : (columns.nodePickupMinutes[node] as number);
    const delivery = this.pickup === true ? NO_MINUTES : (columns.nodeDeliveryMinutes[node] as number);
    if (delivery === NO_MINUTES) return knownMinutes(pickup);
    return Math.min(knownMinutes(pickup), delivery + this.travelMinutes(milesOfChord(chordSquared)));
  }
}

function knownMinutes(minutes: number): number {
  return minutes === NO_MINUTES ? Infinity : minutes;
}
