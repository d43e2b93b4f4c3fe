import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf, storeOf } from '../../../../test/oracles/store-search.ts';
import { unitVectorAt } from '../../../lib/geo/sphere.ts';
import { createSpatialIndex, type SpatialIndex } from '../spatial.index.ts';
import { createStoreColumns } from '../store-columns.index.ts';
import type { StoreColumns } from '../store-columns.ts';
import { PICKUP } from '../store-columns.ts';
import { sortOf } from '../store-sort.ts';
import { chordTo } from '../walk-tree.ts';
import { type Counted, countBuckets, counterOf, ONE_BUCKET } from './count-buckets.ts';
import { narrowRing } from './narrow-ring.ts';
import { ANY_NODE, countOfNode, type NodeFilter } from './node-filter.ts';

const STORES = 20_000;
const RANGE = { core: 0, reach: -1 };
const FROM = unitVectorAt(40, -100);

/** Half of the stores lie in a city; each seventh has no pickup, all of the south have pickup. */
function storeAt(nth: number, shift = 0) {
  const [north, east] = [(nth * 0.618034) % 1, (nth * 0.754878) % 1];
  const isInCity = nth % 2 === 0;
  const point = isInCity
    ? { latitude: 40.6 + 0.3 * north, longitude: -74.1 + 0.2 * east }
    : { latitude: 30 + 18 * north, longitude: -120 + 50 * east };
  const { pickup } = storeOf('any');
  const rating = nth % 3 === 0 ? null : { value: 3 + ((nth + shift) % 20) / 10, count: 1 };
  const enabled = point.latitude < 36 || (nth + shift) % 7 !== 0;
  return storeOf(`s${nth}`, { ...point, rating, dollarSigns: 1 + (nth % 4), pickup: { ...pickup, enabled } });
}

function givenIndex(): { index: SpatialIndex; columns: StoreColumns } {
  const columns = createStoreColumns();
  const index = createSpatialIndex(columns);
  index.beginLoad();
  for (let nth = 0; nth < STORES; nth += 1) put({ index, columns }, nth);
  for (const _step of index.finishLoad());
  return { index, columns };
}

function put({ index, columns }: ReturnType<typeof givenIndex>, nth: number, shift = 0): void {
  const store = storeAt(nth, shift);
  columns.set(nth, store);
  index.insert(nth, store.latitude, store.longitude, RANGE);
}

function ended<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const WITH_PICKUP: NodeFilter = { ...ANY_NODE, kinds: kindsWith(PICKUP) };

function kindsWith(bit: number): number {
  let kinds = 0;
  for (let flags = 0; flags < 16; flags += 1) if ((flags & bit) !== 0) kinds |= 1 << flags;
  return kinds;
}

/** What is counted by each sort with a filter and without one. */
function countedBy({ index, columns }: ReturnType<typeof givenIndex>): Counted[] {
  const tallies = index.tallies ?? assert.fail('no tallies');
  const bucketsBy = (sort: 'cheapest' | 'rating') => sortOf(queryOf({ sort }), columns, NO_ZONES).buckets ?? ONE_BUCKET;
  return [ANY_NODE, WITH_PICKUP].flatMap((filter) =>
    [ONE_BUCKET, bucketsBy('cheapest'), bucketsBy('rating')].map((buckets) => ({ filter, buckets, tallies })),
  );
}

type Expected = { ordinal: number; bucket: number; chord: number };

/** The stores that are counted, by a loop through all stores. */
function expected({ index, columns }: ReturnType<typeof givenIndex>, { filter, buckets }: Counted): Expected[] {
  const found: Expected[] = [];
  for (let ordinal = 0; ordinal < STORES; ordinal += 1) {
    if (((1 << (columns.flags[ordinal] as number)) & filter.kinds) === 0) continue;
    const slot = index.slotOf[ordinal] as number;
    const trait = index.traits[slot >>> 15]?.[(slot & 0x7fff) * 2] as number;
    found.push({ ordinal, bucket: buckets.of(trait), chord: chordTo(index, ordinal, FROM) });
  }
  return found;
}

const NO_ZONES = { preparationAt: () => () => undefined };

test('buckets count the stores within a distance that meet the filter, after stores have changed too', () => {
  const given = givenIndex();
  for (const shift of [0, 1]) {
    for (const counted of countedBy(given)) {
      const stores = expected(given, counted);
      for (const farthest of [Infinity, 0.09, 0.004]) {
        const counts = new Float64Array(counted.buckets.count);
        for (const { bucket, chord } of stores) if (chord <= farthest) counts[bucket] = (counts[bucket] as number) + 1;
        assert.deepEqual(ended(countBuckets(given.index, FROM, farthest, counted)), counts);
      }
    }
    for (let nth = 0; nth < STORES; nth += 50) {
      given.index.remove(nth);
      put(given, nth, shift + 1);
    }
  }
});

test('a ring has the stores of its ranks, and most of the tree is not looked at', () => {
  const given = givenIndex();
  const { index } = given;
  const nodes = index.summaries.words.length / 8;
  for (const counted of countedBy(given)) {
    const stores = expected(given, counted);
    const { bucket } = stores[1] as Expected;
    const chords = stores.filter((store) => store.bucket === bucket).map(({ chord }) => chord);
    chords.sort((a, b) => a - b);
    const counter = ended(counterOf(index, counted, bucket));
    for (const share of [0, 0.3, 0.5, 0.9]) {
      const first = Math.floor(chords.length * share);
      const last = Math.min(chords.length - 1, first + 100);
      let looks = 0;
      const countUnder = (node: number): number => {
        looks += 1;
        return counter(node);
      };
      const ring = ended(narrowRing(index, FROM, { farthest: Infinity, countUnder }, { first, last }));
      assert.ok(ring.low < (chords[first] as number) && (chords[last] as number) <= ring.high);
      const inParts = ring.parts.reduce((sum, node) => sum + counter(node), 0);
      assert.ok(ring.before <= first && ring.before + inParts > last);
      assert.ok(looks < nodes / 4, `${looks} of ${nodes} nodes`);
    }
  }
});

test('the end of a load has made the tallies of all large nodes: the first far page does not wait for them', () => {
  const { index } = givenIndex();
  const { tallies } = index;
  assert.ok(tallies?.knownOf(0) !== undefined);
  let stores = 0;
  for (const waiting = [0]; waiting.length > 0; ) {
    const node = waiting.pop() as number;
    const child = index.firstChild[node] as number;
    if (countOfNode(index.summaries, node) > 512) waiting.push(child, child + 1);
    else {
      assert.ok(tallies.knownOf(node) !== undefined);
      stores += countOfNode(index.summaries, node);
    }
  }
  assert.equal(stores, STORES);
  assert.equal([...tallies.make()].length, 0);
});
