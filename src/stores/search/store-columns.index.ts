import { grownFloat64, grownUint8, grownUint16, grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists } from '../../lib/columns/int-lists.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { foldText, wordsOf } from '../../lib/text/normalise-text.ts';
import type { Store } from '../store.ts';
import { shortestPreparation } from '../time-estimate.ts';
import {
  DELIVERY,
  GROCERY,
  NO_DOLLAR_SIGNS,
  NO_MINUTES,
  PICKUP,
  SANDBOX_PLACE,
  type StoreColumns,
} from './store-columns.ts';

export function createStoreColumns(): StoreColumns {
  const sets = createInterner();
  const cuisines = createInterner();
  const cities = createInterner();
  const setsOfCuisine = createIntLists();

  const columns: StoreColumns = {
    storeIds: [],
    flags: new Uint8Array(1024),
    dollarSigns: new Uint8Array(1024),
    ratings: new Float64Array(1024),
    pickupMinutes: new Uint16Array(1024),
    deliveryMinutes: new Uint16Array(1024),
    cuisineSets: new Uint32Array(1024),
    cities: new Uint32Array(1024),
    minDollarSigns: NO_DOLLAR_SIGNS,
    minMinutes: NO_MINUTES,
    set(ordinal, store) {
      if (ordinal >= columns.flags.length) grow(ordinal);
      columns.storeIds[ordinal] = store.storeId;
      columns.flags[ordinal] =
        (store.type === 'grocery' ? GROCERY : 0) |
        (store.pickup.enabled ? PICKUP : 0) |
        (store.delivery.enabled ? DELIVERY : 0) |
        (store.sandboxAccounts === null ? 0 : SANDBOX_PLACE);
      columns.dollarSigns[ordinal] = store.dollarSigns ?? NO_DOLLAR_SIGNS;
      columns.ratings[ordinal] = store.rating?.value ?? Number.NaN;
      columns.pickupMinutes[ordinal] = minutesOf(store.pickup);
      columns.deliveryMinutes[ordinal] = deliveryMinutesOf(store);
      columns.minDollarSigns = Math.min(columns.minDollarSigns, store.dollarSigns ?? NO_DOLLAR_SIGNS);
      columns.minMinutes = Math.min(columns.minMinutes, minutesOf(store.pickup), deliveryMinutesOf(store));
      const cuisineSet = acquireSet(store.cuisines);
      releaseSet(columns.cuisineSets[ordinal] as number);
      columns.cuisineSets[ordinal] = cuisineSet;
      const city = cities.acquire(wordsOf(store.address.city).join(' ')).id;
      releaseCity(ordinal);
      columns.cities[ordinal] = city;
    },
    clear(ordinal) {
      columns.storeIds[ordinal] = '';
      releaseSet(columns.cuisineSets[ordinal] as number);
      columns.cuisineSets[ordinal] = 0;
      releaseCity(ordinal);
      columns.cities[ordinal] = 0;
    },
    setsWithCuisine(cuisine) {
      const id = cuisines.idOf(foldCuisine(cuisine));
      if (id === undefined) return new Set();
      const start = setsOfCuisine.starts[id] as number;
      return new Set(setsOfCuisine.data.subarray(start, start + (setsOfCuisine.counts[id] as number)));
    },
    cityOf: (words) => cities.idOf(words),
  };

  function releaseCity(ordinal: number): void {
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

  function acquireSet(names: readonly string[]): number {
    const folded = [...new Set(names.map(foldCuisine))].sort();
    const { id, isNew } = sets.acquire(folded.join('\n'));
    if (isNew) for (const name of folded) setsOfCuisine.add(cuisines.acquire(name).id, id);
    return id;
  }

  function releaseSet(id: number): void {
    const folded = sets.keyOf(id).split('\n');
    if (id === 0 || !sets.release(id)) return;
    for (const name of folded) {
      const cuisine = cuisines.idOf(name);
      if (cuisine === undefined) continue;
      setsOfCuisine.remove(cuisine, id);
      cuisines.release(cuisine);
    }
  }

  return columns;
}

function foldCuisine(cuisine: string): string {
  return foldText(cuisine.replaceAll('\n', ' ')).trim();
}

function deliveryMinutesOf({ delivery }: Store): number {
  return minutesOf({ enabled: delivery.enabled, prepMinutes: shortestPreparation(delivery) });
}

function minutesOf(offer: { enabled: boolean; prepMinutes: readonly [number, number] }): number {
  return offer.enabled ? Math.min(NO_MINUTES - 1, Math.max(0, Math.ceil(Math.min(...offer.prepMinutes)))) : NO_MINUTES;
}
