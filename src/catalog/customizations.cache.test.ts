import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../test/given-store.ts';
import { givenApp } from '../../test/harness.ts';

test('ten thousand options answer whole, and fast from the second time on', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
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
