import assert from 'node:assert/strict';
import type { Area } from '../../src/platform/lib/geo/area.ts';
import type { Viewport } from '../../src/search/engine/query.ts';
import { ANY_STORE, type StoreQuery } from '../../src/search/stores/store-query.ts';
import type { WeeklyHours } from '../../src/supply/stores/hours.ts';
import type { Opening } from '../../src/supply/stores/open-state.ts';
import type { Schedule } from '../../src/supply/stores/schedule.ts';
import { type DeliveryZone, plainParty, type Store } from '../../src/supply/stores/store.ts';
import type { StoreElement } from '../../src/supply/stores/store-element.ts';
import { type ExactArea, exactArea } from './exact-area.ts';

/** Store search by plain loops over all stores, as the index's oracle. Shares no code with it. */

const OPEN_FROM_S = 1000;

/** Simplified hours: known hours open from a moment on, unknown ones never. */
export function openAtOf({ week }: Pick<Schedule, 'week'>): (epochS: number) => Opening {
  const never = { changesAtS: Infinity, untilS: Infinity };
  if (week === null) return () => ({ open: false, because: 'unknown_hours', ...never });
  return (epochS) =>
    epochS < OPEN_FROM_S
      ? { open: false, because: 'hours', changesAtS: OPEN_FROM_S, untilS: OPEN_FROM_S }
      : { open: true, because: null, ...never };
}

const EVERY_DAY: WeeklyHours = [[], [], [], [], [], [], []];
const CLOSED_WEEK = {
  Monday: 'Closed',
  Tuesday: 'Closed',
  Wednesday: 'Closed',
  Thursday: 'Closed',
  Friday: 'Closed',
  Saturday: 'Closed',
  Sunday: 'Closed',
};

export function storeOf(storeId: string, changes: Partial<Store> = {}): Store {
  const percentFree = { flatCents: 0, percent: 0 };
  return {
    storeId,
    sandboxAccounts: null,
    name: 'Brick Oven',
    type: 'restaurant',
    phoneNumber: 12125550123,
    description: '',
    address: {
      streetAddr: '120 5th Ave',
      streetAddr2: '',
      city: 'New York',
      state: 'NY',
      zipcode: '10011',
      country: 'US',
    },
    latitude: 40.7383,
    longitude: -73.9927,
    timeZone: 'America/New_York',
    hours: { operational: EVERY_DAY, delivery: null, pickup: null, dine_in: null },
    hoursExceptions: [],
    cuisines: [],
    dollarSigns: null,
    photos: { food: [], logo: [], store: [] },
    rating: null,
    onlineOrdering: true,
    pickup: { enabled: true, accepting: true, prepMinutes: [10, 20] },
    delivery: { enabled: true, accepting: true, prepMinutes: [15, 25], parties: [plainParty('first', 3)] },
    fees: {
      deliveryFee: { ...percentFree, taxable: false, thresholds: [] },
      serviceFee: { ...percentFree, minCents: 0, maxCents: null, taxable: false },
      pickupServiceFee: null,
      smallOrderFee: { ...percentFree, minimumOrderCents: 0 },
      orderMinimumCents: 0,
      salesTaxPercent: null,
    },
    scheduling: { enabled: false, slotMinutes: 30, leadMinutes: 60, daysAhead: 0, capacity: null },
    pausedUntil: null,
    supportsUpcCodes: false,
    hasCatalog: false,
    hasChannel: false,
    listed: true,
    ...changes,
  };
}

/** An answer's element for a store without hours on any weekday. */
export function elementOf(store: Store, { isOpen, miles }: { isOpen: boolean; miles: number }): StoreElement {
  const { address, photos, rating, delivery } = store;
  return {
    _id: store.storeId,
    name: store.name,
    ...(store.phoneNumber === null ? {} : { phone_number: store.phoneNumber }),
    address: {
      street_addr: address.streetAddr,
      street_addr_2: address.streetAddr2,
      city: address.city,
      state: address.state,
      zipcode: address.zipcode,
      country: address.country,
      latitude: store.latitude,
      longitude: store.longitude,
    },
    type: store.type,
    description: store.description,
    local_hours: { operational: CLOSED_WEEK, delivery: CLOSED_WEEK, pickup: CLOSED_WEEK, dine_in: CLOSED_WEEK },
    cuisines: [...store.cuisines],
    food_photos: [...photos.food],
    logo_photos: [...photos.logo],
    store_photos: [...photos.store],
    dollar_signs: store.dollarSigns,
    pickup_enabled: store.pickup.enabled,
    delivery_enabled: delivery.enabled,
    is_open: isOpen,
    opens_at: isOpen ? null : OPEN_FROM_S,
    closes_at: null,
    ...(isOpen ? {} : { closed_reason: 'hours' as const }),
    offers_first_party_delivery: delivery.enabled && delivery.parties.some(({ party }) => party === 'first'),
    offers_third_party_delivery: delivery.enabled && delivery.parties.some(({ party }) => party !== 'first'),
    miles,
    ...(rating === null ? {} : { weighted_rating_value: rating.value }),
    ...(rating === null || rating.count === null ? {} : { aggregated_rating_count: rating.count }),
    supports_upc_codes: store.supportsUpcCodes,
  };
}

/** A query that matches every store, nearest first. */
export function queryOf(changes: Partial<StoreQuery> = {}): StoreQuery {
  return { ...ANY_STORE, latitude: 40.7383, longitude: -73.9927, ...changes };
}

/** A matching store, ordered by `rank` (lexicographically), then miles. */
export type Expected = { storeId: string; rank: number[]; miles: number; place: string };

export function haversineMiles(latA: number, lonA: number, latB: number, lonB: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((latB - latA) * rad) / 2) ** 2 +
    Math.cos(latA * rad) * Math.cos(latB * rad) * Math.sin(((lonB - lonA) * rad) / 2) ** 2;
  return (2 * 6371.0088 * Math.asin(Math.sqrt(Math.min(1, a)))) / 1.609344;
}

export function expectedStores(stores: Iterable<Store>, query: StoreQuery, nowEpochS: number): Expected[] {
  const found: Expected[] = [];
  for (const store of stores) {
    const textClass = classOfName(store.name, query.text, query.autocomplete);
    if (textClass === null || !store.listed || !meetsFilters(store, query, nowEpochS)) continue;
    const miles = haversineMiles(query.latitude, query.longitude, store.latitude, store.longitude);
    const rank = query.sort === 'relevance' ? [textClass] : [keyOf(store, query, miles)];
    found.push({ storeId: store.storeId, rank, miles, place: `${store.latitude} ${store.longitude}` });
  }
  return found;
}

function meetsFilters(store: Store, query: StoreQuery, nowEpochS: number): boolean {
  const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (query.storeType !== null && store.type !== query.storeType) return false;
  if (query.pickup === true && !store.pickup.enabled) return false;
  if (query.pickup === false && !store.delivery.enabled) return false;
  if (query.open && !openAtOf({ week: store.hours.operational })(nowEpochS).open) return false;
  if (query.dollarSigns !== null && store.dollarSigns !== query.dollarSigns) return false;
  if (query.minimumRating !== null && (store.rating?.value ?? -1) < query.minimumRating) return false;
  if (query.deliversHere && !deliversTo(store, query)) return false;
  const { cuisine } = query;
  if (cuisine !== null && !store.cuisines.some((own) => fold(own) === fold(cuisine))) return false;
  return query.viewport === null || isInside(store, query.viewport);
}

const exactAreas = new WeakMap<Area, ExactArea>();

/** By any zone of any party. */
function deliversTo(store: Store, query: StoreQuery): boolean {
  const miles = haversineMiles(query.latitude, query.longitude, store.latitude, store.longitude);
  const zones = store.delivery.parties.flatMap((party) => party.zones);
  return store.delivery.enabled && zones.some((zone) => zoneContains(zone, query, miles));
}

/** No radius is close enough to a distance for rounding to matter. */
function zoneContains({ reach }: DeliveryZone, { latitude, longitude }: StoreQuery, miles: number): boolean {
  if ('radiusMiles' in reach) return miles <= reach.radiusMiles;
  const exact = exactAreas.get(reach.area) ?? exactArea(reach.area);
  exactAreas.set(reach.area, exact);
  return exact.holds(longitude, latitude);
}

function isInside(store: Store, viewport: Viewport): boolean {
  if (store.latitude < viewport.south || store.latitude > viewport.north) return false;
  const [fromWest, toEast] = [store.longitude >= viewport.west, store.longitude <= viewport.east];
  return viewport.west <= viewport.east ? fromWest && toEast : fromWest || toEast;
}

function keyOf(store: Store, query: StoreQuery, miles: number): number {
  if (query.sort === 'rating') return store.rating === null ? Infinity : -store.rating.value;
  if (query.sort === 'cheapest') return store.dollarSigns ?? Infinity;
  if (query.sort !== 'fastest') return 0;
  const pickup = store.pickup.enabled ? store.pickup.prepMinutes[0] : Infinity;
  const travel = Math.max(1, Math.ceil(miles * 3.9));
  const delivery = store.delivery.enabled ? preparationOf(store, query, miles) + travel : Infinity;
  if (query.pickup === null) return Math.min(pickup, delivery);
  return query.pickup ? pickup : delivery;
}

/** 0 exact, 1 prefix, 2 typo; null if some query word matches no word of the name. */
function classOfName(name: string, text: string, autocomplete: boolean): number | null {
  const wanted = splitWords(text);
  const own = splitWords(name);
  let worst = 0;
  for (const [i, word] of wanted.entries()) {
    const isPrefix = autocomplete && i === wanted.length - 1;
    const best = Math.min(...own.map((candidate) => classOfWord(word, candidate, isPrefix)), 3);
    if (best === 3) return null;
    worst = Math.max(worst, best);
  }
  return worst;
}

function splitWords(text: string): string[] {
  const plain = text
    .replace(/['’‘`ʼ]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function classOfWord(wanted: string, own: string, isPrefix: boolean): number {
  if (wanted === own) return 0;
  if (isPrefix && own.startsWith(wanted)) return 1;
  const forgiven = wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
  return editDistance(wanted, own) <= forgiven ? 2 : 3;
}

/** Optimal string alignment distance by its recursive definition, with a full table. */
export function editDistance(a: string, b: string): number {
  const table: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let j = 0; j <= b.length; j += 1) (table[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      (table[i] as number[])[j] = best;
    }
  }
  return at(a.length, b.length);
}

/** The minimum preparation time of parties that take orders: those that reach the door, or all of them if none does. */
function preparationOf({ delivery }: Store, door: StoreQuery, miles: number): number {
  const minutes: number[] = [];
  const here: number[] = [];
  for (const party of delivery.parties) {
    if (!party.accepting) continue;
    const zone = party.zones.find((one) => zoneContains(one, door, miles));
    if (zone) here.push((zone.prepMinutes ?? party.prepMinutes ?? delivery.prepMinutes)[0]);
    for (const zone of party.zones) minutes.push((zone.prepMinutes ?? party.prepMinutes ?? delivery.prepMinutes)[0]);
  }
  if (here.length > 0) return Math.min(...here);
  return minutes.length === 0 ? delivery.prepMinutes[0] : Math.min(...minutes);
}

export type Shown = { storeId: string; miles: number };

/** Tolerance for rounding: a store within this distance of the radius may be in or out. */
const SLACK_MILES = 1e-6;

/**
 * Asserts that the answer has the expected stores, each once, best first; its miles may be rounded by `roundedMiles`.
 */
export function assertAgrees(
  shown: readonly Shown[],
  expected: readonly Expected[],
  query: StoreQuery,
  roundedMiles = 0,
): void {
  const radius = query.maximumMiles ?? Infinity;
  const byId = new Map(expected.map((store) => [store.storeId, store]));
  const due = expected.filter((store) => store.miles <= radius - SLACK_MILES).map((store) => store.storeId);
  const ids = shown.map((store) => store.storeId);
  assert.equal(new Set(ids).size, ids.length, 'a store was shown twice');
  assert.deepEqual(
    due.filter((id) => !ids.includes(id)),
    [],
    'stores are missing',
  );
  for (const [i, { storeId, miles }] of shown.entries()) {
    const store = byId.get(storeId);
    assert.ok(store !== undefined && store.miles <= radius + SLACK_MILES, `${storeId} does not match`);
    assert.ok(Math.abs(miles - store.miles) <= roundedMiles + SLACK_MILES, `${miles} miles instead of ${store.miles}`);
    const previous = byId.get(shown[i - 1]?.storeId ?? '');
    if (previous !== undefined) assertInOrder(previous, store);
  }
}

function assertInOrder(before: Expected, after: Expected): void {
  const difference = (before.rank[0] as number) - (after.rank[0] as number);
  assert.ok(!(difference > 0), `${before.storeId} is before ${after.storeId}`);
  if (before.rank[0] !== after.rank[0]) return;
  assert.ok(before.miles <= after.miles + SLACK_MILES, `${before.storeId} is farther than ${after.storeId}`);
  if (before.place === after.place) assert.ok(before.storeId < after.storeId, 'equal places go by store id');
}
