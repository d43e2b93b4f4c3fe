import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arbitraryChange, arbitraryQuery } from '../../../test/oracles/arbitrary-stores.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import { createStoreIndex, type StoreIndex } from './store.index.ts';
import { SORTS, type StoreQuery } from './store-query.ts';

type Change = typeof arbitraryChange extends fc.Arbitrary<infer Value> ? Value : never;

function take(indexes: readonly StoreIndex[], changes: readonly Change[]): void {
  for (const change of changes) {
    for (const index of indexes) {
      if ('upsert' in change) index.upsert(change.upsert);
      else index.remove(change.remove);
    }
  }
}

/** An index that takes one store after the other into its tree: its load has ended before the first. */
function givenEmptyIndex(): StoreIndex {
  const index = createStoreIndex({ openAtOf });
  for (const _step of index.finishLoad());
  return index;
}

function answerOf(index: StoreIndex, query: StoreQuery): string {
  return index.writePage(index.search(query, 1000), 1000).toString();
}

/** Every sort, with the filters of the query and with its area alone. */
function asked(query: StoreQuery): StoreQuery[] {
  const { latitude, longitude } = query;
  return SORTS.flatMap((sort) => [
    { ...query, sort },
    { ...queryOf({ latitude, longitude, sort }), viewport: query.viewport, deliversHere: query.deliversHere },
  ]);
}

test('an index that is loaded at once answers as one that took store after store, before and after changes', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryChange, { minLength: 1, maxLength: 700, size: 'max' }),
      fc.nat(20),
      fc.array(arbitraryChange, { maxLength: 200, size: 'max' }),
      fc.array(arbitraryQuery, { minLength: 4, maxLength: 6 }),
      (loads, steps, changes, queries) => {
        const both = [createStoreIndex({ openAtOf }), givenEmptyIndex()] as const;
        const assertEqual = (query: StoreQuery) => assert.equal(answerOf(both[0], query), answerOf(both[1], query));
        take(both, loads);
        const ending = both[0].finishLoad();
        for (let step = 0; step < steps && !ending.next().done; step += 1);
        // A change that comes before the last step of the load is in its tree.
        take(both, changes.slice(0, 3));
        queries.slice(0, 2).flatMap(asked).forEach(assertEqual);
        take(both, changes.slice(3));
        queries.flatMap(asked).forEach(assertEqual);
      },
    ),
    { numRuns: runs(25), interruptAfterTimeLimit: 8000 },
  );
});

test('a search during the load sees every store that has come, and stores that come later are seen too', () => {
  const index = createStoreIndex({ openAtOf });
  const idsOf = (page = index.search(queryOf(), 1000)) => page.ordinals.map((ordinal) => index.storeIdAt(ordinal));
  for (let n = 0; n < 70; n += 1) index.upsert(storeOf(`s${n}`, { latitude: 40.7 + (n % 7) / 100 }));
  assert.equal(idsOf().length, 70);
  index.upsert(storeOf('later'));
  assert.equal(idsOf()[0], 'later');
});
