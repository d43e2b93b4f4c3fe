import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cell, narrow } from '../halved-cell.ts';
import { createStoreSequence, type SpottedStore } from './store-sequence.ts';

/** As near to where the earth is halved as numbers are. */
const NEAR_ZERO = -Number.MIN_VALUE;

const arbitraryStores = fc
  .array(
    fc.record({
      latitude: fc.oneof(fc.constantFrom(-90, NEAR_ZERO, 0, 90), fc.double({ min: -90, max: 90, noNaN: true })),
      longitude: fc.oneof(fc.constantFrom(-180, NEAR_ZERO, 0, 180), fc.double({ min: -180, max: 180, noNaN: true })),
      bytes: fc.nat(1000),
    }),
    { maxLength: 300 },
  )
  .map((stores) => stores.map((store, nth): SpottedStore => ({ storeId: `s${nth}`, ...store })));

function batchesOf(stores: readonly SpottedStore[], bounds = { stores: 50, bytes: 2000 }): string[][] {
  const sequence = createStoreSequence();
  for (const store of stores) sequence.add(store);
  return [...sequence.batches(bounds)];
}

test('the sequence has every store once, in batches within their bounds', () => {
  fc.assert(
    fc.property(arbitraryStores, (stores) => {
      const batches = batchesOf(stores);
      assert.deepEqual(batches.flat().sort(), stores.map(({ storeId }) => storeId).sort());
      const bytesOf = new Map(stores.map(({ storeId, bytes }) => [storeId, bytes]));
      for (const batch of batches) {
        const bytes = batch.reduce((sum, storeId) => sum + (bytesOf.get(storeId) as number), 0);
        assert.ok(batch.length > 0 && batch.length <= 50 && (bytes <= 2000 || batch.length === 1));
      }
    }),
  );
});

/** The halves that the search tree takes down to the cell of a store. */
function halvesOf({ latitude, longitude }: SpottedStore, halvings: number): string {
  const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
  return Array.from({ length: halvings }, (_, depth) => narrow(cell, depth, latitude, longitude)).join('');
}

test('stores of one quarter of the earth, of one quarter of that and so on follow each other', () => {
  fc.assert(
    fc.property(arbitraryStores, fc.integer({ min: 1, max: 16 }), (stores, depth) => {
      const of = new Map(stores.map((store) => [store.storeId, store]));
      const cells = batchesOf(stores)
        .flat()
        .map((storeId) => halvesOf(of.get(storeId) as SpottedStore, 2 * depth));
      const runs = cells.filter((cell, nth) => cell !== cells[nth - 1]);
      assert.equal(runs.length, new Set(runs).size);
    }),
  );
});
