import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SearchIndex } from '../../../test/given/search-index.ts';
import { arbitraryChange, arbitraryQuery } from '../../../test/oracles/arbitrary-stores.ts';
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
import type { StoreQuery } from './store-query.ts';

/** Answers show miles with two decimals. */
const ROUNDED_MILES = 0.005;

const newIndex = (): SearchIndex => new SearchIndex(openAtOf);

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

test('any query equals a linear scan of all stores after any additions, changes and removals', () => {
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

test('a page past the last store is empty, and still names the next', () => {
  const index = newIndex();
  assert.deepEqual(index.search(queryOf(), 0), { stores: [], nextPage: 1 });
  index.upsert(storeOf('only'));
  assert.deepEqual(index.search(queryOf({ page: 7 }), 0), { stores: [], nextPage: 8 });
  assert.deepEqual(index.search(queryOf({ page: 1e12 }), 0), { stores: [], nextPage: 1e12 + 1 });
});

test('hours are looked at again exactly when they may have changed', () => {
  const times: number[] = [];
  const index = new SearchIndex(() => (epochS) => {
    times.push(epochS);
    const untilS = epochS < 100 ? 100 : epochS < 200 ? 200 : Infinity;
    return { open: untilS === 200, because: null, changesAtS: untilS, untilS };
  });
  index.upsert(storeOf('a'));
  index.upsert(storeOf('b', { latitude: 41 }));
  const openAt = (epochS: number) => index.search(queryOf({ open: true }), epochS).stores.length;
  assert.deepEqual([50, 99, 100, 150, 199, 200, 300, 120].map(openAt), [0, 0, 2, 2, 2, 0, 0, 2]);
  assert.deepEqual(times, [50, 100, 200, 120]);
});
