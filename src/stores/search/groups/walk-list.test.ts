import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { unitVectorAt } from '../../../lib/geo/sphere.ts';
import { ANY_NODE } from '../nodes/node-filter.ts';
import { createSpatialIndex, type SpatialIndex } from '../spatial.index.ts';
import { createStoreColumns } from '../store-columns.index.ts';
import { chordTo, type Reach } from '../walk-tree.ts';
import { createCellSorter, type StoresByCell } from './sort-by-cell.ts';
import { createListWalk } from './walk-list.ts';

const walkList = createListWalk();
const sortByCell = createCellSorter();

/** Every third store. */
function listOf({ cellKeys }: SpatialIndex, stores: number): StoresByCell {
  const ordinals = Uint32Array.from({ length: Math.ceil(stores / 3) }, (_, nth) => nth * 3);
  const list = { ordinals, cells: ordinals.map((ordinal) => cellKeys[ordinal] as number) };
  sortByCell(list);
  return list;
}

type Point = readonly [latitude: number, longitude: number];

/** Stores that were loaded together, and as many again that came or moved later. */
function givenStores(loaded: readonly Point[], later: readonly Point[]): { index: SpatialIndex; stores: number } {
  const index = createSpatialIndex(createStoreColumns());
  const range = { core: 1, reach: 2 };
  index.beginLoad();
  for (const [ordinal, [latitude, longitude]] of loaded.entries()) index.insert(ordinal, latitude, longitude, range);
  for (const _step of index.finishLoad());
  later.forEach(([latitude, longitude], nth) => {
    const ordinal = nth % 2 === 0 && nth < loaded.length ? nth : loaded.length + nth;
    if (ordinal === nth) index.remove(ordinal);
    index.insert(ordinal, latitude, longitude, range);
  });
  return { index, stores: loaded.length + later.length };
}

test('a walk of a list shows each of its stores within reach once, as the stores lie now', () => {
  const degrees = (max: number) => fc.oneof(fc.double({ min: -max, max, noNaN: true }), fc.constantFrom(0, max, -max));
  const point = fc.tuple(degrees(90), degrees(180));
  const crowds = fc
    .array(fc.tuple(point, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 30 })
    .map((list) => list.flatMap(([where, count]) => Array.from({ length: count }, () => where)));
  fc.assert(
    fc.property(crowds, crowds, point, fc.double({ min: 0, max: 4, noNaN: true }), (loaded, later, at, farthest) => {
      const { index, stores } = givenStores(loaded, later);
      const from = unitVectorAt(...at);
      const list = listOf(index, stores);
      const isHere = (ordinal: number) => index.slotOf[ordinal] !== 0xfffffffe;
      const reach: Reach = { nearest: 0, farthest, viewport: null, delivers: false, filter: ANY_NODE };
      const seen: number[] = [];
      walkList(index, list, from, reach, (ordinal, limit) => {
        if (isHere(ordinal) && chordTo(index, ordinal, from) <= farthest) seen.push(ordinal);
        return limit;
      });
      const within = [...list.ordinals].filter(
        (ordinal) => isHere(ordinal) && chordTo(index, ordinal, from) <= farthest,
      );
      assert.deepEqual(seen.toSorted(), within.toSorted());
    }),
    { numRuns: runs(200) },
  );
});

test('a walk of a list passes over most of the stores that are farther than the nearest', () => {
  const spread = Array.from({ length: 9000 }, (_, n): Point => [80 * ((n * 0.618034) % 1), 170 * ((n * 0.754878) % 1)]);
  const { index, stores } = givenStores(spread, []);
  const from = unitVectorAt(40, 80);
  let visits = 0;
  const reach: Reach = { nearest: 0, farthest: Infinity, viewport: null, delivers: false, filter: ANY_NODE };
  walkList(index, listOf(index, stores), from, reach, (ordinal, limit) => {
    visits += 1;
    return Math.min(limit, chordTo(index, ordinal, from));
  });
  assert.ok(visits < 50, `${visits} visits of 3,000 stores`);
});
