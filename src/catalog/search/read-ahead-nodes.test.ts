import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import type { Service } from '../../service.ts';
import { setProduct } from '../set-product.flow.ts';

const NEAR = { user_latitude: '40.7383', user_longitude: '-73.9927' };

let app: App;
let other: Service;
before(async () => {
  app = await givenApp({ env: { PRODUCTS_READ_AHEAD: '1000' } });
  other = await app.givenNode();
});
after(() => app.close());

const givenShop = (name: string, products: readonly string[], changes = {}): Promise<string> =>
  givenStore(app.service.deps.db, {
    external_id: name,
    name,
    categories: [{ id: 'c', name: 'All', products: products.map((id) => ({ id, name: id, price: 100, ...changes })) }],
  });

const inMemory = (node: Service) => node.deps.productIndexes.productCount;

async function pricesOn(node: Service, query: string): Promise<number[]> {
  await node.deps.storeFeed.catchUp();
  const url = `/search/product/v4?${new URLSearchParams({ ...NEAR, query })}`;
  const reply = await node.http.inject({ url, headers: { 'id-token': app.key } });
  return reply.json().products.map(({ price }: { price: number }) => price);
}

test('the products of every store are in memory before a search, on every node, and again after each change', async () => {
  const storeIds = [await givenShop('one', ['Quince', 'Medlar']), await givenShop('two', ['Quince'])];
  const late = await app.givenNode('api');
  const nodes = [app.service, other, late];
  for (const node of nodes) await until('all products are read', () => inMemory(node) === 3);
  const before = await Promise.all(nodes.map((node) => pricesOn(node, 'medlar')));
  assert.deepEqual(before, [[100], [100], [100]]);

  await givenShop('one', ['Quince', 'Medlar', 'Loquat'], { price: 120 });
  for (const node of nodes) await until('the new products are read', () => inMemory(node) === 4);
  await app.service.deps.db
    .transaction()
    .execute((tx) =>
      setProduct(tx, { storeId: storeIds[0] as string, externalId: 'Loquat' }, { available: false }, app.now()),
    );
  for (const node of nodes) await until('the product off sale has left', () => inMemory(node) === 3);

  await givenStore(app.service.deps.db, { external_id: 'two' });
  for (const node of nodes) await until('the store without products has left', () => inMemory(node) === 2);
});

test('no node answers with what it read ahead before a change that has been acknowledged', async () => {
  await givenShop('changing', ['Durian']);
  for (let price = 101; price <= 120; price += 1) {
    await givenShop('changing', ['Durian'], { price });
    const shown = await Promise.all([app.service, other].map((node) => pricesOn(node, 'durian')));
    assert.deepEqual(shown, [[price], [price]]);
  }
});
