import assert from 'node:assert/strict';
import { test } from 'node:test';
import { named, shelfOf } from '../../test/given-product-index.ts';
import { createLexicon } from '../catalog/search/product-terms.index.ts';
import { createSlice } from '../lib/slice.ts';
import { listGoods, type Stocked } from './list-candidates.flow.ts';

/** Stores with the same shelf of so much milk, nearest first. */
function givenStores(count: number, milkCount: number) {
  const lexicon = createLexicon();
  const { shelf } = shelfOf(named(...Array.from({ length: milkCount }, (_, at) => `Brand${at} Milk`)), lexicon);
  const stocked = Array.from(
    { length: count },
    (_, at) => ({ seller: { storeId: `store-${at}`, terms: { mode: 'delivery' } }, shelf }) as unknown as Stocked,
  );
  const list = (most: { steps: number; moreSteps: number }, ...lines: string[]) =>
    listGoods(
      lines.map((query) => ({ query, quantity: 1, gtin: null })),
      { lexicon, stocked, slice: createSlice(), most },
    );
  return { list };
}

test('beyond the steps of one cart the farthest stores are left out, and one is always looked at', async () => {
  const { list } = givenStores(10, 100);
  const looked = async (steps: number) => (await list({ steps, moreSteps: 1000 }, 'milk', 'brand7')).sellers.length;
  assert.equal(await looked(1_000_000), 10);
  assert.equal(await looked(1), 1);
  const some = await looked(500);
  assert.ok(some > 1 && some < 10, `${some} of 10`);
});

test('stores that another reading did not come to are left out, and no reading is begun beyond the steps', async () => {
  const { list } = givenStores(10, 100);
  // "mi lk" is milk with a space too many.
  const listed = (moreSteps: number) => list({ steps: 1_000_000, moreSteps }, 'mi lk');
  const all = await listed(1_000_000);
  assert.deepEqual([all.sellers.length, all.sellers[9]?.lists[0]?.numbers.length], [10, 16]);
  const some = await listed(500);
  assert.ok(some.sellers.length > 1 && some.sellers.length < 10);
  assert.ok(some.sellers.every(({ lists }) => lists[0]?.numbers.length === 16));
  const none = await listed(0);
  assert.deepEqual([none.sellers.length, none.sellers[0]?.lists[0]?.numbers.length], [10, 0]);
});
