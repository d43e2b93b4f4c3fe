import { isEverydayName, kindPhrase } from '../../packages/search-engine/everyday-names.ts';
import type { StoreQuery } from '../../src/search/stores/store-query.ts';
import type { StoreHours, WeeklyHours } from '../../src/supply/stores/hours.ts';
import { regionName } from '../../src/supply/stores/region.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { haversineMiles } from '../../test/oracles/store-search.ts';
import { createScannedNames, splitWords } from './scanned-names.ts';

/**
 * Store search as one loop over typed columns, fast enough to answer in milliseconds. Shares no code with the index.
 */
export type Scan = {
  add(store: Store): void;
  /** Whether a word of the text says what or where some store is, so that the order depends on more than names. */
  hasFacts(text: string): boolean;
  /** Stores that match the query's words as typed, without paging, sorted by `key`. */
  matches(query: StoreQuery, nowEpochS: number, limit: number): ScanMatches;
  /**
   * Looks up whether a store passes every filter except the name, its sort key, and its name class (3: no match as
   * typed).
   */
  lookUp(
    storeId: string,
    query: StoreQuery,
    nowEpochS: number,
  ): { key: number; miles: number; nameClass: number } | null;
};

export type ScanMatches = { count: number; smallest: Float64Array };

/** Every run of neighboring words, as a kind of store is written: `ice cream`. */
function phrasesOf(words: readonly string[]): string[] {
  return words.flatMap((_word, from) =>
    words.slice(from).map((_last, length) => kindPhrase(words.slice(from, from + length + 1).join(' '))),
  );
}

/** More miles than any distance on earth, so that keys sort by group, then sort value, then distance. */
const MILES_ROOM = 1e5;
/** A store of exactly this name comes first within these miles; farther stores come after all near ones, unless the query is a whole name. */
const NEAR_MILES = 25;
const FAR_CLASS = 10;
const UNKNOWN = 1000;
const MINUTES_PER_MILE = 3.9;
const DAY_MINUTES = 1440;

type Columns = {
  latitude: number[];
  longitude: number[];
  isGrocery: boolean[];
  pickup: number[];
  delivery: number[];
  radius: number[];
  dollarSigns: number[];
  rating: number[];
  cuisines: (readonly string[])[];
  hours: number[];
  nameId: number[];
};

export function createScan(): Scan {
  const names = createScannedNames();
  const hours = createScannedHours();
  const numberOf = new Map<string, number>();
  const c: Columns = {
    latitude: [],
    longitude: [],
    isGrocery: [],
    pickup: [],
    delivery: [],
    radius: [],
    dollarSigns: [],
    rating: [],
    cuisines: [],
    hours: [],
    nameId: [],
  };
  const cuisineLists = new Map<string, readonly string[]>();
  const facts = new Set<string>();

  function add(store: Store): void {
    const { pickup, delivery, address } = store;
    for (const fact of [
      address.city,
      address.state,
      regionName(address.state, address.country) ?? '',
      ...store.cuisines,
    ]) {
      for (const word of splitWords(fact)) facts.add(kindPhrase(word));
    }
    numberOf.set(store.storeId, c.latitude.length);
    c.latitude.push(store.latitude);
    c.longitude.push(store.longitude);
    c.isGrocery.push(store.type === 'grocery');
    c.pickup.push(pickup.enabled ? pickup.prepMinutes[0] : -1);
    c.delivery.push(delivery.enabled ? delivery.prepMinutes[0] : -1);
    c.radius.push(radiusOf(store));
    c.dollarSigns.push(store.dollarSigns ?? -1);
    c.rating.push(store.rating?.value ?? -1);
    c.hours.push(hours.numberOf(store.hours, store.timeZone));
    c.nameId.push(names.numberOf(store.name));
    const list = store.cuisines.join('\n');
    const known = cuisineLists.get(list) ?? store.cuisines.map((name) => name.toLowerCase());
    cuisineLists.set(list, known);
    c.cuisines.push(known);
  }

  function meets(n: number, query: StoreQuery, isOpen: Uint8Array | null): boolean {
    const { storeType, pickup, dollarSigns, minimumRating, cuisine } = query;
    if (storeType !== null && c.isGrocery[n] !== (storeType === 'grocery')) return false;
    if (pickup === true && (c.pickup[n] as number) < 0) return false;
    if (pickup === false && (c.delivery[n] as number) < 0) return false;
    if (dollarSigns !== null && c.dollarSigns[n] !== dollarSigns) return false;
    if (minimumRating !== null && (c.rating[n] as number) < minimumRating) return false;
    if (isOpen !== null && isOpen[c.hours[n] as number] === 0) return false;
    return cuisine === null || (c.cuisines[n] as readonly string[]).includes(cuisine.toLowerCase());
  }

  function milesTo(n: number, { latitude, longitude }: StoreQuery): number {
    return haversineMiles(latitude, longitude, c.latitude[n] as number, c.longitude[n] as number);
  }

  function isNear(n: number, query: StoreQuery, miles: number): boolean {
    if (query.maximumMiles !== null && miles > query.maximumMiles) return false;
    return !query.deliversHere || miles <= (c.radius[n] as number);
  }

  function sortValue(n: number, { sort, pickup }: StoreQuery, miles: number): number {
    const [rating, dollars] = [c.rating[n] as number, c.dollarSigns[n] as number];
    if (sort === 'rating') return rating < 0 ? UNKNOWN : UNKNOWN / 2 - rating;
    if (sort === 'cheapest') return dollars < 0 ? UNKNOWN : dollars;
    if (sort !== 'fastest') return 0;
    return Math.min(minutesTo(n, pickup, miles), MILES_ROOM - 1);
  }

  function minutesTo(n: number, pickup: boolean | null, miles: number): number {
    const [atCounter, preparation] = [c.pickup[n] as number, c.delivery[n] as number];
    const toDoor = preparation + Math.max(1, Math.ceil(miles * MINUTES_PER_MILE));
    const ways = [
      ...(atCounter < 0 || pickup === false ? [] : [atCounter]),
      ...(preparation < 0 || pickup === true ? [] : [toDoor]),
    ];
    return Math.min(...ways);
  }

  function keyOf(n: number, query: StoreQuery, miles: number, nameClass: number): number {
    const isWhole = nameClass === 0 && miles <= NEAR_MILES && names.isWhole(c.nameId[n] as number, query.text);
    if (query.sort !== 'relevance') return sortValue(n, query, miles) * MILES_ROOM + miles;
    const isFar = miles > NEAR_MILES && splitWords(query.text).length > 0 && !names.isName(query.text);
    return (nameClass + (isWhole ? 0 : 1) + (isFar ? FAR_CLASS : 0)) * MILES_ROOM + miles;
  }

  return {
    add,
    hasFacts: (text) => phrasesOf(splitWords(text)).some((phrase) => facts.has(phrase) || isEverydayName(phrase)),
    matches(query, nowEpochS, limit) {
      const isOpen = query.open ? hours.openAt(nowEpochS) : null;
      const classes = names.classesOf(query.text, query.autocomplete);
      const found = createSmallest(limit);
      for (let n = 0; n < c.latitude.length; n += 1) {
        const nameClass = classes === null ? 0 : (classes[c.nameId[n] as number] as number);
        if (nameClass > 2 || !meets(n, query, isOpen)) continue;
        const miles = milesTo(n, query);
        if (isNear(n, query, miles)) found.add(keyOf(n, query, miles, nameClass));
      }
      return { count: found.count(), smallest: found.sorted() };
    },
    lookUp(storeId, query, nowEpochS) {
      const n = numberOf.get(storeId);
      if (n === undefined || !meets(n, query, query.open ? hours.openAt(nowEpochS) : null)) return null;
      const miles = milesTo(n, query);
      const classes = names.classesOf(query.text, query.autocomplete);
      const nameClass = classes === null ? 0 : (classes[c.nameId[n] as number] as number);
      return isNear(n, query, miles) ? { key: keyOf(n, query, miles, nameClass), miles, nameClass } : null;
    },
  };
}

function radiusOf({ delivery }: Store): number {
  if (!delivery.enabled) return -1;
  const reaches = delivery.parties.flatMap(({ zones }) => zones.map(({ reach }) => reach));
  return Math.max(...reaches.map((reach) => ('radiusMiles' in reach ? reach.radiusMiles : -1)));
}

/** Keeps the smallest numbers in a max-heap. */
function createSmallest(limit: number) {
  const heap = new Float64Array(limit);
  let [size, seen] = [0, 0];
  const sink = (value: number): void => {
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (heap[child + 1] as number) > (heap[child] as number)) child += 1;
      if ((heap[child] as number) <= value) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = value;
  };
  const rise = (value: number): void => {
    let at = size;
    size += 1;
    while (at > 0 && (heap[(at - 1) >> 1] as number) < value) {
      heap[at] = heap[(at - 1) >> 1] as number;
      at = (at - 1) >> 1;
    }
    heap[at] = value;
  };
  return {
    add(value: number): void {
      seen += 1;
      if (size < limit) rise(value);
      else if (value < (heap[0] as number)) sink(value);
    },
    count: () => seen,
    sorted: () => heap.slice(0, size).sort(),
  };
}

/** Deduplicates hours by zone and caches which are open, per requested minute. */
function createScannedHours() {
  const numbers = new Map<string, number>();
  const known: { hours: WeeklyHours | null; timeZone: string }[] = [];
  let [at, open] = [Number.NaN, new Uint8Array()];
  return {
    numberOf({ operational }: StoreHours, timeZone: string): number {
      const key = `${timeZone}${JSON.stringify(operational)}`;
      const number = numbers.get(key) ?? known.push({ hours: operational, timeZone }) - 1;
      numbers.set(key, number);
      return number;
    },
    openAt(epochS: number): Uint8Array {
      const minute = Math.floor(epochS / 60);
      if (minute === at && open.length === known.length) return open;
      const walls = new Map<string, Temporal.ZonedDateTime>();
      open = Uint8Array.from(known, ({ hours, timeZone }) => {
        const wall =
          walls.get(timeZone) ?? Temporal.Instant.fromEpochMilliseconds(epochS * 1000).toZonedDateTimeISO(timeZone);
        walls.set(timeZone, wall);
        return hours !== null && isOpenAt(hours, wall) ? 1 : 0;
      });
      at = minute;
      return open;
    },
  };
}

function isOpenAt(hours: WeeklyHours, { dayOfWeek, hour, minute }: Temporal.ZonedDateTime): boolean {
  const now = hour * 60 + minute;
  const today = hours[dayOfWeek - 1] ?? [];
  const yesterday = hours[(dayOfWeek + 5) % 7] ?? [];
  return (
    today.some(({ startMinute, endMinute }) => startMinute <= now && now < endMinute) ||
    yesterday.some(({ endMinute }) => now + DAY_MINUTES < endMinute)
  );
}
