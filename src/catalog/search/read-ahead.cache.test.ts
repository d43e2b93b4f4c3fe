import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { createLog } from '../../lib/log.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { createReadAhead } from './read-ahead.cache.ts';

// No service runs beside these tests: one that clears a timer of an earlier test's clock takes another timer off this one.
const log = createLog('silent');

/** Product indexes that tell what is read. */
function fakeIndexes() {
  const reads: string[][] = [];
  const state = { productCount: 0, fault: undefined as Error | undefined };
  const of: ProductIndexes['of'] = async (storeIds) => {
    if (state.fault) throw state.fault;
    reads.push([...storeIds]);
    state.productCount += storeIds.length;
    return new Map();
  };
  return {
    reads,
    state,
    productIndexes: {
      of,
      get productCount() {
        return state.productCount;
      },
    },
  };
}
const seller = (storeId: string) => ({ storeId, listed: true, hasCatalogue: true });

test('nothing is read before all stores are known, nor for stores that sell nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, productIndexes } = fakeIndexes();
  let isLoaded = false;
  const ahead = createReadAhead({ productIndexes, isLoaded: () => isLoaded, maxProducts: 100, log });
  for (const storeId of ['a', 'b', 'c', 'd']) ahead.note(seller(storeId));
  ahead.note({ ...seller('b'), listed: false });
  ahead.note({ ...seller('c'), hasCatalogue: false });
  await passTime(t, 3);
  assert.deepEqual(reads, []);
  isLoaded = true;
  await passTime(t, 2);
  assert.deepEqual(reads, [['a', 'd']]);
  assert.equal(ahead.waiting, 0);
  await ahead.close();
});

test('reading ends at the bound on products, and goes on for a store that changes once there is room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, state, productIndexes } = fakeIndexes();
  const ahead = createReadAhead({ productIndexes, isLoaded: () => true, maxProducts: 50, log });
  for (let nth = 0; nth < 90; nth += 1) ahead.note(seller(`store ${nth}`));
  await passTime(t, 10);
  assert.deepEqual(
    reads.map(({ length }) => length),
    [25, 25],
  );
  assert.equal(ahead.waiting, 0);
  state.productCount -= 1;
  ahead.note(seller('store 7'));
  await passTime(t, 2);
  assert.deepEqual(reads.at(-1), ['store 7']);
  await ahead.close();
});

test('a read that fails is tried again, and a closed node reads no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, state, productIndexes } = fakeIndexes();
  const ahead = createReadAhead({ productIndexes, isLoaded: () => true, maxProducts: 50, log });
  state.fault = new Error('no database');
  ahead.note(seller('a'));
  await passTime(t, 3);
  assert.equal(ahead.waiting, 1);
  state.fault = undefined;
  await passTime(t, 2);
  assert.deepEqual(reads, [['a']]);
  await ahead.close();
  ahead.note(seller('b'));
  await passTime(t, 3);
  assert.deepEqual(reads, [['a']]);
});

/** Lets so many of the longest pauses pass, and everything that follows from each. */
async function passTime({ mock }: Pick<TestContext, 'mock'>, pauses: number): Promise<void> {
  for (let nth = 0; nth < pauses; nth += 1) {
    mock.timers.tick(2000);
    await nextTurn();
  }
}
