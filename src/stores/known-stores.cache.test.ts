import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeOf } from '../../test/oracles/store-search.ts';
import { createKnownStores } from './known-stores.cache.ts';
import type { Store } from './store.ts';

const named = (storeId: string, name: string): Store => storeOf(storeId, { name, hasCatalogue: true });

/** A database of stores that counts its reads, and answers when it is let. */
function givenDatabase(...stores: Store[]) {
  const rows = new Map(stores.map((store) => [store.storeId, store]));
  const asked: string[][] = [];
  let gate: Promise<void> = Promise.resolve();
  return {
    rows,
    asked,
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async read(storeIds: readonly string[]): Promise<Store[]> {
      asked.push([...storeIds]);
      const read = storeIds.flatMap((storeId) => rows.get(storeId) ?? []);
      await gate;
      return read;
    },
  };
}

test('a store is read once, and many are read at a time', async () => {
  const database = givenDatabase(named('a', 'A'), named('b', 'B'));
  const known = createKnownStores(database);
  assert.deepEqual([...(await known.of(['a', 'b', 'none'])).keys()], ['a', 'b']);
  assert.deepEqual([...(await known.of(['b', 'a'])).keys()].sort(), ['a', 'b']);
  assert.deepEqual(database.asked, [['a', 'b', 'none']]);
});

test('what the change feed tells is answered from then on', async () => {
  const database = givenDatabase(named('a', 'old'));
  const known = createKnownStores(database);
  await known.of(['a']);
  known.apply(named('a', 'new'));
  assert.equal((await known.of(['a'])).get('a')?.name, 'new');
});

test('a read that was under way while the feed told a store does not bring the older one back', async () => {
  const database = givenDatabase(named('a', 'old'));
  const known = createKnownStores({ read: database.read, maxStores: 1 });
  const letGo = database.hold();
  const asked = known.of(['a']);
  known.apply(named('a', 'new'));
  known.apply(named('other', 'pushes the first out'));
  letGo();
  assert.equal((await asked).get('a')?.name, 'new');
  database.rows.set('a', named('a', 'new'));
  assert.equal((await known.of(['a'])).get('a')?.name, 'new');
});

test('no more stores are kept than there is room for, and none without a catalogue', async () => {
  const database = givenDatabase(named('a', 'A'), named('b', 'B'));
  const known = createKnownStores({ read: database.read, maxStores: 1 });
  await known.of(['a']);
  await known.of(['b']);
  await known.of(['a']);
  assert.deepEqual(database.asked, [['a'], ['b'], ['a']]);
  known.apply({ ...named('a', 'A'), hasCatalogue: false });
  await known.of(['a']);
  assert.equal(database.asked.length, 4);
});
