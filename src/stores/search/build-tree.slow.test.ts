import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import { DOUBLES_OF_NODE, WORDS_OF_NODE } from './nodes/node-summaries.ts';
import { createSpatialIndex, type SpatialIndex } from './spatial.index.ts';
import { BLOCK_SIZE, NONE, ordinalAt } from './spatial-tree.ts';
import { createStoreColumns } from './store-columns.index.ts';

const arbitraryPlaces = fc.array(
  fc.record({
    latitude: fc.oneof(fc.constantFrom(-90, 0, 45, 90), fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: fc.oneof(fc.constantFrom(-180, 0, 90, 180), fc.double({ min: -180, max: 180, noNaN: true })),
    copies: fc.constantFrom(1, 1, 1, 40),
    reach: fc.constantFrom(-1, 0.001, 0.2),
    stars: fc.constantFrom(null, 3, 4.5),
  }),
  { maxLength: 150, size: 'max' },
);

/** A zero has no sign here. */
const numbersOf = (numbers: Float64Array): number[] => Array.from(numbers, (number) => number + 0);

/** What a node is and has, and what its children are. */
function shapeOf(index: SpatialIndex, node = 0): unknown {
  const facts = {
    box: numbersOf(index.boxes.subarray(node * 6, node * 6 + 6)),
    bounds: numbersOf(index.bounds.subarray(node * 4, node * 4 + 4)),
    reach: index.reaches[node],
    rating: index.summaries.ratings[node * DOUBLES_OF_NODE],
    words: [...index.summaries.words.subarray(node * WORDS_OF_NODE + 2, (node + 1) * WORDS_OF_NODE)],
  };
  const first = index.firstChild[node] as number;
  if (first !== NONE) return { ...facts, children: [shapeOf(index, first), shapeOf(index, first + 1)] };
  const stores: number[] = [];
  for (let block = index.firstBlock[node] as number; block !== NONE; block = index.nextBlock[block] as number) {
    for (let nth = 0; nth < (index.blockSizes[block] as number); nth += 1) {
      const slot = block * BLOCK_SIZE + nth;
      const ordinal = ordinalAt(index, slot);
      assert.equal(index.slotOf[ordinal], slot);
      stores.push(ordinal);
    }
  }
  return { ...facts, stores: stores.sort((a, b) => a - b) };
}

test('a tree that is built at once has the nodes that insertions make, and the same of them after changes', () => {
  fc.assert(
    fc.property(arbitraryPlaces, fc.infiniteStream(fc.boolean()), (places, isRemoved) => {
      const columns = createStoreColumns();
      const both = [createSpatialIndex(columns), createSpatialIndex(columns)] as const;
      const [built, inserted] = both;
      built.beginLoad();
      const stores = places.flatMap((place) => Array.from({ length: place.copies }, () => place));
      for (const [ordinal, { latitude, longitude, reach, stars }] of stores.entries()) {
        columns.set(ordinal, storeOf(`s${ordinal}`, { rating: stars === null ? null : { value: stars, count: 1 } }));
        for (const index of both) index.insert(ordinal, latitude, longitude, { core: 0, reach });
      }
      for (const _step of built.finishLoad());
      assert.deepEqual(shapeOf(built), shapeOf(inserted));
      for (const gone of stores.keys()) if (isRemoved.next().value) for (const index of both) index.remove(gone);
      assert.deepEqual(shapeOf(built), shapeOf(inserted));
    }),
    { numRuns: runs(40), interruptAfterTimeLimit: 6000 },
  );
});
