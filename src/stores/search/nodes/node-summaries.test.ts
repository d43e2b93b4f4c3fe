import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storeOf } from '../../../../test/oracles/store-search.ts';
import { runs } from '../../../../test/runs.ts';
import type { Store } from '../../store.ts';
import { createSpatialIndex, type SpatialIndex } from '../spatial.index.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK } from '../spatial-tree.ts';
import { createStoreColumns } from '../store-columns.index.ts';
import type { StoreColumns } from '../store-columns.ts';
import { ANY_NODE, countOfNode, holdsOnly, mayHold, type NodeFilter } from './node-filter.ts';
import { DOUBLES_OF_NODE, MINUTES, priceBit, WORDS_OF_NODE } from './node-summaries.ts';

const CUISINES = Array.from({ length: 70 }, (_, n) => `cuisine ${n}`);
const STORES = 200;

const arbitraryTraits = fc.record({
  ordinal: fc.nat(STORES - 1),
  isGone: fc.boolean(),
  latitude: fc.constantFrom(30, 30.01, 30.02, 45, 60),
  longitude: fc.constantFrom(-120, -119.99, -80, 170),
  type: fc.constantFrom<Store['type']>('restaurant', 'grocery'),
  pickup: fc.boolean(),
  delivery: fc.boolean(),
  dollarSigns: fc.constantFrom(null, 1, 2, 4),
  rating: fc.constantFrom(null, 0, 3.3, 4.7, 5),
  cuisines: fc.subarray(CUISINES, { maxLength: 3 }),
  minutes: fc.constantFrom(5, 20, 90),
});

type Change = typeof arbitraryTraits extends fc.Arbitrary<infer Value> ? Value : never;

function storeFrom({ ordinal, type, latitude, longitude, ...given }: Change): Store {
  const prepMinutes = [given.minutes, given.minutes] as const;
  const { pickup, delivery } = storeOf('any');
  return storeOf(`s${ordinal}`, {
    type,
    latitude,
    longitude,
    dollarSigns: given.dollarSigns,
    rating: given.rating === null ? null : { value: given.rating, count: null },
    cuisines: given.cuisines,
    pickup: { ...pickup, enabled: given.pickup, prepMinutes },
    delivery: { ...delivery, enabled: given.delivery, prepMinutes, parties: [] },
  });
}

/** As the index of stores takes in a change. */
function take(index: SpatialIndex, columns: StoreColumns, present: Map<number, Store>, change: Change): void {
  const { ordinal } = change;
  const range = { core: 0, reach: 1 };
  const known = present.get(ordinal);
  if (change.isGone) {
    if (known === undefined) return;
    index.remove(ordinal);
    columns.clear(ordinal);
    present.delete(ordinal);
    return;
  }
  const store = storeFrom(change);
  const isNew = columns.set(ordinal, store);
  const isMoved = known !== undefined && (known.latitude !== store.latitude || known.longitude !== store.longitude);
  if (isMoved) index.remove(ordinal);
  if (known === undefined || isMoved) index.insert(ordinal, store.latitude, store.longitude, range);
  else index.change(ordinal, range, isNew);
  present.set(ordinal, store);
}

function ordinalsUnder(index: SpatialIndex, node: number): number[] {
  const child = index.firstChild[node] as number;
  if (child !== NONE) return [...ordinalsUnder(index, child), ...ordinalsUnder(index, child + 1)];
  const found: number[] = [];
  for (let block = index.firstBlock[node] as number; block !== NONE; block = index.nextBlock[block] as number) {
    for (let i = 0; i < (index.blockSizes[block] as number); i += 1) {
      const slot = block * BLOCK_SIZE + i;
      found.push((index.ordinals[slot >>> SLOT_BITS] as Uint32Array)[slot & SLOT_MASK] as number);
    }
  }
  return found;
}

function nodesUnder(index: SpatialIndex, node: number): number[] {
  const child = index.firstChild[node] as number;
  return child === NONE ? [node] : [node, ...nodesUnder(index, child), ...nodesUnder(index, child + 1)];
}

function minutesAt(index: SpatialIndex, node: number): [number, number] {
  const minutes = index.summaries.words[node * WORDS_OF_NODE + MINUTES] as number;
  return [minutes & 0xffff, minutes >>> 16];
}

function assertSummary(index: SpatialIndex, columns: StoreColumns, present: Map<number, Store>, node: number): void {
  const stores = ordinalsUnder(index, node).map((ordinal) => present.get(ordinal) as Store);
  const { summaries } = index;
  const holds = (filter: Partial<NodeFilter>) => mayHold(summaries, node, { ...ANY_NODE, ...filter });
  assert.equal(countOfNode(summaries, node), stores.length);
  assert.equal(holds({}), stores.length > 0);
  const best = Math.max(...stores.map(({ rating }) => rating?.value ?? -Infinity));
  assert.equal(summaries.ratings[node * DOUBLES_OF_NODE], best);
  assert.deepEqual(minutesAt(index, node), [
    Math.min(0xffff, ...stores.filter(({ pickup }) => pickup.enabled).map(({ pickup }) => pickup.prepMinutes[0])),
    Math.min(
      0xffff,
      ...stores.filter(({ delivery }) => delivery.enabled).map((store) => store.delivery.prepMinutes[0]),
    ),
  ]);
  for (const level of [1, 2, 3, 4]) {
    const prices = priceBit(level);
    const has = stores.map(({ dollarSigns }) => dollarSigns === level);
    assert.equal(holds({ prices }), has.includes(true));
    assert.equal(holdsOnly(summaries, node, { ...ANY_NODE, prices }), !has.includes(false));
  }
  for (const cuisine of CUISINES) {
    const isThere = stores.some(({ cuisines }) => cuisines.includes(cuisine));
    if (isThere) assert.ok(holds({ cuisine: columns.bitsOfCuisine(cuisine, null) }), cuisine);
  }
}

test('the summary of every node tells what its stores have, whatever came, changed, moved and went before', () => {
  fc.assert(
    fc.property(fc.array(arbitraryTraits, { minLength: 1, maxLength: 500, size: 'max' }), (changes) => {
      const columns = createStoreColumns();
      const index = createSpatialIndex(columns);
      const present = new Map<number, Store>();
      for (const change of changes) take(index, columns, present, change);
      for (const node of nodesUnder(index, 0)) assertSummary(index, columns, present, node);
    }),
    { numRuns: runs(40), interruptAfterTimeLimit: 10_000 },
  );
});

test('a cuisine that no store has rules out every node', () => {
  const columns = createStoreColumns();
  const index = createSpatialIndex(columns);
  columns.set(0, storeOf('a', { cuisines: ['thai'] }));
  index.insert(0, 40, -70, { core: 0, reach: 1 });
  const holds = (cuisine: string) =>
    mayHold(index.summaries, 0, { ...ANY_NODE, cuisine: columns.bitsOfCuisine(cuisine, null) });
  assert.deepEqual([holds('Thaï'), holds('greek')], [true, false]);
});

test('a type and a cuisine that no store has together are ruled out at the top, however common each of them is', () => {
  const columns = createStoreColumns();
  const index = createSpatialIndex(columns);
  columns.set(0, storeOf('a', { type: 'restaurant', cuisines: ['thai', 'greek'] }));
  columns.set(1, storeOf('b', { type: 'grocery', cuisines: ['greek'] }));
  for (const ordinal of [0, 1]) index.insert(ordinal, 40, -70, { core: 0, reach: 1 });
  const holds = (cuisine: string, type: Store['type'] | null) =>
    mayHold(index.summaries, 0, { ...ANY_NODE, cuisine: columns.bitsOfCuisine(cuisine, type) });
  assert.deepEqual([holds('thai', 'grocery'), holds('thai', 'restaurant'), holds('thai', null)], [false, true, true]);
  assert.equal(columns.setsWithCuisine('greek', null).size, 2);
  columns.set(1, storeOf('b', { type: 'restaurant', cuisines: ['greek'] }));
  index.change(1, { core: 0, reach: 1 }, true);
  assert.deepEqual([holds('greek', 'grocery'), columns.setsWithCuisine('greek', 'grocery').size], [false, 0]);
});
