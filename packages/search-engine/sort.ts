import { shortestDeliveryMinutes } from './delivery.ts';
import { type Coordinate, milesOfChord } from './geography/sphere.ts';
import { type NameClass, type NameQuery, NEAR_CHORD, WHOLE_NAME_CHORD } from './name-query.ts';
import type { EngineQuery } from './query.ts';
import type { Segment } from './segment.ts';
import { NO_MINUTES, UNKNOWN_PRICE } from './store-row.ts';
import { EXACT } from './text/word-index.ts';

/** Whole minutes on the road for straight-line miles; monotonic. */
export type TravelMinutes = (miles: number) => number;

const BY_DISTANCE = 0;
const BY_RATING = 1;
const BY_PRICE = 2;
const BY_MINUTES = 3;

const WHOLE = 0;
const NEAR = 1;
const FAR = 2;

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
  readonly query: EngineQuery;
  readonly travelMinutes: TravelMinutes;
  readonly nowS: number;
  private readonly kind: number;
  private readonly door: Coordinate;
  private readonly pickup: boolean | null;

  constructor(query: EngineQuery, travelMinutes: TravelMinutes, nowS: number) {
    const { sort, pickup, latitude, longitude } = query;
    this.query = query;
    this.kind = SORT_KINDS[sort];
    this.isByDistance = this.kind === BY_DISTANCE;
    this.door = { latitude, longitude };
    this.pickup = pickup;
    this.travelMinutes = travelMinutes;
    this.nowS = nowS;
  }

  /** Returns the keys by level, for a sort with few keys that do not depend on distance; otherwise null. */
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
    const room = Math.max(0, Math.ceil(((columns.beginsAt[slot] as number) - this.nowS) / 60));
    const busy = this.nowS < (columns.busyUntil[slot] as number) ? (columns.busyMinutes[slot] as number) : 0;
    const wait = room + busy;
    const pickup = this.pickup === false ? NO_MINUTES : (columns.pickupMinutes[slot] as number);
    const delivery = this.pickup === true ? NO_MINUTES : (columns.deliveryMinutes[slot] as number);
    if (delivery === NO_MINUTES) return wait + knownMinutes(pickup);
    const atDoor = shortestDeliveryMinutes(columns.deliveries, segment.deliveryStart(slot), this.door, chordSquared);
    const prepared = atDoor === Infinity ? delivery : Math.max(delivery, atDoor);
    return wait + Math.min(knownMinutes(pickup), prepared + this.travelMinutes(milesOfChord(chordSquared)));
  }

  /** Returns a lower bound of the keys below a node. `chordSquared` is the distance to the node's box. */
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

/**
 * Sorts the stores of a name class: first stores whose name is the whole query, then stores with all words in the name,
 * each if they are near; then by distance.
 */
export class NameSort extends Sort {
  override readonly isByDistance = false;
  /** The query, and other spellings of it. */
  private readonly names: readonly NameQuery[];
  /** The query as typed, if it has fillers. A store of exactly this name comes first if it is near. */
  private readonly typed: NameQuery | null;
  private readonly nameClass: NameClass;
  private readonly hasFacts: boolean;
  private readonly ownChord: number;
  private readonly wholeChord: number;

  /** With `isTelling` a whole name counts within 25 miles, otherwise within 5. */
  constructor(
    sort: Sort,
    names: readonly NameQuery[],
    typed: NameQuery | null,
    nameClass: NameClass,
    isTelling = false,
  ) {
    super(sort.query, sort.travelMinutes, sort.nowS);
    this.names = names;
    this.typed = typed;
    this.nameClass = nameClass;
    this.hasFacts = names.some((one) => one.hasFacts);
    this.ownChord = isTelling ? NEAR_CHORD : WHOLE_NAME_CHORD;
    this.wholeChord = typed === null ? this.ownChord : NEAR_CHORD;
  }

  override keyOf(segment: Segment, slot: number, chordSquared: number): number {
    const bound = this.boundAt(chordSquared);
    if (bound === WHOLE && this.isWhole(segment, slot, chordSquared)) return WHOLE;
    return bound < FAR && (!this.hasFacts || this.isNamed(segment, slot)) ? NEAR : FAR;
  }

  override boundOf(_segment: Segment, _node: number, chordSquared: number): number {
    return this.boundAt(chordSquared);
  }

  private boundAt(chordSquared: number): number {
    if (chordSquared <= this.wholeChord && this.nameClass === EXACT) return WHOLE;
    return chordSquared <= NEAR_CHORD ? NEAR : FAR;
  }

  private isWhole(segment: Segment, slot: number, chordSquared: number): boolean {
    if (this.typed?.isWhole(segment, slot)) return true;
    if (chordSquared > this.ownChord) return false;
    for (const names of this.names) if (names.isWhole(segment, slot)) return true;
    return false;
  }

  private isNamed(segment: Segment, slot: number): boolean {
    for (const names of this.names) if (names.isNamed(segment, slot, this.nameClass)) return true;
    return false;
  }
}

const knownMinutes = (minutes: number): number => (minutes === NO_MINUTES ? Infinity : minutes);
