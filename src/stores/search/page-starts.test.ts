import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import type { Store } from '../store.ts';
import { createStoreIndex, type StoreIndex } from './store.index.ts';
import type { StoreQuery } from './store-query.ts';

const STORES = 6000;
const NOW = 2000;

/** Stores scattered by two irrational turns, some at one point; most queries below leave thousands of them. */
function givenStores(): StoreIndex {
  const index = createStoreIndex({ openAtOf });
  const { pickup, hours } = storeOf('any');
  for (let n = 0; n < STORES; n += 1) {
    const isCrowd = n % 10 === 0;
    index.upsert(
      storeOf(`s${n}`, {
        name: n % 8 === 0 ? `Corner ${n}` : 'Pizza',
        latitude: isCrowd ? 38 : 30 + 15 * ((n * 0.618034) % 1),
        longitude: isCrowd ? -100 : -120 + 40 * ((n * 0.754878) % 1),
        type: n % 9 === 0 ? 'grocery' : 'restaurant',
        dollarSigns: n % 7 === 0 ? null : 1 + (n % 2),
        rating: ratingOf(n),
        cuisines: n % 5 === 0 ? ['thai'] : ['pizza', 'italian'],
        pickup: { ...pickup, enabled: n % 11 !== 0 },
        hours: { ...hours, operational: n % 13 === 0 ? null : hours.operational },
        sandboxAccounts: n % 17 === 0 ? ['acc_owner'] : null,
      }),
    );
  }
  return index;
}

/** 2.01 and 2.02 are the same in fiftieths. */
function ratingOf(n: number): Store['rating'] {
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

function pageOf(index: StoreIndex, query: StoreQuery): unknown[] {
  const { ordinals, miles } = index.search(query, NOW);
  return ordinals.map((ordinal, i) => [index.storeIdAt(ordinal), miles[i]]);
}

test('a far page that is found in steps is the page that a walk comes to, whatever the filters and the sort', () => {
  const [walked, asked] = [givenStores(), givenStores()];
  for (const changes of QUERIES) {
    const query = queryOf({ ...HERE, ...changes });
    const last = query.text === '' ? 31 : 151;
    for (let page = 0; page < last; page += 1) walked.search({ ...query, page }, NOW);
    const far = { ...query, page: last };
    assert.equal(asked.isPageNear(far, NOW), false);
    for (const _step of asked.findPage(far, NOW));
    assert.equal(asked.isPageNear(far, NOW), true);
    assert.equal(walked.isPageNear(far, NOW), true);
    const page = pageOf(asked, far);
    assert.deepEqual(page, pageOf(walked, far), JSON.stringify(changes));
    assert.ok(page.length > 0, JSON.stringify(changes));
  }
});

test('a page by rating among the stores without a rating, or of two ratings of one bucket, is the page of a walk', () => {
  const [walked, asked] = [givenStores(), givenStores()];
  for (const changes of [{}, { pickup: true, maximumMiles: 900 }]) {
    const query = queryOf({ ...HERE, ...changes, sort: 'rating' });
    for (let page = 0; page < 60; page += 1) {
      const there = { ...query, page };
      for (const _step of asked.findPage(there, NOW));
      assert.deepEqual(pageOf(asked, there), pageOf(walked, there), `${JSON.stringify(changes)} ${page}`);
    }
  }
});

test('a far page past the last store that a filter leaves is empty', () => {
  const index = givenStores();
  for (const changes of [{ storeType: 'grocery' }, { cuisine: 'thai' }, { text: 'corner', sort: 'rating' }] as const) {
    const query = queryOf({ ...HERE, ...changes, page: 'text' in changes ? 200 : 45 });
    for (const _step of index.findPage(query, NOW));
    assert.deepEqual(pageOf(index, query), []);
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
      new Set(pageOf(index, query).map((shown) => (shown as [string])[0])).size,
      pageOf(index, query).length,
    );
  }
});
