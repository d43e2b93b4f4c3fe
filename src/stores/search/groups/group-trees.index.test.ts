import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openAtOf, queryOf, storeOf } from '../../../../test/oracles/store-search.ts';
import { runs } from '../../../../test/runs.ts';
import { unitVectorAt } from '../../../lib/geo/sphere.ts';
import type { Store } from '../../store.ts';
import { ANY_NODE } from '../nodes/node-filter.ts';
import { packTree } from '../pack-tree.ts';
import { createSpatialIndex } from '../spatial.index.ts';
import { NO_REACH, type SpatialTree } from '../spatial-tree.ts';
import { createStoreIndex, type StoreIndex } from '../store.index.ts';
import { createStoreColumns } from '../store-columns.index.ts';
import type { StoreQuery } from '../store-query.ts';
import { createTreeWalk, type Reach } from '../walk-tree.ts';

/** Searches after which a group of this many stores has been looked through often enough to have a list and a tree. */
const SEARCHES = 40;
const CHAIN_STORES = 300;

/** Stores of one chain, scattered by two irrational turns, among as many others. */
function givenChain(): StoreIndex {
  const index = createStoreIndex({ openAtOf });
  for (const store of chainStores()) index.upsert(store);
  return index;
}

function chainStores(): Store[] {
  return Array.from({ length: 2 * CHAIN_STORES }, (_, n) =>
    storeOf(`store-${n}`, { ...pointOf(n), name: n % 2 === 0 ? 'Golden Grill' : `Corner Deli ${n}` }),
  );
}

function pointOf(n: number): { latitude: number; longitude: number } {
  return { latitude: 30 + 15 * ((n * 0.618034) % 1), longitude: -120 + 40 * ((n * 0.754878) % 1) };
}

const CHANGES: Partial<StoreQuery>[] = [
  {},
  { latitude: 33, longitude: -110 },
  { maximumMiles: 400 },
  { page: 3 },
  { sort: 'fastest' },
  { sort: 'rating' },
  { sort: 'rating', page: 4 },
  { sort: 'rating', page: 9 },
  { text: 'golden' },
  { deliversHere: true, latitude: 38, longitude: -100 },
  { viewport: { south: 35, north: 40, west: -118, east: -90 } },
];

function pagesOf(index: StoreIndex): string[] {
  return CHANGES.map((changes) => {
    const page = index.search(queryOf({ text: 'golden grill', ...changes }), 0);
    return JSON.stringify([page.ordinals.map((ordinal) => index.storeIdAt(ordinal)), page.miles]);
  });
}

function searchOften(index: StoreIndex): void {
  for (let n = 0; n < SEARCHES; n += 1) {
    for (const sort of ['relevance', 'rating'] as const) {
      index.search(queryOf({ text: 'golden grill', sort, ...pointOf(n) }), 0);
    }
  }
}

test('a name that is asked for often is answered as it was the first time', () => {
  const index = givenChain();
  const first = pagesOf(index);
  searchOften(index);
  assert.deepEqual(pagesOf(index), first);
});

test('a store of a popular name that comes, moves, is renamed or goes is seen at once', () => {
  const index = givenChain();
  const here = { latitude: 38, longitude: -100 };
  const nearest = () => {
    const page = index.search(queryOf({ text: 'golden grill', ...here }), 0);
    return index.storeIdAt(page.ordinals[0] as number);
  };
  searchOften(index);
  index.upsert(storeOf('new', { name: 'Golden Grill', ...here }));
  assert.equal(nearest(), 'new');
  searchOften(index);
  index.upsert(storeOf('new', { name: 'Golden Grill', latitude: 60, longitude: -150 }));
  index.upsert(storeOf('store-0', { name: 'Golden Grill', ...here }));
  assert.equal(nearest(), 'store-0');
  searchOften(index);
  index.upsert(storeOf('store-0', { name: 'Corner Deli', ...here }));
  index.upsert(storeOf('store-1', { name: 'Golden Grill', ...here }));
  assert.equal(nearest(), 'store-1');
  searchOften(index);
  index.remove('store-1');
  assert.notEqual(nearest(), 'store-1');
});

const CHANGED = {
  rated: (to: number) => ({ rating: (to % 50) / 10 }),
  moved: pointOf,
  renamed: (to: number) => ({ name: to % 2 === 0 ? 'Golden Grill' : `Golden Deli ${to % 7}` }),
  removed: () => ({}),
  back: () => ({}),
};
const change = fc.record({
  n: fc.nat({ max: 2 * CHAIN_STORES + 20 }),
  kind: fc.constantFrom(...(Object.keys(CHANGED) as (keyof typeof CHANGED)[])),
  to: fc.nat({ max: 5000 }),
});

test('searches by a popular name see the stores as they are, whatever has changed since its list was made', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.boolean(), (changes, areMany) => {
      const stores = new Map(chainStores().map((store) => [store.storeId, store]));
      const index = givenChain();
      searchOften(index);
      for (const { n, kind, to } of changes) {
        const known = stores.get(`store-${n}`) ?? storeOf(`store-${n}`, { ...pointOf(n), name: 'Golden Grill' });
        const store = { ...known, ...CHANGED[kind](to) };
        stores.set(store.storeId, store);
        index.upsert(store);
        if (kind !== 'removed') continue;
        stores.delete(store.storeId);
        index.remove(store.storeId);
      }
      // More changes than the index remembers one by one, of a name that other stores have mostly: no group is found anew.
      for (let n = 0; areMany && n < 600; n += 1)
        index.upsert(storeOf('other', { name: 'Corner Deli 1', ...pointOf(n) }));
      index.remove('other');
      const fresh = createStoreIndex({ openAtOf });
      for (const store of stores.values()) fresh.upsert(store);
      assert.deepEqual(pagesOf(index), pagesOf(fresh));
    }),
    { numRuns: runs(60) },
  );
});

test('a packed tree shows every store within reach, with the distance that the whole tree gives', () => {
  const degrees = (max: number) => fc.oneof(fc.double({ min: -max, max, noNaN: true }), fc.constant(max));
  const point = fc.tuple(degrees(90), degrees(180));
  const crowd = fc.tuple(point, fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(
      fc.array(crowd, { minLength: 1, maxLength: 30 }),
      point,
      fc.double({ min: 0, max: 4 }),
      fc.boolean(),
      (crowds, at, far, delivers) => {
        const index = createSpatialIndex(createStoreColumns());
        const points = crowds.flatMap(([where, count]) => Array.from({ length: count }, () => where));
        points.forEach(([latitude, longitude], ordinal) => {
          const reach = ordinal % 4 === 0 ? NO_REACH : (ordinal % 7) / 2;
          index.insert(ordinal, latitude, longitude, { core: reach / 2, reach });
        });
        const packed = packTree(index, Uint32Array.from(points.keys()));
        const reach = {
          nearest: 0,
          farthest: Number.isNaN(far) ? Infinity : far,
          viewport: null,
          delivers,
          filter: ANY_NODE,
        };
        assert.deepEqual(seenFrom(packed, at, reach), seenFrom(index, at, reach));
      },
    ),
    { numRuns: runs(100) },
  );
});

const walkTree = createTreeWalk();

function seenFrom(
  tree: SpatialTree,
  [latitude, longitude]: readonly [number, number],
  reach: Reach,
): [number, number, boolean][] {
  const seen: [number, number, boolean][] = [];
  walkTree(tree, unitVectorAt(latitude, longitude), reach, (ordinal, chordSquared, isCore) => {
    seen.push([ordinal, chordSquared, isCore]);
    return reach.farthest;
  });
  return seen.sort(([a], [b]) => a - b);
}
