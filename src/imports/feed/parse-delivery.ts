import type { PartyFees } from '../../stores/fees.ts';
import type { DeliveryOffer, DeliveryParty, DeliveryZone, PickupOffer, Reach } from '../../stores/store.ts';
import { DEFAULT_RADIUS_MILES, NO_OFFER, plainParty, plainZone } from '../../stores/store-defaults.ts';
import {
  type FeedObject,
  faultAt,
  given,
  MISSING,
  readCents,
  readChoice,
  readFlag,
  readNumber,
  readObject,
  readObjects,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { type AreaStore, readArea } from './parse-area.ts';
import { readDeliveryFee, readServiceFee, readSmallOrderFee } from './parse-fees.ts';

const PARTIES = ['first', 'third', 'courier'] as const;
/** The three ways to say where a party delivers, of which one counts. */
const REACHES = ['radius_miles', 'area', 'zones'] as const;

/** The offer of one mode: a described mode is offered unless it says otherwise, an absent mode is not offered. */
export function readOffer(offer: FeedObject | undefined): PickupOffer {
  if (!offer) return NO_OFFER;
  return {
    enabled: readFlag(offer, 'enabled', true),
    accepting: readFlag(offer, 'accepting', true),
    prepMinutes: readPrepMinutes(offer) ?? NO_OFFER.prepMinutes,
  };
}

/** Delivery with its parties. A party that does not say where it delivers does so where `delivery` itself says. */
export function readDelivery(
  from: FeedObject,
  { latitude, longitude }: Pick<AreaStore, 'latitude' | 'longitude'>,
): DeliveryOffer {
  const delivery = readObject(from, 'delivery');
  if (!delivery) return { ...NO_OFFER, parties: [plainParty()] };
  const store: AreaStore = { latitude, longitude, positionsLeft: FEED_LIMITS.deliveryPositions };
  const parties = readParties(delivery, store);
  if (store.positionsLeft < 0 || countPositions(parties) > FEED_LIMITS.deliveryPositions) {
    faultAt(from, 'delivery', `expected at most ${FEED_LIMITS.deliveryPositions} positions in all areas together`);
  }
  return { ...readOffer(delivery), parties };
}

function readParties(delivery: FeedObject, store: AreaStore): DeliveryParty[] {
  const zones = readZones(delivery, store) ?? [plainZone({ radiusMiles: DEFAULT_RADIUS_MILES })];
  const party = readChoice(delivery, 'party', PARTIES);
  if (given(delivery, 'parties') === undefined) return [{ ...plainParty(party), zones }];
  if (party !== undefined) faultAt(delivery, 'party', 'expected only without parties');
  if (isEmptyList(delivery, 'parties')) faultAt(delivery, 'parties', 'expected at least one party');
  return readObjects(delivery, 'parties', FEED_LIMITS.deliveryParties).map((one) => readParty(one, store, zones));
}

function readParty(from: FeedObject, store: AreaStore, zones: readonly DeliveryZone[]): DeliveryParty {
  if (given(from, 'party') === undefined) faultAt(from, 'party', MISSING);
  return {
    party: readChoice(from, 'party', PARTIES) ?? 'first',
    accepting: readFlag(from, 'accepting', true),
    zones: readZones(from, store) ?? zones,
    fees: readPartyFees(from),
    prepMinutes: readPrepMinutes(from) ?? null,
  };
}

/** Where `delivery` or a party delivers; undefined where it does not say. */
function readZones(from: FeedObject, store: AreaStore): readonly DeliveryZone[] | undefined {
  const [first, second] = REACHES.filter((key) => given(from, key) !== undefined);
  if (second !== undefined) faultAt(from, second, `expected one of ${REACHES.join(', ')}`);
  if (first === undefined) return undefined;
  if (first !== 'zones') return [plainZone(readReach(from, store))];
  if (isEmptyList(from, 'zones')) faultAt(from, 'zones', 'expected at least one zone');
  return readObjects(from, 'zones', FEED_LIMITS.deliveryZones).map((zone) => readZone(zone, store));
}

function isEmptyList(from: FeedObject, key: string): boolean {
  const value = given(from, key);
  return Array.isArray(value) && value.length === 0;
}

function readZone(from: FeedObject, store: AreaStore): DeliveryZone {
  const isBoth = given(from, 'area') !== undefined && given(from, 'radius_miles') !== undefined;
  const isNeither = given(from, 'area') === undefined && given(from, 'radius_miles') === undefined;
  if (isBoth || isNeither) faultAt(from, 'area', 'expected area or radius_miles, and not both');
  const fee = readObject(from, 'delivery_fee');
  return {
    reach: readReach(from, store),
    deliveryFee: fee ? readDeliveryFee(fee) : null,
    orderMinimumCents: readCents(from, 'order_minimum') ?? null,
    prepMinutes: readPrepMinutes(from) ?? null,
  };
}

/** The area, else the radius; meaningless where the report has a fault of it. */
function readReach(from: FeedObject, store: AreaStore): Reach {
  const area = readArea(from, 'area', store);
  if (area) return { area };
  return {
    radiusMiles: readNumber(from, 'radius_miles', { min: 0, max: FEED_LIMITS.radiusMiles }) ?? DEFAULT_RADIUS_MILES,
  };
}

function readPartyFees(from: FeedObject): PartyFees | null {
  const fees = readObject(from, 'fees');
  if (!fees) return null;
  const read = <T>(key: string, reader: (fee: FeedObject) => T): T | null => {
    const fee = readObject(fees, key);
    return fee ? reader(fee) : null;
  };
  return {
    deliveryFee: read('delivery_fee', readDeliveryFee),
    serviceFee: read('service_fee', readServiceFee),
    smallOrderFee: read('small_order_fee', readSmallOrderFee),
    orderMinimumCents: readCents(fees, 'order_minimum') ?? null,
  };
}

function readPrepMinutes(offer: FeedObject): readonly [number, number] | undefined {
  const value = given(offer, 'prep_minutes');
  if (value === undefined) return undefined;
  const [min, max]: readonly unknown[] = Array.isArray(value) && value.length === 2 ? value : [];
  if (isMinutes(min) && isMinutes(max) && min <= max && max <= FEED_LIMITS.prepMinutes) return [min, max];
  faultAt(offer, 'prep_minutes', 'expected the least and the most minutes, two whole numbers');
  return undefined;
}

function isMinutes(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function countPositions(parties: readonly DeliveryParty[]): number {
  const areas = parties.flatMap(({ zones }) => zones.flatMap(({ reach }) => ('area' in reach ? reach.area : [])));
  return areas.flat().reduce((sum, ring) => sum + ring.length, 0);
}
