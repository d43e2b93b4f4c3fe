import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { compareRanks, expectedStores, openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import type { Store } from '../../supply/stores/store.ts';
import type { StoreQuery } from './store-query.ts';

/** Enough stores for about ten tree nodes with lists, some inside a radius and some across its boundary. */
const STORES = 2500;
const CHANGES = 150;
const CUISINES = ['thai', 'greek', 'pizza', 'rare'];

/** Tenths, values one floating-point step away from tenths, ratings beyond all fiftieths, and null. */
const arbitraryRating = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 30, max: 50 }).map((tenths) => tenths / 10),
  fc.constantFrom(5, 5, 4.9, 3.3000000000000003, 3.3, 4.3, 4.300000000000001, 0, 5.3, 7),
);

const arbitraryPlaced = fc.record({
  nth: fc.integer({ min: 0, max: 2 ** 30 }),
  rating: arbitraryRating,
  cuisine: fc.constantFrom(...CUISINES, 'thai', 'thai', 'pizza', 'pizza'),
  type: fc.constantFrom<Store['type']>('restaurant', 'restaurant', 'grocery'),
});

const arbitraryQuery = fc.record({
  latitude: fc.constantFrom(40.7, 35.1),
  longitude: fc.constantFrom(-74, -90.2),
  cuisine: fc.constantFrom(null, ...CUISINES),
  minimumRating: fc.constantFrom(null, 3.3, 4.3, 4.9, 6),
  maximumMiles: fc.constantFrom(null, null, 5, 30, 600),
  storeType: fc.constantFrom<StoreQuery['storeType']>(null, null, 'grocery'),
  sort: fc.constantFrom<StoreQuery['sort']>('rating', 'rating', 'relevance'),
  page: fc.constantFrom(0, 0, 1, 3),
});

type Placed = typeof arbitraryPlaced extends fc.Arbitrary<infer Value> ? Value : never;

function storeFrom(number: number, { nth, rating, cuisine, type }: Placed): Store {
  const rated = rating === null ? null : { value: rating, count: 1 };
  return storeOf(`s${number}`, { ...scatteredPoint(number + nth), type, cuisines: [cuisine], rating: rated });
}

/** Scattered by two irrational steps, so that no two stores have the same distance; half of them are in a city. */
function scatteredPoint(nth: number): { latitude: number; longitude: number } {
  const [north, east] = [(nth * 0.618034) % 1, (nth * 0.754878) % 1];
  if (nth % 2 === 0) return { latitude: 40.6 + 0.3 * north, longitude: -74.1 + 0.2 * east };
  return { latitude: 30 + 18 * north, longitude: -120 + 50 * east };
}

function expectedIds(stores: Iterable<Store>, query: StoreQuery): string[] {
  const within = expectedStores(stores, query, 0).filter(({ miles }) => miles <= (query.maximumMiles ?? Infinity));
  const sorted = within.sort((a, b) => compareRanks(a, b) || a.miles - b.miles);
  return sorted.slice(query.page * 100, (query.page + 1) * 100).map(({ storeId }) => storeId);
}

function foundIds(index: SearchIndex, query: StoreQuery): string[] {
  return storeIdsOf(index.search(query, 0));
}

test('searches by rating and by cuisine and rating find what a scan finds, after each change of stores too', () => {
  const [placed, queries, changes] = [
    fc.sample(arbitraryPlaced, { numRuns: STORES, seed: 7 }),
    fc.sample(arbitraryQuery, { numRuns: 60, seed: 8 }),
    fc.sample(fc.record({ number: fc.nat(STORES - 1), to: fc.option(arbitraryPlaced) }), { numRuns: CHANGES, seed: 9 }),
  ];
  const index = new SearchIndex(openAtOf);
  const stores = new Map(placed.map((place, number) => [number, storeFrom(number, place)]));
  for (const store of stores.values()) index.upsert(store);
  for (const [nth, query] of queries.entries()) {
    const asked = queryOf(query);
    assert.deepEqual(foundIds(index, asked), expectedIds(stores.values(), asked), JSON.stringify(query));
    for (const { number, to } of changes.slice(nth * 2, nth * 2 + 2)) {
      if (to === null) stores.delete(number);
      else stores.set(number, storeFrom(number, to));
      const now = stores.get(number);
      if (now === undefined) index.remove(`s${number}`);
      else index.upsert(now);
    }
  }
});
