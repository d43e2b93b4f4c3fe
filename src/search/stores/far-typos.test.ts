import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import { findItemSellers } from './find-item-sellers.flow.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

test('where 20,000 stores sell nothing with the exact words, typos are looked for in the first 2,000', async () => {
  const { db } = app.service.deps;
  const sellers = new SearchIndex(openAtOf);
  const sellerOf = (id: string) =>
    givenStore(db, {
      external_id: id,
      categories: [{ id: 'c', name: 'C', products: [{ id: 'p', name: 'Margherita', price: 1 }] }],
    });
  const places = new Map([
    [1900, await sellerOf('near')],
    [2100, await sellerOf('far')],
  ]);
  for (let n = 0; n < 20_500; n += 1)
    sellers.upsert(storeOf(places.get(n) ?? `s${n}`, { latitude: 30 + n / 1000, longitude: -100, hasCatalogue: true }));
  const needs = { db, search: sellers, keepSellers: (storeIds: readonly string[]) => [...storeIds] };
  const query = queryOf({ latitude: 30, longitude: -100, text: 'margherta' });
  const first = await findItemSellers(needs, query, 2000);
  assert.deepEqual(storeIdsOf(first), [places.get(1900)]);
  const next = await findItemSellers(needs, { ...query, page: first.nextPage }, 2000);
  assert.deepEqual(next.stores, []);
});
