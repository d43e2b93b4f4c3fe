import { deliversTo } from './delivery.ts';
import { type Coordinate, chordOfMiles, type UnitVector, unitVectorAt } from './geography/sphere.ts';
import type { OpeningHours } from './opening-hours.ts';
import { listHas } from './posting-lists.ts';
import { type EngineQuery, foldCuisine, type OfferScope, type Viewport } from './query.ts';
import type { Segment } from './segment.ts';
import {
  DELIVERY,
  DELIVERY_ORDERS,
  GROCERY,
  KINDS,
  OFFER,
  PICKUP,
  PICKUP_ORDERS,
  SANDBOX,
  SELLER,
  typeAndCountryOf,
} from './store-row.ts';
import { ACCOUNT, KIND, NO_TERM, type Term } from './term-dictionary.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * A range of distances and an opening state: squared chords greater than `beyond` and up to `upTo`; `isOpen` is null
 * for open and closed stores.
 */
export type Band = { beyond: number; upTo: number; isOpen: boolean | null };
export const ANYWHERE: Band = { beyond: -1, upTo: Infinity, isOpen: null };

const ANY_PRICE = 0xff;
/** Added to a radius, so that rounding never drops a store exactly at the radius. */
const RADIUS_SLACK_MILES = 1e-9;

/** A query's conditions on a store except its name, prepared for tests of nodes and slots. */
export class Filter {
  readonly from: UnitVector;
  readonly door: Coordinate;
  /** Squared chords of the radius and of the distance that stores must lie beyond; -1 for none. */
  readonly farthest: number;
  readonly beyond: number;
  /** Accepted kinds of stores, and accepted price levels, as bits. */
  readonly kinds: number;
  readonly prices: number;
  readonly minimumRating: number | null;
  readonly viewport: Viewport | null;
  readonly delivers: boolean;
  readonly accepting: boolean;
  /** Bits of `traits`: a store that takes orders meets at least one of `orderModes` and all of `orderNeeds`. */
  private readonly orderModes: number;
  private readonly orderNeeds: number;
  /** Whether stores must be open or closed; null for either. */
  readonly isOpen: boolean | null;
  readonly nowS: number;
  readonly hours: OpeningHours;
  /** Kind terms; a store must match one of each list: cuisine, store type, and offer. */
  private readonly kindTerms: readonly (readonly Term[])[];
  /** Further stores that have an offer, and the term of those with their own; null without a scope of offers. */
  readonly offers: { isIn(segment: Segment, slot: number): boolean; own: readonly Term[] } | null;
  /** The account whose sandbox places are shown; undefined if there is none. */
  readonly account: Term | undefined;

  constructor(
    query: EngineQuery,
    nowS: number,
    hours: OpeningHours,
    vocabulary: Vocabulary,
    liveNeeds: number,
    band: Band = ANYWHERE,
  ) {
    const { latitude, longitude, maximumMiles, cuisine, storeType, sandbox, dollarSigns } = query;
    this.from = unitVectorAt(latitude, longitude);
    this.door = { latitude, longitude };
    const radius = maximumMiles === null ? Infinity : chordOfMiles(maximumMiles + RADIUS_SLACK_MILES);
    this.farthest = Math.min(radius, band.upTo);
    this.beyond = band.beyond;
    this.account = sandbox === null ? undefined : vocabulary.find(ACCOUNT, sandbox);
    this.kinds = wantedKinds(query, this.account !== undefined);
    this.prices = dollarSigns === null ? ANY_PRICE : 1 << dollarSigns;
    this.minimumRating = query.minimumRating;
    this.viewport = query.viewport;
    this.delivers = query.deliversHere;
    this.accepting = query.accepting;
    const isDelivery = query.pickup === false || (query.pickup === null && query.deliversHere);
    this.orderModes = (isDelivery ? 0 : PICKUP_ORDERS) | (query.pickup ? 0 : DELIVERY_ORDERS);
    this.orderNeeds = sandbox === null ? liveNeeds : 0;
    this.isOpen = query.open || band.isOpen;
    this.nowS = nowS;
    this.hours = hours;
    const types = storeType === null ? ['restaurant', 'grocery'] : [storeType];
    const kindsOfTypes = types.map((type) => `${type} ${foldCuisine(cuisine ?? '')}`);
    const termsOf = (kinds: readonly string[]) => kinds.flatMap((kind) => vocabulary.find(KIND, kind) ?? []);
    const kinds = [...(cuisine === null ? [] : [kindsOfTypes]), ...(query.hasOffer === true ? [[OFFER]] : [])];
    this.kindTerms = kinds.map(termsOf);
    this.offers = typeof query.hasOffer === 'object' ? { isIn: inScope(query.hasOffer), own: termsOf([OFFER]) } : null;
  }

  /** Whether kind and price level are accepted. */
  acceptsTrait(trait: number): boolean {
    return ((this.kinds >>> (trait & 31)) & 1) !== 0 && ((this.prices >>> ((trait >>> 5) & 7)) & 1) !== 0;
  }

  /** Whether the store exists for the caller: a sandbox place exists only for accounts that added it. */
  isShown({ columns, terms, postings }: Segment, slot: number): boolean {
    if (((columns.traits[slot] as number) & SANDBOX) === 0) return true;
    const account = this.account === undefined ? NO_TERM : terms.find(this.account);
    return account !== NO_TERM && listHas(postings.of(account), slot);
  }

  /** Whether the store takes an order now, as its quote would say. */
  acceptsOrders(segment: Segment, slot: number, chordSquared: number): boolean {
    const { columns } = segment;
    const trait = columns.traits[slot] as number;
    if ((trait & this.orderNeeds) !== this.orderNeeds) return false;
    const modes = trait & this.orderModes;
    const isOpenBy = (schedule: number | undefined) => this.hours.isOpenBy(segment, schedule as number, this.nowS);
    if ((modes & PICKUP_ORDERS) !== 0 && isOpenBy(columns.pickupOrders[slot])) return true;
    if ((modes & DELIVERY_ORDERS) === 0 || !isOpenBy(columns.deliveryOrders[slot])) return false;
    if (!this.delivers) return true;
    const start = columns.deliveryStarts[columns.acceptingDelivery[slot] as number] as number;
    return deliversTo(columns.deliveries, start, this.door, chordSquared);
  }

  /** Returns the filter for one segment. `named` are the slots that match a text; null without a text. */
  in(segment: Segment, named: Uint32Array | null): SegmentFilter {
    const lists = this.kindTerms.map((terms) => termSlots(segment, terms));
    const offers = this.offers && termSlots(segment, this.offers.own);
    return new SegmentFilter(this, segment, { lists: named === null ? lists : [named, ...lists], offers });
  }
}

function termSlots({ terms, postings }: Segment, wanted: readonly Term[]): Uint32Array {
  const known = wanted.map((term) => terms.find(term)).filter((term) => term !== NO_TERM);
  return postings.union(known.map((term) => postings.of(term)));
}

function inScope(scopes: readonly OfferScope[]) {
  const conditions = scopes.map(({ storeIds, ...scope }) => ({ ...scope, named: storeIds && new Set(storeIds) }));
  return ({ columns, ids }: Segment, slot: number): boolean => {
    const store = typeAndCountryOf(columns.traits[slot] as number);
    return conditions.some(
      ({ type = store.type, country = store.country, named }) =>
        type === store.type && country === store.country && named?.has(ids.at(slot)) !== false,
    );
  };
}

function wantedKinds({ storeType, pickup, sellersOnly }: EngineQuery, hasSandbox: boolean): number {
  const mode = pickup === null ? 0 : pickup ? PICKUP : DELIVERY;
  const mask = mode | (storeType === null ? 0 : GROCERY) | (hasSandbox ? 0 : SANDBOX) | (sellersOnly ? SELLER : 0);
  const wanted = mode | (storeType === 'grocery' ? GROCERY : 0) | (sellersOnly ? SELLER : 0);
  let kinds = 0;
  for (let kind = 0; kind < KINDS; kind += 1) if ((kind & mask) === wanted) kinds |= 1 << kind;
  return kinds;
}

/** A filter prepared for one segment, with the segment's slots and codes. */
export class SegmentFilter {
  /** The lowest accepted rating code. */
  readonly ratingCode: number;
  /** The shortest list with all slots that can be accepted; null if every slot can be. */
  readonly slots: Uint32Array | null;
  /** Whether `accepts` has conditions. */
  readonly hasMore: boolean;
  readonly segment: Segment;
  private readonly filter: Filter;
  /** Other lists that contain every accepted slot. */
  private readonly lists: readonly Uint32Array[];
  /** Slots with an offer of their own; null without a scope of offers. */
  private readonly offers: Uint32Array | null;

  constructor(
    filter: Filter,
    segment: Segment,
    { lists, offers }: { lists: Uint32Array[]; offers: Uint32Array | null },
  ) {
    this.filter = filter;
    this.segment = segment;
    this.ratingCode = filter.minimumRating === null ? 0 : segment.ratingCode(filter.minimumRating);
    [this.slots = null, ...this.lists] = lists.sort((a, b) => a.length - b.length);
    this.offers = offers;
    const { viewport, isOpen, delivers, accepting, account } = filter;
    const isLimited = viewport !== null || isOpen !== null || offers !== null;
    this.hasMore = isLimited || delivers || accepting || account !== undefined || this.lists.length > 0;
  }

  /** Whether any store below the node may pass the filter. */
  mayHold(node: number): boolean {
    const { columns } = this.segment;
    const { kinds, prices, viewport } = this.filter;
    if (((columns.nodeKinds[node] as number) & kinds) === 0) return false;
    if (((columns.nodePrices[node] as number) & prices) === 0) return false;
    if ((columns.nodeRatings[node] as number) < this.ratingCode) return false;
    return viewport === null || touches(viewport, columns.bounds, node * 4);
  }

  /** Whether the node's limits show that all of its stores are accepted. */
  acceptsAll(node: number): boolean {
    const { nodeKinds, nodePrices } = this.segment.columns;
    const { kinds, prices } = this.filter;
    if (this.hasMore || this.ratingCode > 0) return false;
    return ((nodeKinds[node] as number) & ~kinds) === 0 && ((nodePrices[node] as number) & ~prices) === 0;
  }

  /** Whether kind, price level and rating are accepted. */
  acceptsTraits(slot: number): boolean {
    const { traits, rating } = this.segment.columns;
    return this.filter.acceptsTrait(traits[slot] as number) && (rating[slot] as number) >= this.ratingCode;
  }

  /** Tests the remaining conditions, last, on a store that passed all others. */
  accepts(slot: number, chordSquared: number): boolean {
    const { filter, segment } = this;
    const { columns } = segment;
    for (const list of this.lists) if (!listHas(list, slot)) return false;
    if (this.offers && !listHas(this.offers, slot) && !filter.offers?.isIn(segment, slot)) return false;
    if (!filter.isShown(segment, slot)) return false;
    if (filter.viewport !== null && !isInside(filter.viewport, columns.degrees, slot)) return false;
    if (filter.isOpen !== null && filter.hours.isOpen(segment, slot, filter.nowS) !== filter.isOpen) return false;
    if (filter.accepting && !filter.acceptsOrders(segment, slot, chordSquared)) return false;
    if (!filter.delivers) return true;
    return deliversTo(columns.deliveries, segment.deliveryStart(slot), filter.door, chordSquared);
  }
}

function isInside({ south, north, west, east }: Viewport, degrees: Float64Array, slot: number): boolean {
  const [latitude, longitude] = [degrees[slot * 2] as number, degrees[slot * 2 + 1] as number];
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

function touches(viewport: Viewport, bounds: Float64Array, at: number): boolean {
  if ((bounds[at] as number) > viewport.north || (bounds[at + 1] as number) < viewport.south) return false;
  const isWestOfEast = (bounds[at + 2] as number) <= viewport.east;
  const isEastOfWest = (bounds[at + 3] as number) >= viewport.west;
  return viewport.west <= viewport.east ? isWestOfEast && isEastOfWest : isWestOfEast || isEastOfWest;
}
