import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { findItemSellers, type GradeSellers } from './find-item-sellers.flow.ts';

test('where stores with 2,000,000 products sell nothing with the exact words, typos are looked for in the first 2,000', async () => {
  const sellers = new SearchIndex(openAtOf);
  for (let n = 0; n < 20_500; n += 1)
    sellers.upsert(storeOf(`s${n}`, { latitude: 30 + n / 1000, longitude: -100, hasCatalog: true }));
  const examined = { exact: 0, misspelled: 0 };
  const gradeSellers: GradeSellers = async (storeIds, { forgivesTypos }) => {
    examined[forgivesTypos ? 'misspelled' : 'exact'] += storeIds.length;
    const misspelled = storeIds.filter((storeId) => forgivesTypos && ['s1900', 's2100'].includes(storeId));
    const grades = new Map(misspelled.map((storeId) => [storeId, 'misspelled' as const]));
    return { examined: storeIds.length, products: 100 * storeIds.length, grades };
  };
  const needs = { search: sellers, gradeSellers };
  const query = queryOf({ latitude: 30, longitude: -100, text: 'margherta' });
  const first = await findItemSellers(needs, query, 2000);
  assert.deepEqual(storeIdsOf(first), ['s1900']);
  assert.deepEqual(examined, { exact: 20_000, misspelled: 2000 });
  const next = await findItemSellers(needs, { ...query, page: first.nextPage }, 2000);
  assert.deepEqual(next.stores, []);
});
