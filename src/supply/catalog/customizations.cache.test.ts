import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { CustomizationsCache } from './customizations.cache.ts';
import { findCustomizations } from './products.db.ts';

test('ten thousand options answer whole, and fast from the second time on', async (t) => {
  const app = await givenOwnApp();
  const options = Array.from({ length: 10_000 }, (_, at) => ({ id: `o${at}`, name: `Option ${at}`, price: at }));
  const groups = Array.from({ length: 50 }, (_, at) => ({
    id: `g${at}`,
    name: `Group ${at}`,
    max_choice_options: 5,
    options: options.slice(at * 200, at * 200 + 200),
  }));
  const id = await givenStore(app.service.deps.db, {
    external_id: 'large',
    categories: [{ id: 'c', name: 'C', products: [{ id: 'p', name: 'Large', price: 100, customizations: groups }] }],
  });
  const { body } = await app.get('/details/inventory', { store_id: id, pickup: false });
  const query = { product_id: body.categories[0].menu_item_list[0].product_id };
  const first = await app.get('/details/product', query);
  assert.equal(first.body.customizations.length, 50);
  assert.equal(first.body.customizations[49].options[199].option_id, 'o9999');
  const startedMs = performance.now();
  const second = await app.service.http.inject({ url: '/details/product', query, headers: { 'id-token': app.key } });
  t.diagnostic(`10,000 options in ${Math.round(performance.now() - startedMs)} ms`);
  assert.equal(second.payload, first.text);
});

test('requests share a read; a value is kept by the entry that it was read with, and a failed read by none', async () => {
  const app = await givenOwnApp();
  const { db } = app.service.deps;
  const given = (name: string) => {
    const group = { id: 'g', name, max_choice_options: 1, options: [{ id: 'o', name: 'O', price: 1 }] };
    const product = { id: 'p', name: 'P', price: 100, customizations: [group] };
    return givenStore(db, { external_id: 'entries', categories: [{ id: 'c', name: 'C', products: [product] }] });
  };
  let reads = 0;
  let isDown = false;
  const watched = db.withPlugin({
    transformQuery({ node }) {
      reads += 1;
      if (isDown) throw new Error('the database is down');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const storeId = await given('first');
  const product = async () => ({
    storeId,
    productNo: 1,
    choicesVersion: (await findCustomizations(db, storeId, 1)).choicesVersion,
  });
  const cache = new CustomizationsCache({ db: watched });
  const readName = async (of: Awaited<ReturnType<typeof product>>) =>
    JSON.parse(String((await cache.read(of)).bytes))[0].name;

  const first = await product();
  isDown = true;
  await assert.rejects(readName(first), /the database is down/);
  isDown = false;
  reads = 0;
  assert.deepEqual(await Promise.all([readName(first), readName(first), readName(first)]), ['first', 'first', 'first']);
  assert.equal(await readName(first), 'first');
  assert.equal(reads, 1);

  await given('second');
  const second = await product();
  await given('third');
  assert.equal(await readName(second), 'third', 'the entry changed after the product was read');
  await given('second');
  assert.equal(await readName(second), 'second', 'the feed returned to the older entry');
  assert.equal(await readName(first), 'first');
});
