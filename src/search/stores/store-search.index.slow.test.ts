import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SearchIndex, shownOf, storeIdsOf } from '../../../test/given/search-index.ts';
import { arbitraryChange, arbitraryQuery, arbitraryStore } from '../../../test/oracles/arbitrary-stores.ts';
import {
  assertAgrees,
  expectedStores,
  openAtOf,
  queryOf,
  type Shown,
  storeOf,
} from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import type { Store } from '../../supply/stores/store.ts';
import { SORTS, type StoreQuery } from './store-query.ts';

/** Answers show miles with two decimals. */
const ROUNDED_MILES = 0.005;

function newIndex(): SearchIndex {
  return new SearchIndex(openAtOf);
}

/** All pages of a query up to the first empty one. */
function walk(index: SearchIndex, query: StoreQuery, nowEpochS: number, pageSize: number): Shown[] {
  const shown: Shown[] = [];
  for (let page = 0; ; page += 1) {
    const { stores, nextPage } = index.search({ ...query, page }, nowEpochS);
    assert.equal(nextPage, page + 1);
    assert.ok(stores.length <= pageSize);
    for (const { segment, slot, miles } of stores) shown.push({ storeId: segment.ids.at(slot), miles });
    if (stores.length < pageSize) return shown;
  }
}

test('any query gives what plain loops over all stores give, whatever was added, changed and removed before', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryChange, { minLength: 1, maxLength: 900, size: 'max' }),
      fc.array(fc.tuple(arbitraryQuery, fc.constantFrom(999, 1000)), { minLength: 6, maxLength: 12 }),
      (changes, queries) => {
        const index = newIndex();
        const stores = new Map<string, Store>();
        for (const change of changes) {
          if ('upsert' in change) {
            index.upsert(change.upsert);
            if (change.upsert.listed) stores.set(change.upsert.storeId, change.upsert);
            else stores.delete(change.upsert.storeId);
          } else {
            index.remove(change.remove);
            stores.delete(change.remove);
          }
        }
        assert.equal(index.count().stores, stores.size);
        for (const [query, nowEpochS] of queries) {
          const pageSize = query.text === '' ? 100 : 20;
          const shown = walk(index, query, nowEpochS, pageSize);
          assertAgrees(shown, expectedStores(stores.values(), query, nowEpochS), query, ROUNDED_MILES);
        }
      },
    ),
    { numRuns: runs(120), interruptAfterTimeLimit: 15_000 },
  );
});

test('a page asked for out of the blue is the page that a walk comes to', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryStore, { minLength: 150, maxLength: 400, size: 'max' }),
      arbitraryQuery,
      fc.nat(9),
      (stores, query, page) => {
        const [walked, asked] = [newIndex(), newIndex()];
        for (const store of stores) walked.upsert(store);
        for (const store of stores) asked.upsert(store);
        for (let i = 0; i < page; i += 1) walked.search({ ...query, page: i }, 1000);
        assert.deepEqual(
          shownOf(asked.search({ ...query, page }, 1000)),
          shownOf(walked.search({ ...query, page }, 1000)),
        );
      },
    ),
    { numRuns: runs(60), interruptAfterTimeLimit: 15_000 },
  );
});

test('a deep page asked for out of the blue is right among thousands of stores, for every order', () => {
  const [walked, asked] = [newIndex(), newIndex()];
  for (let i = 0; i < 5000; i += 1) {
    const place = { latitude: 30 + ((i * 7919) % 1000) / 50, longitude: -120 + ((i * 104_729) % 997) / 20 };
    const rating = i % 3 === 0 ? null : { value: (i % 50) / 10, count: null };
    const store = storeOf(`s${i}`, { ...place, rating, dollarSigns: i % 4 === 0 ? null : i % 4, name: 'Pizza' });
    walked.upsert(store);
    asked.upsert(store);
  }
  for (const [sort, text] of [...SORTS.map((order) => [order, ''] as const), ['relevance', 'pizza'] as const]) {
    const last = text === '' ? 45 : 200;
    for (let page = 0; page < last; page += 1) walked.search(queryOf({ sort, text, page }), 0);
    const query = queryOf({ sort, text, page: last });
    assert.deepEqual(shownOf(asked.search(query, 0)), shownOf(walked.search(query, 0)));
    assert.ok(walked.search(query, 0).stores.length > 0);
  }
});

test('a walk shows every lasting store once although others come and go between its pages', () => {
  const index = newIndex();
  for (let i = 0; i < 500; i += 1) index.upsert(storeOf(`s${i}`, { latitude: 40 + i / 1000 }));
  const shown: string[] = [];
  for (let page = 0; page < 8; page += 1) {
    shown.push(...storeIdsOf(index.search(queryOf({ latitude: 40, page }), page)));
    for (let i = 0; i < 30; i += 1) index.upsert(storeOf(`new${page}-${i}`, { latitude: 40 }));
    for (let i = 0; i < 10; i += 1) index.remove(`s${page * 10 + i}`);
  }
  const lasting = Array.from({ length: 420 }, (_, i) => `s${i + 80}`);
  assert.equal(new Set(shown).size, shown.length);
  assert.deepEqual(
    lasting.filter((id) => !shown.includes(id)),
    [],
  );
});

test('a page past the last store is empty, and still names the next', () => {
  const index = newIndex();
  assert.deepEqual(index.search(queryOf(), 0), { stores: [], nextPage: 1 });
  index.upsert(storeOf('only'));
  assert.deepEqual(index.search(queryOf({ page: 7 }), 0), { stores: [], nextPage: 8 });
  assert.deepEqual(index.search(queryOf({ page: 1e12 }), 0), { stores: [], nextPage: 1e12 + 1 });
});

test('hours are looked at again exactly when they may have changed', () => {
  const asked: number[] = [];
  const index = new SearchIndex(() => (epochS) => {
    asked.push(epochS);
    const untilS = epochS < 100 ? 100 : epochS < 200 ? 200 : Infinity;
    return { open: untilS === 200, because: null, changesAtS: untilS, untilS };
  });
  index.upsert(storeOf('a'));
  index.upsert(storeOf('b', { latitude: 41 }));
  const openAt = (epochS: number) => index.search(queryOf({ open: true }), epochS).stores.length;
  assert.deepEqual([50, 99, 100, 150, 199, 200, 300, 120].map(openAt), [0, 0, 2, 2, 2, 0, 0, 2]);
  assert.deepEqual(asked, [50, 100, 200, 120]);
});

test('a name of thousands of stores is found near and far, with and without a radius', () => {
  const index = newIndex();
  const stores: Store[] = [];
  for (let i = 0; i < 9000; i += 1) {
    const [name, latitude, longitude] =
      i % 500 === 0
        ? ['Eight Bells', 47, -122]
        : i % 2 === 0
          ? ['Seven Bells', 47, -122]
          : i % 3 === 0
            ? ['Eight Bells', 25, -80]
            : ['Nine', 25.5, -80.5];
    const place = { latitude: latitude + (i % 89) / 90, longitude: longitude + (i % 97) / 90 };
    stores.push(storeOf(`s${i}`, { name, ...place, rating: { value: i % 5, count: null } }));
  }
  for (const store of stores) index.upsert(store);
  for (const [latitude, longitude] of [
    [47.5, -121.5],
    [25.5, -80],
  ] as const) {
    for (const change of [{}, { maximumMiles: 20 }, { sort: 'rating' as const }]) {
      for (const text of ['bells', 'seven', 'eight bells', 'seevn', 'nine']) {
        const query = queryOf({ latitude, longitude, text, ...change });
        const shown = walk(index, query, 1000, 20);
        assertAgrees(shown, expectedStores(stores, query, 1000), query, ROUNDED_MILES);
      }
    }
  }
});
