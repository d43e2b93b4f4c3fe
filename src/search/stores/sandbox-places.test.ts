import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import type { Sandbox } from '../../access/accounts/account.ts';
import { isVisibleTo, type Store } from '../../supply/stores/store.ts';
import { SORTS, type StoreQuery } from './store-query.ts';

const NAMES = "Joe's Pizza,Joes Piza,Burger Barn,Burgerbarn,Pizza Near Me,Cafe 21,Café Twenty One,Barn".split(',');
const TEXTS = ',joes pizza,joe piza,burger barn,burgerbarn,pizza near me,cafe 21,pizza springfield,brn'.split(',');
const SANDBOXES: readonly Sandbox[] = [null, 'acc_a', 'acc_b', 'acc_c'];

const arbitraryStore = fc.record({
  name: fc.constantFrom(...NAMES),
  spot: fc.nat(400),
  city: fc.constantFrom('New York', 'Springfield'),
  owners: fc.oneof(
    fc.constant(null),
    fc.uniqueArray(fc.constantFrom('acc_a', 'acc_b'), { minLength: 1, maxLength: 2 }),
  ),
});
type Drawn = { name: string; spot: number; city: string; owners: string[] | null };

function storeAt({ name, spot, city, owners }: Drawn, n: number): Store {
  const address = { ...storeOf('any').address, city };
  return storeOf(`s${String(n).padStart(3, '0')}`, {
    name,
    address,
    sandboxAccounts: owners,
    latitude: 40.7 + spot / 1000,
    longitude: -73.99,
  });
}

/** All pages of a search, as ids. */
function searchAllIds(stores: Iterable<Store>, query: StoreQuery): string[] {
  const index = new SearchIndex(openAtOf);
  for (const store of stores) index.upsert(store);
  return walkPages(index, query);
}

function walkPages(index: SearchIndex, query: StoreQuery): string[] {
  const ids: string[] = [];
  for (let page = 0; ; page += 1) {
    const { stores } = index.search({ ...query, page }, 0);
    if (stores.length === 0) return ids;
    ids.push(...storeIdsOf({ stores }));
  }
}

test('each sandbox, and live callers, find exactly the stores of an index that has only the stores that exist for them', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryStore, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...TEXTS),
      fc.constantFrom(...SORTS),
      (drawn, text, sort) => {
        const stores = drawn.map(storeAt);
        const index = new SearchIndex(openAtOf);
        for (const store of stores) index.upsert(store);
        for (const sandbox of SANDBOXES) {
          const query = queryOf({ text, sort, sandbox });
          const shown = stores.filter((store) => isVisibleTo(store, sandbox));
          assert.deepEqual(walkPages(index, query), searchAllIds(shown, query));
          for (const { storeId } of stores) {
            const isShown = shown.some((store) => store.storeId === storeId);
            assert.equal(index.nearestOf(storeId, queryOf({ sandbox }), 0) !== undefined, isShown);
          }
          const near = index.nearest(queryOf({ sandbox }), 100, 0).map(({ storeId }) => storeId);
          assert.deepEqual(near.toSorted(), shown.map(({ storeId }) => storeId).toSorted());
          const twins = index.nearestNamed('burger barn', query, sandbox, 100);
          const sameName = shown.filter(({ name }) => name === 'Burger Barn');
          assert.deepEqual(twins.toSorted(), sameName.map(({ storeId }) => storeId).toSorted());
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

test('a store that becomes everyone’s, another sandbox’s, or leaves is seen so at once, for queries that were asked before', () => {
  const index = new SearchIndex(openAtOf);
  const drawn = { name: "Joe's Pizza", spot: 1, city: 'New York', owners: ['acc_a'] };
  const countOf = (sandbox: Sandbox) => walkPages(index, queryOf({ text: 'joes pizza', sandbox })).length;
  const seen = () => [null, 'acc_a', 'acc_b'].map(countOf);
  index.upsert(storeAt(drawn, 1));
  assert.deepEqual(seen(), [0, 1, 0]);
  index.upsert(storeAt({ ...drawn, owners: ['acc_a', 'acc_b'] }, 1));
  assert.deepEqual(seen(), [0, 1, 1]);
  index.upsert(storeAt({ ...drawn, owners: null } as unknown as Drawn, 1));
  assert.deepEqual(seen(), [1, 1, 1]);
  index.remove('s001');
  assert.deepEqual(seen(), [0, 0, 0]);
});

test('a place of a sandbox is found among the many stores of its name', () => {
  const index = new SearchIndex(openAtOf);
  for (let n = 1; n <= 1200; n += 1) {
    index.upsert(
      storeAt({ name: 'Burger Barn', spot: n % 400, city: 'New York', owners: null } as unknown as Drawn, n),
    );
  }
  index.upsert(storeAt({ name: 'Burger Barn', spot: 0, city: 'New York', owners: ['acc_a'] }, 0));
  const nearest = (sandbox: Sandbox) =>
    index.nearestNamed('burger barn', storeOf('any', { latitude: 40.7, longitude: -73.99 }), sandbox, 1);
  assert.deepEqual(nearest('acc_a'), ['s000']);
  for (const other of [null, 'acc_b']) assert.notDeepEqual(nearest(other), ['s000']);
});
