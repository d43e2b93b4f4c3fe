import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { KnownStores } from './known-stores.cache.ts';
import type { Store } from './store.ts';

const named = (storeId: string, name: string): Store => storeOf(storeId, { name, hasCatalog: true });

/** A store database that counts its reads and answers only when released. */
function givenDatabase(...stores: Store[]) {
  const rows = new Map(stores.map((store) => [store.storeId, store]));
  const requested: string[][] = [];
  let gate: Promise<void> = Promise.resolve();
  return {
    rows,
    requested,
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async read(storeIds: readonly string[]): Promise<Store[]> {
      requested.push([...storeIds]);
      const read = storeIds.flatMap((storeId) => rows.get(storeId) ?? []);
      await gate;
      return read;
    },
  };
}

test('a store is read once, and many are read at a time', async () => {
  const database = givenDatabase(named('a', 'A'), named('b', 'B'));
  const known = new KnownStores(database);
  assert.deepEqual([...(await known.of(['a', 'b', 'none'])).keys()], ['a', 'b']);
  assert.deepEqual([...(await known.of(['b', 'a'])).keys()].sort(), ['a', 'b']);
  assert.deepEqual(database.requested, [['a', 'b', 'none']]);
});

test('a store that has changed is read again', async () => {
  const database = givenDatabase(named('a', 'old'));
  const known = new KnownStores(database);
  await known.of(['a']);
  database.rows.set('a', named('a', 'new'));
  known.forget('a');
  assert.equal((await known.of(['a'])).get('a')?.name, 'new');
});

test('a store that changes while it is read is read once more, and the older one is not kept', async () => {
  const database = givenDatabase(named('a', 'old'), named('b', 'B'));
  const known = new KnownStores(database);
  const letGo = database.hold();
  const requested = known.of(['a', 'b']);
  database.rows.set('a', named('a', 'new'));
  known.forget('a');
  known.forget('other');
  letGo();
  assert.deepEqual([...(await requested).values()].map(({ name }) => name).sort(), ['B', 'new']);
  assert.equal((await known.of(['a'])).get('a')?.name, 'new');
  assert.deepEqual(database.requested, [['a', 'b'], ['a']]);
});

test('where any store may have changed, all are read again, including those being read', async () => {
  const database = givenDatabase(named('a', 'old'), named('b', 'old'));
  const known = new KnownStores(database);
  await known.of(['b']);
  const letGo = database.hold();
  const requested = known.of(['a']);
  for (const storeId of ['a', 'b']) database.rows.set(storeId, named(storeId, 'new'));
  known.forgetAll();
  letGo();
  assert.equal((await requested).get('a')?.name, 'new');
  assert.equal((await known.of(['b'])).get('b')?.name, 'new');
});

test('no more stores are kept than there is room for', async () => {
  const database = givenDatabase(named('a', 'A'), named('b', 'B'));
  const known = new KnownStores({ read: database.read, maxStores: 1 });
  await known.of(['a']);
  await known.of(['b']);
  await known.of(['a']);
  assert.deepEqual(database.requested, [['a'], ['b'], ['a']]);
});
