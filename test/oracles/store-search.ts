import assert from 'node:assert/strict';
import type { Area } from 'doorstep/search-engine/geography';
import type { Viewport } from '../../packages/search-engine/query.ts';
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
    roomFrom: null,
    busy: null,
    learned: null,
    supportsUpcCodes: false,
    hasCatalog: false,
    hasChannel: false,
    hasAgreement: false,
    allowsMarkup: true,
    taxClass: 'prepared_food',
    listed: true,
    ...changes,
  };
}

/** A response's element for a store without hours on any weekday. */
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
export const queryOf = (changes: Partial<StoreQuery> = {}): StoreQuery => ({
  ...ANY_STORE,
  latitude: 40.7383,
  longitude: -73.9927,
  ...changes,
});

/**
 * A matching store, ordered by `rank` (lexicographically), then miles. `words` are the words that a store matches which
 * matches only some: more of them are better, and other words are not compared.
 */
export type Expected = { storeId: string; rank: number[]; miles: number; place: string; words: number[] | null };

export function haversineMiles(latA: number, lonA: number, latB: number, lonB: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((latB - latA) * rad) / 2) ** 2 +
    Math.cos(latA * rad) * Math.cos(latB * rad) * Math.sin(((lonB - lonA) * rad) / 2) ** 2;
  return (2 * 6371.0088 * Math.asin(Math.sqrt(Math.min(1, a)))) / 1.609344;
}

const WHOLE_NAME_MILES = 5;
const NEAR_MILES = 25;

export function expectedStores(stores: Iterable<Store>, query: StoreQuery, nowEpochS: number): Expected[] {
  const listed = [...stores].filter((store) => store.listed);
  const { isFiller, isOpenNow, typed } = readText(query.text);
  const named = listed.map(({ name }) => splitWords(name));
  const isText = !isFiller || isNameOfStores(typed, query, named);
  return matchedStores(listed, isText ? query : { ...query, text: '', open: query.open || isOpenNow }, nowEpochS);
}

function matchedStores(listed: readonly Store[], query: StoreQuery, nowEpochS: number): Expected[] {
  const reading = readText(query.text);
  const named = listed.map(({ name }) => splitWords(name));
  const words = reading.words.map((_, at) => wordOf(reading.words, at, named));
  const isFact = reading.words.map((_, at) => listed.some((store) => saysOf(store, reading.words, at)));
  const isTelling = reading.words.map((word, at) => !isFact[at] && !EVERYDAY.has(word));
  const contained = containedNames(reading.words, isTelling, named);
  const wholeMiles = isTelling.includes(true) ? NEAR_MILES : WHOLE_NAME_MILES;
  const partRank = ({ name }: Store, matched: readonly number[], far: number) => {
    const isNamed = matched.some((at) => isTelling[at]);
    return [isNamed ? 10 : 20, far, contained.has(splitWords(name).join(' ')) ? 0 : 1];
  };
  const isNearFirst = comesNearFirst(reading, query, isFact, named);
  const all: Expected[] = [];
  const some: Expected[] = [];
  for (const store of listed) {
    if (!meetsFilters(store, query, nowEpochS)) continue;
    const miles = haversineMiles(query.latitude, query.longitude, store.latitude, store.longitude);
    const found = { storeId: store.storeId, miles, place: `${store.latitude} ${store.longitude}` };
    const far = Number(miles > NEAR_MILES);
    const key = keyOf(store, query, miles, nowEpochS);
    const textClass = classOfStore(store, reading.words, query.autocomplete && reading.endsAsTyped);
    if (textClass !== null) {
      const isClosed = reading.isOpenNow && !openAtOf({ week: store.hours.operational })(nowEpochS).open;
      const relevance = [textClass, nameRank(splitWords(store.name), reading, query, textClass, { miles, wholeMiles })];
      const byText = [isNearFirst ? far : 0, Number(isClosed), ...relevance];
      const rank = query.sort === 'relevance' ? byText : [Number(isClosed), key];
      all.push({ ...found, rank, words: null });
      continue;
    }
    const matched = words.flatMap((word, at) => (word(store) ? [at] : []));
    if (matched.length > 0) some.push({ ...found, rank: [...partRank(store, matched, far), key], words: matched });
  }
  if (reading.words.length < 2) return all;
  return withPartial(all, some, isNearFirst, Math.min(NEAR_MILES, query.maximumMiles ?? Infinity));
}

/** Whether a name is exactly these words or, with `autocomplete`, has them all, the last one maybe unfinished. */
function isNameOfStores(
  typed: readonly string[],
  { autocomplete }: StoreQuery,
  named: readonly (readonly string[])[],
): boolean {
  if (!autocomplete) return named.some((name) => name.join(' ') === typed.join(' '));
  return named.some((name) =>
    typed.every((word, at) => name.some((own) => classOfWord(word, own, at === typed.length - 1) < 2)),
  );
}

/** Whole names in the query, from the left, the longest first; one needs a word that is neither kind nor place. */
function containedNames(
  words: readonly string[],
  isTelling: readonly boolean[],
  named: readonly (readonly string[])[],
): ReadonlySet<string> {
  const names = new Set(named.map((name) => name.join(' ')));
  const found = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const ends = words.map((_, nth) => words.length - nth).filter((end) => end > at);
    const end = ends.find((to) => names.has(words.slice(at, to).join(' ')) && isTelling.slice(at, to).includes(true));
    if (end === undefined) continue;
    found.add(words.slice(at, end).join(' '));
    at = end - 1;
  }
  return found;
}

/**
 * Stores that match some words are there if none that matches all is near. Far ones that match all come between near
 * ones that match some (10, 0) and far ones (10, 1), or before both.
 */
function withPartial(all: Expected[], some: readonly Expected[], isNearFirst: boolean, nearMiles: number): Expected[] {
  if (all.some(({ miles }) => miles <= nearMiles)) return all;
  const before = isNearFirst ? [10, 0.5] : [0];
  return [...all.map((one) => ({ ...one, rank: [...before, ...one.rank] })), ...some];
}

/** Whether near stores come first: unless a name is the whole query, with or without what and where its store is. */
function comesNearFirst(
  { typed, words }: { typed: readonly string[]; words: readonly string[] },
  { sort }: StoreQuery,
  isFact: readonly boolean[],
  named: readonly (readonly string[])[],
): boolean {
  if (sort !== 'relevance' || isFact.every(Boolean)) return sort === 'relevance';
  const [from, end] = [isFact.indexOf(false), isFact.lastIndexOf(false) + 1];
  const texts = [typed, words, words.slice(from), words.slice(0, end), words.slice(from, end)].map((own) =>
    own.join(' '),
  );
  return !named.some((name) => texts.includes(name.join(' ')));
}

/** The query's words without those that say nothing. */
function readText(text: string) {
  const typed = splitWords(text);
  const plain = ` ${typed.join(' ')} `.replaceAll(' the ', ' ').replaceAll(' the ', ' ');
  const words = plain
    .replaceAll(' near me ', ' ')
    .replaceAll(' near me ', ' ')
    .replaceAll(' open now ', ' ')
    .replaceAll(' open now ', ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  const isOpenNow = ` ${typed.join(' ')} `.includes(' open now ');
  if (words.length === 0) return { typed, words: typed, isOpenNow, endsAsTyped: true, isFiller: typed.length > 0 };
  const endsAsTyped = !/ (the|near me|open now) $/.test(` ${typed.join(' ')} `);
  return { typed, words, isOpenNow, endsAsTyped, isFiller: false };
}

/** Everyday names of what the stores of `arbitrary-stores` are. */
const NAMES_OF: Readonly<Record<string, string>> = {
  pizza: 'pizza pizzas pizzeria pizzerias',
  francaise: 'francaise bistro',
  thai: 'thai thais',
  restaurant: 'restaurant restaurants store',
  grocery: 'grocery market store',
};
const EVERYDAY = new Set(['cafe', ...Object.values(NAMES_OF).flatMap((names) => names.split(' '))]);

/** Whether the word at a position says what or where the store is, alone or with its neighbors. */
function saysOf({ cuisines, type, address, pickup, delivery }: Store, words: readonly string[], at: number): boolean {
  const kinds = [...cuisines.map((cuisine) => splitWords(cuisine).join(' ')), type].flatMap((kind) =>
    (NAMES_OF[kind] ?? kind).split(' '),
  );
  const places = [address.city, address.state, address.zipcode, 'New York'].map((place) => splitWords(place).join(' '));
  const modes = [...(pickup.enabled ? ['pickup', 'takeout'] : []), ...(delivery.enabled ? ['delivery'] : [])];
  const facts = new Set([...kinds, ...places, ...modes]);
  return words.some((_, from) =>
    words.some((_, to) => from <= at && at <= to && facts.has(words.slice(from, to + 1).join(' '))),
  );
}

/** 0 exact, 1 prefix, 2 typo, with a word in the name; 4 with none; null if some word matches nothing. */
function classOfStore(store: Store, wanted: readonly string[], autocomplete: boolean): number | null {
  const own = splitWords(store.name);
  const classes = wanted.map((word, at) => {
    const isPrefix = autocomplete && at === wanted.length - 1;
    return Math.min(...own.map((candidate) => classOfWord(word, candidate, isPrefix)), 3);
  });
  const says = wanted.map((_, at) => saysOf(store, wanted, at));
  for (const textClass of wanted.length === 0 ? [] : [0, 1, 2]) {
    const isMatch = classes.every((own, at) => own <= textClass || says[at]) && classes.some((own) => own <= textClass);
    if (isMatch) return textClass;
  }
  return says.every(Boolean) ? (wanted.length === 0 ? 0 : 4) : null;
}

/** 0 for the whole name within `wholeMiles`, 1 for a near name with all words, 2 for the others. */
function nameRank(
  own: readonly string[],
  { typed, words }: { typed: readonly string[]; words: readonly string[] },
  { autocomplete }: StoreQuery,
  textClass: number,
  { miles, wholeMiles }: { miles: number; wholeMiles: number },
): number {
  const isTyped = typed.length > words.length && typed.join(' ') === own.join(' ');
  const isWhole = words.join(' ') === own.join(' ');
  if (textClass === 0 && ((isTyped && miles <= NEAR_MILES) || (isWhole && miles <= wholeMiles))) return 0;
  const isNamed = words.every((word, at) =>
    own.some((candidate) => classOfWord(word, candidate, autocomplete && at === words.length - 1) <= textClass),
  );
  return textClass < 3 && isNamed && miles <= NEAR_MILES ? 1 : 2;
}

/** Whether a store matches the word if it need not match them all: by its name, misspelled if no name has the word. */
function wordOf(words: readonly string[], at: number, names: readonly (readonly string[])[]) {
  const word = words[at] as string;
  const stemOf = (text: string) => text.replace(/s$/, '');
  const isOwn = (candidate: string) => candidate === word || stemOf(candidate) === stemOf(word);
  const isKnown = names.some((name) => name.some(isOwn));
  return (store: Store) =>
    saysOf(store, words, at) ||
    splitWords(store.name).some(
      (candidate) => isOwn(candidate) || (!isKnown && classOfWord(word, candidate, false) < 3),
    );
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
  if (query.accepting && !acceptsOrders(store, query, nowEpochS)) return false;
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

/** In the requested mode: of delivery to a door, or of either. */
function acceptsOrders(store: Store, query: StoreQuery, nowEpochS: number): boolean {
  if (!store.onlineOrdering || !store.hasCatalog || (query.sandbox === null && !store.hasChannel)) return false;
  const takes = (mode: 'pickup' | 'delivery') =>
    store[mode].enabled &&
    store[mode].accepting &&
    openAtOf({ week: store.hours[mode] })(nowEpochS).open &&
    hasRoom(store, nowEpochS);
  const parties = store.delivery.parties.filter(({ accepting }) => accepting);
  const comes = { ...store, delivery: { ...store.delivery, parties } };
  const brings = takes('delivery') && (query.deliversHere ? deliversTo(comes, query) : parties.length > 0);
  if (query.pickup === null && !query.deliversHere) return takes('pickup') || brings;
  return query.pickup ? takes('pickup') : brings;
}

/** No order waits for room beyond the hours, and those of `EVERY_DAY` end at once. */
const hasRoom = ({ kitchen, roomFrom }: Store, nowEpochS: number): boolean =>
  !kitchen || roomFrom === null || roomFrom.epochMilliseconds <= nowEpochS * 1000;

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

function keyOf(store: Store, query: StoreQuery, miles: number, nowEpochS: number): number {
  if (query.sort === 'rating') return store.rating === null ? Infinity : -store.rating.value;
  if (query.sort === 'cheapest') return store.dollarSigns ?? Infinity;
  if (query.sort !== 'fastest') return 0;
  const pickup = store.pickup.enabled ? store.pickup.prepMinutes[0] : Infinity;
  const travel = Math.max(1, Math.ceil(miles * 3.9));
  const delivery = store.delivery.enabled ? preparationOf(store, query, miles) + travel : Infinity;
  const roomS = store.roomFrom ? store.roomFrom.epochMilliseconds / 1000 - nowEpochS : 0;
  const { minutes, until } = store.busy ?? { minutes: 0, until: null };
  const isBusy = until !== null && until.epochMilliseconds / 1000 > nowEpochS;
  const wait = Math.max(0, Math.ceil(roomS / 60)) + (isBusy ? minutes : 0);
  if (query.pickup === null) return wait + Math.min(pickup, delivery);
  return wait + (query.pickup ? pickup : delivery);
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
  const forgiven = wanted[0] !== own[0] || wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
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
 * Asserts that the response contains the expected stores, each once, best first; its miles may be rounded by
 * `roundedMiles`.
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

/** Negative if the first store comes before the second; 0 if distance decides, and `NaN` if either may come first. */
export function compareRanks(one: Expected, other: Expected): number {
  const [first, second] = [one.rank, other.rank];
  const at = first.findIndex((key, nth) => key !== second[nth]);
  const isByWords = one.words !== null && other.words !== null && (at < 0 || at > 2);
  if (isByWords && one.words?.join() !== other.words?.join()) {
    if (one.words?.every((word) => other.words?.includes(word))) return 1;
    return other.words?.every((word) => one.words?.includes(word)) ? -1 : Number.NaN;
  }
  return at < 0 ? 0 : (first[at] as number) - (second[at] as number);
}

function assertInOrder(before: Expected, after: Expected): void {
  const difference = compareRanks(before, after);
  assert.ok(!(difference > 0), `${before.storeId} is before ${after.storeId}`);
  if (difference !== 0) return;
  assert.ok(before.miles <= after.miles + SLACK_MILES, `${before.storeId} is farther than ${after.storeId}`);
  if (before.place === after.place) assert.ok(before.storeId < after.storeId, 'equal places go by store id');
}
