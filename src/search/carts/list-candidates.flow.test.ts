import assert from 'node:assert/strict';
import { test } from 'node:test';
import { named, productIndexOf } from '../../../test/given/product-index.ts';
import { listCandidates, type StockedSeller } from './list-candidates.flow.ts';

/** Stores with this much milk that share one product index, nearest first. */
function givenStores(count: number, milkCount: number) {
  const { index } = productIndexOf(named(...Array.from({ length: milkCount }, (_, at) => `Brand${at} Milk`)));
  const sellers = Array.from(
    { length: count },
    (_, at) =>
      ({ storeId: `store-${at}`, terms: { mode: 'delivery' }, productIndex: index }) as unknown as StockedSeller,
  );
  const list = (max: { steps: number; moreSteps: number }, ...lines: string[]) =>
    listCandidates(
      lines.map((query) => ({ query, amount: { count: 1 }, gtin: null })),
      { sellers, max },
    );
  return { list };
}

test('beyond the steps of one cart the farthest stores are left out, and one is always searched', async () => {
  const { list } = givenStores(10, 100);
  const searched = async (steps: number) => (await list({ steps, moreSteps: 1000 }, 'milk', 'brand7')).sellers.length;
  assert.equal(await searched(1_000_000), 10);
  assert.equal(await searched(1), 1);
  const some = await searched(500);
  assert.ok(some > 1 && some < 10, `${some} of 10`);
});

test('stores that a rewrite did not reach are left out, and no rewrite is begun beyond the steps', async () => {
  const { list } = givenStores(10, 100);
  // "mi lk" is "milk" with an extra space.
  const listed = (moreSteps: number) => list({ steps: 1_000_000, moreSteps }, 'mi lk');
  const all = await listed(1_000_000);
  assert.deepEqual([all.sellers.length, all.sellers[9]?.lists[0]?.candidates.length], [10, 16]);
  const some = await listed(500);
  assert.ok(some.sellers.length > 1 && some.sellers.length < 10);
  assert.ok(some.sellers.every(({ lists }) => lists[0]?.candidates.length === 16));
  const none = await listed(0);
  assert.deepEqual([none.sellers.length, none.sellers[0]?.lists[0]?.candidates.length], [10, 0]);
});

test('without stores no line is prepared, nor any rewrite of it', async () => {
  let read = 0;
  const line = {
    amount: { count: 1 },
    gtin: null,
    get query() {
      read += 1;
      return 'mi lk';
    },
  };
  assert.deepEqual((await listCandidates([line], { sellers: [] })).sellers, []);
  assert.equal(read, 0);
});
