import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type FeedLine, NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { fieldsOf } from '../../../test/given/menu-edits.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenApp } from '../../../test/harness.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

const { app, close, fileOf, importAll, importLines, productsOf } = await givenImport(givenApp);
after(close);
const storeId = storeIdOf('weights', 'shop');
const SALMON = { price: 1399, sold_by: 'weight', weight: { unit: 'lb', step: 0.25, max: 5, scale_code: '00042' } };
const BANANA = { price: 79, sold_by: 'weight', weight: { unit: 'lb', piece_weight: '0.367' } };
const feed = (salmon: FeedLine = SALMON) =>
  shop([product('salmon', salmon), product('banana', BANANA), product('tea', { qty_available: 4 })], {
    scheduling: { enabled: false },
  });
await importLines('weights', [feed()]);
const key = await givenStoreKey(app, storeId);

async function listed(): Promise<Record<string, Record<string, unknown>>> {
  await app.catchUp();
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: true });
  const items: Record<string, unknown>[] = body.categories.flatMap(
    (one: { menu_item_list: object[] }) => one.menu_item_list,
  );
  return Object.fromEntries(items.map((item) => [item.name, item]));
}
const item = async (id: string) => (await key.get(`/store/menu/items/${id}`)).body;
async function edit(id: string, fields: object) {
  const { category_id, version, ...rest } = await item(id);
  return key.put(`/store/menu/items/${id}`, { category_id, version, item: { ...fieldsOf(rest), ...fields } });
}

const SOLD = {
  salmon: {
    sold_by: 'weight',
    weight: { unit: 'lb', price_per: 1, step: 0.25, min: 0.25, max: 5, tolerance_percent: 10 },
    formatted_unit_price: '$13.99/lb',
    unit_price: { cents: 1399, per: 1, unit: 'lb' },
    unit_size: 1,
    unit_of_measurement: 'lb',
  },
  banana: {
    sold_by: 'weight',
    weight: { unit: 'lb', price_per: 1, step: 0.25, min: 0.25, max: 50, piece_weight: 0.367, tolerance_percent: 20 },
    formatted_unit_price: '$0.79/lb',
    estimated_piece_price: 29,
  },
};

test('menus, details and searches describe items sold by weight, and add nothing to others', async () => {
  const menu = await listed();
  assert.partialDeepStrictEqual(menu, SOLD);
  for (const name of ['salmon', 'banana'] as const) {
    const { body } = await app.get('/details/product', { product_id: String(menu[name]?.product_id), pickup: true });
    assert.partialDeepStrictEqual(body, SOLD[name]);
    const found = await app.get('/search/product/v4', { query: name, store_id: storeId, ...NEAR_DOOR });
    assert.partialDeepStrictEqual(found.body.products[0], SOLD[name]);
  }
  const news = Object.keys(menu.banana ?? {}).filter((member) => !Object.hasOwn(menu.tea ?? {}, member));
  assert.deepEqual(news, ['unit_price', ...Object.keys(SOLD.banana)]);
});

test('a store edits its selling by weight next to its feed, and undoes it', async () => {
  const before = (await item('salmon')).version;
  const weight = { unit: 'kg', price_per: 0.5, step: 0.1, scale_code: '77' };
  const { status, body } = await edit('salmon', { price: 1599, weight });
  assert.equal(status, 200);
  const { scale_code, ...shown } = body.item.weight;
  assert.equal(scale_code, '77');
  assert.partialDeepStrictEqual((await listed()).salmon, {
    weight: shown,
    formatted_unit_price: '$15.99/0.5 kg',
    unit_size: 0.5,
    unit_of_measurement: 'kg',
  });
  // The feed continues, with a new step and a price that the store's is in place of.
  await importLines('weights', [feed({ ...SALMON, price: 1299, weight: { ...SALMON.weight, step: 0.5 } })]);
  assert.partialDeepStrictEqual((await listed()).salmon, { price: 1599, unit_of_measurement: 'kg', weight: shown });
  await importLines('weights', [feed()]);
  assert.equal((await key.post(`/store/menu/changes/${body.change_id}/undo`, {})).status, 200);
  assert.equal((await item('salmon')).version, before);
  assert.deepEqual(await importLines('weights', [feed()]), [1, 0, 0, 1, 0]);
});

test('an item becomes one by the piece and by weight again, each in its history', async () => {
  const byPiece = await edit('salmon', { sold_by: 'piece', weight: null, unit_size: 12, unit_of_measurement: 'oz' });
  assert.equal(byPiece.body.item.sold_by, undefined);
  assert.equal((await listed()).salmon?.weight, undefined);
  const [change] = (await key.get('/store/menu/changes')).body.changes;
  assert.deepEqual(
    change.fields.find(({ field }: { field: string }) => field === 'sold_by'),
    { field: 'sold_by', before: 'weight', after: null },
  );
  assert.equal((await key.patch('/store/products/salmon', { qty_available: 3 })).body.qty_available, 3);
  assert.equal((await key.post('/store/menu/as_feed', { target: 'item', target_id: 'salmon' })).status, 200);
  assert.partialDeepStrictEqual((await listed()).salmon, { ...SOLD.salmon, qty_available: null });
});

test("stock by weight is not counted, and a code of the scale is one product's", async () => {
  const counted = await key.patch('/store/products/salmon', { qty_available: 3 });
  assert.deepEqual([counted.status, counted.body.errors[0].name], [400, 'qty_available']);
  assert.equal((await key.patch('/store/products/salmon', { qty_available: null, available: true })).status, 200);
  const taken = await edit('banana', { weight: { ...BANANA.weight, scale_code: '042' } });
  assert.deepEqual([taken.status, taken.body.errors[0].name], [400, 'weight.scale_code']);
  assert.equal((await item('banana')).weight.scale_code, undefined);
  const line = (id: string, changes: object) => ({ path: ['C'], ...product(id, { ...SALMON, ...changes }) });
  fileOf('cuts.ndjson', [
    line('a', {}),
    line('b', { weight: { unit: 'lb' } }),
    line('c', { weight: BANANA.weight }),
    line('d', {}),
  ]);
  const file = fileOf('file.ndjson', [{ ...feed(), categories: undefined, categories_file: 'cuts.ndjson' }]);
  const { errors } = await importAll([file], { source: 'file' });
  assert.deepEqual(
    errors.map(({ file: name, line: number, path }) => [name, number, path]),
    [
      [undefined, 1, 'categories_file'],
      ['cuts.ndjson', 4, 'weight.scale_code'],
    ],
  );
});

test('a product that becomes sold by weight loses its unit stock', async () => {
  await importLines('stock', [shop([product('cheese')])]);
  const own = await givenStoreKey(app, storeIdOf('stock', 'shop'));
  await own.patch('/store/products/cheese', { qty_available: 9 });
  await importLines('stock', [shop([product('cheese', SALMON)])]);
  const cheese = (await productsOf('stock')).get('cheese');
  assert.deepEqual([cheese?.qtyAvailable, cheese?.weight?.scaleCode], [null, '42']);
});
