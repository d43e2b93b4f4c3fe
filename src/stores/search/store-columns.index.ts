import { grownFloat64, grownUint8, grownUint16, grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists } from '../../lib/columns/int-lists.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { foldText, wordsOf } from '../../lib/text/normalise-text.ts';
import type { Store, StoreType } from '../store.ts';
import { shortestPreparation } from '../time-estimate.ts';
import type { IndexedStore } from './indexed-store.ts';
import { createRatingValues } from './nodes/rating-values.index.ts';
import {
  DELIVERY,
  GROCERY,
  minutesOf,
  NO_DOLLAR_SIGNS,
  NO_MINUTES,
  PICKUP,
  type PlacedTraits,
  SANDBOX_PLACE,
  type StoreColumns,
  type TraitsOfStores,
} from './store-columns.ts';

const STORE_TYPES: readonly StoreType[] = ['restaurant', 'grocery'];

export function createStoreColumns(): StoreColumns {
  const sets = createInterner();
  const cuisines = createInterner();
  const cities = createInterner();
  const setsOfCuisine = createIntLists();
  const ratingValues = createRatingValues();

  const columns: StoreColumns = {
    flags: new Uint8Array(1024),
    dollarSigns: new Uint8Array(1024),
    ratings: new Float64Array(1024),
    pickupMinutes: new Uint16Array(1024),
    deliveryMinutes: new Uint16Array(1024),
    cuisineSets: new Uint32Array(1024),
    cuisineBits: new Uint32Array(128),
    cities: new Uint32Array(1024),
    minDollarSigns: NO_DOLLAR_SIGNS,
    minMinutes: NO_MINUTES,
    ratingValues,
    set(ordinal, store) {
      const { type, cuisines: names, dollarSigns, rating } = store;
      const [city, cuisineSet] = [acquireCity(store.address.city), acquireSet(type, names)];
      return put(ordinal, {
        city,
        cuisineSet,
        flags: kindFlags(store) | (store.pickup.enabled ? PICKUP : 0) | (store.delivery.enabled ? DELIVERY : 0),
        dollarSigns: dollarSigns ?? NO_DOLLAR_SIGNS,
        rating: rating?.value ?? Number.NaN,
        pickupMinutes: minutesOf(store.pickup),
        deliveryMinutes: deliveryMinutesOf(store.delivery),
      });
    },
    placeAll,
    reserve(stores) {
      if (stores > columns.flags.length) grow(stores - 1);
    },
    acquireCity,
    releaseCity: (city) => void cities.release(city),
    acquireSet,
    releaseSet,
    clear(ordinal) {
      releaseSet(columns.cuisineSets[ordinal] as number);
      columns.cuisineSets[ordinal] = 0;
      releaseCityOf(ordinal);
      columns.cities[ordinal] = 0;
    },
    setsWithCuisine(cuisine, type) {
      const sets = new Set<number>();
      for (const id of idsOf(cuisine, type)) {
        const start = setsOfCuisine.starts[id] as number;
        const end = start + (setsOfCuisine.counts[id] as number);
        for (let at = start; at < end; at += 1) sets.add(setsOfCuisine.data[at] as number);
      }
      return sets;
    },
    bitsOfCuisine(cuisine, type) {
      const bits = { low: 0, high: 0 };
      for (const { low, high } of idsOf(cuisine, type).map(bitsOf)) {
        bits.low |= low;
        bits.high |= high;
      }
      return bits;
    },
    cityOf: (words) => cities.idOf(words),
  };

  /** Numbers of the cuisine of stores of that type, or of both types; none where no store has the cuisine. */
  function idsOf(cuisine: string, type: StoreType | null): number[] {
    const name = foldCuisine(cuisine);
    const ids = (type === null ? STORE_TYPES : [type]).map((one) => cuisines.idOf(cuisineOf(one, name)));
    return ids.filter((id) => id !== undefined);
  }

  /** The store holds its city and its set already. */
  function put(ordinal: number, traits: PlacedTraits): boolean {
    if (ordinal >= columns.flags.length) grow(ordinal);
    releaseCityOf(ordinal);
    releaseSet(columns.cuisineSets[ordinal] as number);
    columns.cities[ordinal] = traits.city;
    columns.minDollarSigns = Math.min(columns.minDollarSigns, traits.dollarSigns);
    columns.minMinutes = Math.min(columns.minMinutes, traits.pickupMinutes, traits.deliveryMinutes);
    ratingValues.note(traits.rating);
    let isChanged = putNumber(columns.flags, ordinal, traits.flags);
    isChanged = putNumber(columns.dollarSigns, ordinal, traits.dollarSigns) || isChanged;
    isChanged = putNumber(columns.ratings, ordinal, traits.rating) || isChanged;
    isChanged = putNumber(columns.pickupMinutes, ordinal, traits.pickupMinutes) || isChanged;
    isChanged = putNumber(columns.deliveryMinutes, ordinal, traits.deliveryMinutes) || isChanged;
    return putNumber(columns.cuisineSets, ordinal, traits.cuisineSet) || isChanged;
  }

  function placeAll(first: number, traits: TraitsOfStores): void {
    cities.holdAll(traits.cities);
    sets.holdAll(traits.cuisineSets);
    const stores = traits.flags.length;
    if (first + stores > columns.flags.length) grow(first + stores - 1);
    columns.flags.set(traits.flags, first);
    columns.dollarSigns.set(traits.dollarSigns, first);
    columns.ratings.set(traits.ratings, first);
    columns.pickupMinutes.set(traits.pickupMinutes, first);
    columns.deliveryMinutes.set(traits.deliveryMinutes, first);
    columns.cuisineSets.set(traits.cuisineSets, first);
    columns.cities.set(traits.cities, first);
    for (let at = 0; at < stores; at += 1) ratingValues.note(traits.ratings[at] as number);
    columns.minDollarSigns = lowest(traits.dollarSigns, columns.minDollarSigns);
    columns.minMinutes = lowest(traits.deliveryMinutes, lowest(traits.pickupMinutes, columns.minMinutes));
  }

  function acquireCity(city: string): number {
    return cities.acquire(wordsOf(city).join(' ')).id;
  }

  function releaseCityOf(ordinal: number): void {
    const city = columns.cities[ordinal] as number;
    if (city !== 0) cities.release(city);
  }

  function grow(ordinal: number): void {
    columns.flags = grownUint8(columns.flags, ordinal + 1);
    columns.dollarSigns = grownUint8(columns.dollarSigns, ordinal + 1);
    columns.ratings = grownFloat64(columns.ratings, ordinal + 1);
    columns.pickupMinutes = grownUint16(columns.pickupMinutes, ordinal + 1);
    columns.deliveryMinutes = grownUint16(columns.deliveryMinutes, ordinal + 1);
    columns.cuisineSets = grownUint32(columns.cuisineSets, ordinal + 1);
    columns.cities = grownUint32(columns.cities, ordinal + 1);
  }

  function acquireSet(type: StoreType, names: readonly string[]): number {
    const folded = [...new Set(names.map(foldCuisine))].sort().map((name) => cuisineOf(type, name));
    const { id, isNew } = sets.acquire(folded.length === 0 ? type : folded.join('\n'));
    if (!isNew) return id;
    if (id * 2 + 1 >= columns.cuisineBits.length) columns.cuisineBits = grownUint32(columns.cuisineBits, id * 2 + 2);
    columns.cuisineBits.fill(0, id * 2, id * 2 + 2);
    for (const name of folded) {
      const cuisine = cuisines.acquire(name).id;
      const { low, high } = bitsOf(cuisine);
      setsOfCuisine.add(cuisine, id);
      columns.cuisineBits[id * 2] = (columns.cuisineBits[id * 2] as number) | low;
      columns.cuisineBits[id * 2 + 1] = (columns.cuisineBits[id * 2 + 1] as number) | high;
    }
    return id;
  }

  function releaseSet(id: number): void {
    if (id === 0) return;
    const key = sets.keyOf(id);
    if (!sets.release(id)) return;
    for (const name of key.split('\n')) {
      const cuisine = cuisines.idOf(name);
      if (cuisine === undefined) continue;
      setsOfCuisine.remove(cuisine, id);
      cuisines.release(cuisine);
    }
  }

  return columns;
}

/**
 * A cuisine of restaurants is another one than that of groceries: a type and a cuisine that no store has together are
 * ruled out at the top of the tree, where each of them alone is everywhere.
 */
function cuisineOf(type: StoreType, folded: string): string {
  return `${type} ${folded}`;
}

/** Cuisines beyond 64 share the bits of others. */
function bitsOf(cuisine: number): { low: number; high: number } {
  const bit = 1 << (cuisine & 31);
  return (cuisine & 32) === 0 ? { low: bit, high: 0 } : { low: 0, high: bit };
}

/** The bits of a store's flags but for its modes. */
export function kindFlags({ type, sandboxAccounts }: Pick<IndexedStore, 'type' | 'sandboxAccounts'>): number {
  return (type === 'grocery' ? GROCERY : 0) | (sandboxAccounts === null ? 0 : SANDBOX_PLACE);
}

/** The lowest of the numbers and of a number beside them. */
function lowest(numbers: Uint8Array | Uint16Array, beside: number): number {
  let least = beside;
  for (let at = 0; at < numbers.length; at += 1) least = Math.min(least, numbers[at] as number);
  return least;
}

/** Returns whether the value is another one than before. */
function putNumber(
  column: Uint8Array | Uint16Array | Uint32Array | Float64Array,
  ordinal: number,
  value: number,
): boolean {
  if (Object.is(column[ordinal], value)) return false;
  column[ordinal] = value;
  return true;
}

function foldCuisine(cuisine: string): string {
  return foldText(cuisine.replaceAll('\n', ' ')).trim();
}

/** Minimum minutes of preparation for delivery, NO_MINUTES where the store does not deliver. */
export function deliveryMinutesOf(delivery: Store['delivery']): number {
  return delivery.enabled ? minutesOf({ enabled: true, prepMinutes: shortestPreparation(delivery) }) : NO_MINUTES;
}
