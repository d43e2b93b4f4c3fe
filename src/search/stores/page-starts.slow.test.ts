import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchIndex } from '../../../test/given/search-index.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import type { Store } from '../../supply/stores/store.ts';
import type { StoreQuery } from './store-query.ts';

const STORES = 6000;
const NOW = 2000;

/** Stores scattered by two irrational rotations, some at the same point; most queries below match thousands of them. */
function givenStores(): SearchIndex {
  const index = new SearchIndex(openAtOf);
  const { pickup, hours } = storeOf('any');
  for (let n = 0; n < STORES; n += 1) {
    index.upsert(
      storeOf(`s${n}`, {
        name: n % 8 === 0 ? `Corner ${n}` : 'Pizza',
        ...scatteredPoint(n),
        type: n % 9 === 0 ? 'grocery' : 'restaurant',
        dollarSigns: n % 7 === 0 ? null : 1 + (n % 2),
        rating: givenRating(n),
        cuisines: n % 5 === 0 ? ['thai'] : ['pizza', 'italian'],
        pickup: { ...pickup, enabled: n % 11 !== 0 },
        hours: { ...hours, operational: n % 13 === 0 ? null : hours.operational },
        sandboxAccounts: n % 17 === 0 ? ['acc_owner'] : null,
      }),
    );
  }
  return index;
}

/** Every tenth store is at the same point. */
function scatteredPoint(n: number): { latitude: number; longitude: number } {
  if (n % 10 === 0) return { latitude: 38, longitude: -100 };
  return { latitude: 30 + 15 * ((n * 0.618034) % 1), longitude: -120 + 40 * ((n * 0.754878) % 1) };
}

/** 2.01 and 2.02 round to the same fiftieth. */
function givenRating(n: number): Store['rating'] {
  if (n % 6 === 0) return null;
  return { value: n % 5 === 1 ? 2 + ((n >> 3) % 5) / 100 : (n % 50) / 10, count: null };
}

const HERE = { latitude: 38, longitude: -100 };

const QUERIES: Partial<StoreQuery>[] = [
  {},
  { pickup: true },
  { storeType: 'restaurant', pickup: true },
  { sandbox: 'acc_owner' },
  { open: true },
  { maximumMiles: 800 },
  { viewport: { south: 29, north: 44, west: -119, east: -81 } },
  { cuisine: 'Pizza' },
  { minimumRating: 1.2 },
  { sort: 'rating' },
  { sort: 'rating', maximumMiles: 900, pickup: true },
  { sort: 'cheapest' },
  { sort: 'cheapest', open: true },
  { sort: 'fastest' },
  { text: 'pizza' },
  { text: 'pizza', sort: 'rating' },
];

const searchPage = (index: SearchIndex, query: StoreQuery): unknown[] =>
  index.search(query, NOW).stores.map(({ segment, slot, miles }) => [segment.ids.at(slot), miles]);

test('a far page that is found in steps is the page that a walk comes to, whatever the filters and the sort', () => {
  const [walked, near] = [givenStores(), givenStores()];
  for (const changes of QUERIES) {
    const query = queryOf({ ...HERE, ...changes });
    const last = query.text === '' ? 31 : 151;
    for (let page = 0; page < last; page += 1) walked.search({ ...query, page }, NOW);
    const far = { ...query, page: last };
    assert.equal(near.isPageNear(far, NOW), false);
    for (const _step of near.findPage(far, NOW));
    assert.equal(near.isPageNear(far, NOW), true);
    assert.equal(walked.isPageNear(far, NOW), true);
    const page = searchPage(near, far);
    assert.deepEqual(page, searchPage(walked, far), JSON.stringify(changes));
    assert.ok(page.length > 0, JSON.stringify(changes));
  }
});

test('a far page by rating is the page of a walk among unrated stores and shared fiftieths, after changes too', () => {
  const [walked, near] = [givenStores(), givenStores()];
  for (const latitude of [38, 39]) {
    for (const changes of [{}, { pickup: true }, { maximumMiles: 900 }]) {
      const query = queryOf({ ...HERE, ...changes, latitude, sort: 'rating' });
      for (let page = 0; page < 60; page += 1) {
        const there = { ...query, page };
        for (const _step of near.findPage(there, NOW));
        assert.deepEqual(searchPage(near, there), searchPage(walked, there), `${JSON.stringify(changes)} ${page}`);
      }
    }
    for (const index of [walked, near]) changeStores(index);
  }
});

/** Every third store is removed or gets another price and rating. */
function changeStores(index: SearchIndex): void {
  for (let n = 0; n < STORES; n += 3) {
    const { latitude, longitude } = scatteredPoint(n);
    const rating = n % 2 === 0 ? { value: 1.5, count: null } : null;
    if (n % 4 === 0) index.remove(`s${n}`);
    else index.upsert(storeOf(`s${n}`, { name: 'Pizza', latitude, longitude, rating, dollarSigns: 1 + (n % 3) }));
  }
}

test('a page that was ranked with its start shows the stores of now once a store has changed', () => {
  const [walked, near] = [givenStores(), givenStores()];
  for (const changes of [{}, { pickup: true }, { sort: 'rating' }, { sort: 'cheapest' }] as const) {
    const far = queryOf({ ...HERE, ...changes, page: 23 });
    for (let page = 0; page < far.page; page += 1) walked.search({ ...far, page }, NOW);
    for (const _step of near.findPage(far, NOW));
    const [first, second] = searchPage(near, far).map((shown) => (shown as [string])[0]) as [string, string];
    for (const index of [walked, near]) {
      index.remove(first);
      index.upsert(storeOf(second, { latitude: 30, longitude: -120, name: 'Pizza' }));
    }
    const page = searchPage(near, far);
    assert.deepEqual(page, searchPage(walked, far), JSON.stringify(changes));
    assert.ok(page.every((shown) => (shown as [string])[0] !== first));
  }
});

test('a far page past the last store that a filter leaves is empty', () => {
  const index = givenStores();
  for (const changes of [{ storeType: 'grocery' }, { cuisine: 'thai' }, { text: 'corner', sort: 'rating' }] as const) {
    const query = queryOf({ ...HERE, ...changes, page: 'text' in changes ? 200 : 45 });
    for (const _step of index.findPage(query, NOW));
    assert.deepEqual(searchPage(index, query), []);
  }
});

test('stores that come, move and go between the steps take nothing from a far page but their own places', () => {
  const index = givenStores();
  for (const changes of QUERIES) {
    const query = queryOf({ ...HERE, ...changes, page: changes.text === undefined ? 25 : 110 });
    let step = 0;
    for (const _step of index.findPage(query, NOW)) {
      const id = `s${(step * 37) % STORES}`;
      if (step % 3 === 0) index.remove(id);
      else index.upsert(storeOf(step % 3 === 1 ? `new${step}` : id, { ...HERE, name: 'Pizza' }));
      step += 1;
    }
    assert.equal(
      new Set(searchPage(index, query).map((shown) => (shown as [string])[0])).size,
      searchPage(index, query).length,
    );
  }
});
