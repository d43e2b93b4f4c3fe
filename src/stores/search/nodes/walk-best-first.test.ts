import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf, storeOf } from '../../../../test/oracles/store-search.ts';
import { unitVectorAt } from '../../../lib/geo/sphere.ts';
import { createSpatialIndex } from '../spatial.index.ts';
import { createStoreColumns } from '../store-columns.index.ts';
import { sortOf } from '../store-sort.ts';
import { chordTo, STOP } from '../walk-tree.ts';
import { ANY_NODE } from './node-filter.ts';
import { createBestFirstWalk } from './walk-best-first.ts';

const STORES = 20_000;
const FROM = { latitude: 40, longitude: -100 };

test('a walk from a store without a rating on visits hardly a store that is nearer', () => {
  const columns = createStoreColumns();
  const index = createSpatialIndex(columns);
  for (let n = 0; n < STORES; n += 1) {
    const rating = n % 4 === 0 ? { value: 4.5, count: 1 } : null;
    const place = { latitude: 30 + 20 * ((n * 0.618034) % 1), longitude: -120 + 40 * ((n * 0.754878) % 1) };
    columns.set(n, storeOf(`s${n}`, { ...place, rating }));
    index.insert(n, place.latitude, place.longitude, { core: 0, reach: -1 });
  }
  const from = unitVectorAt(FROM.latitude, FROM.longitude);
  const chords = Array.from({ length: STORES }, (_, ordinal) => chordTo(index, ordinal, from)).sort((a, b) => a - b);
  const start = { key: Infinity, chordSquared: chords[STORES >> 1] as number };
  const reach = { nearest: 0, farthest: Infinity, viewport: null, delivers: false, filter: ANY_NODE };
  let [nearer, found] = [0, 0];
  createBestFirstWalk()(
    index,
    from,
    reach,
    { sort: sortOf(queryOf({ sort: 'rating' }), columns, { preparationAt: () => () => undefined }), start },
    {
      visit(_ordinal, chordSquared) {
        if (chordSquared <= start.chordSquared) nearer += 1;
        else found += 1;
        return found === 100 ? STOP : Infinity;
      },
      isBeyond: () => false,
      worstKey: () => Infinity,
    },
  );
  assert.equal(found, 100);
  assert.ok(nearer < STORES / 8, `${nearer} nearer stores`);
});
