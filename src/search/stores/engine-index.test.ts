import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { createStoreIndex } from './engine-index.ts';

test('an import of a hundred thousand stores at once passes into ranges, and every store is found', () => {
  const index = createStoreIndex({ openAtOf });
  const base = storeOf('any');
  for (let n = 0; n < 100_000; n += 1) {
    const place = { latitude: 25 + 20 * ((n * 0.618034) % 1), longitude: -120 + 40 * ((n * 0.754878) % 1) };
    index.upsert({ ...base, ...place, storeId: `s${n}`, name: n % 1000 === 0 ? 'Eight Bells' : 'Pizza' });
  }
  const nearest = index.nearest(queryOf({ latitude: 35, longitude: -100 }), 1000, 0);
  assert.equal(new Set(nearest.map(({ storeId }) => storeId)).size, 1000);
  const shown: string[] = [];
  for (let page = 0; page < 6; page += 1) {
    const { ordinals } = index.search(queryOf({ text: 'eight bells', page }), 0);
    shown.push(...ordinals.map(index.storeIdAt));
  }
  assert.equal(new Set(shown).size, 100);
  assert.equal(shown.length, 100);
});
