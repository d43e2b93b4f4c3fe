import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { setOption } from './set-option.flow.ts';

const { app, close, db, importLines, digests } = await givenImport(givenApp);
after(close);
const card = await givenPaymentMethod(app);

const SIZES = {
  id: 'size',
  name: 'Size',
  min_choice_options: 1,
  max_choice_options: 1,
  options: [
    { id: 's', name: 'Small', price: 100, default_qty: 1 },
    {
      id: 'l',
      name: 'Large',
      price: 300,
      customizations: [
        {
          id: 'cut',
          name: 'Cut',
          max_choice_options: 1,
          options: [
            { id: 'sq', name: 'Squares' },
            { id: 'tri', name: 'Slices' },
          ],
        },
      ],
    },
  ],
};
const TOPPINGS = {
  id: 'top',
  name: 'Toppings',
  max_choice_options: 2,
  options: [
    { id: 'olives', name: 'Olives', price: 150 },
    { id: 'capers', name: 'Capers', price: 80 },
  ],
};
const PIE = { price: 1000, customizations: [SIZES, TOPPINGS] };

const givenRef = (source: string, optionExternalId: string, productExternalId = 'pie') => ({
  storeId: storeIdOf(source, 'shop'),
  productExternalId,
  optionExternalId,
});
const set = (source: string, optionId: string, available: boolean) =>
  db.transaction().execute((tx) => setOption(tx, givenRef(source, optionId), available, app.now()));

async function givenPie(source: string, changes: object = {}): Promise<string> {
  await importLines(source, [shop([product('pie', { ...PIE, ...changes })])]);
  await app.catchUp();
  return storeIdOf(source, 'shop');
}

const inventoryOf = async (storeId: string) =>
  (await app.get('/details/inventory', { store_id: storeId, pickup: false })).body;
const readItem = async (storeId: string) => (await inventoryOf(storeId)).categories[0].menu_item_list[0];
const idsOf = (customizations: { options: { option_id: string }[] }[]) =>
  customizations.map(({ options }) => options.map(({ option_id }) => option_id).join());
const placeOrder = (productId: string, optionIds: readonly string[], changes: object = {}) =>
  app.post(
    '/order/order/v2',
    orderBody(undefined, card, {
      items: [{ product_id: productId, selected_options: optionIds.map((option_id) => ({ option_id, quantity: 1 })) }],
      ...changes,
    }),
  );

test('an option off sale is left out of inventory, details, prices and searches, and an order for it is refused', async () => {
  const storeId = await givenPie('shown');
  const { menu_id: menuId } = await inventoryOf(storeId);
  const { product_id: productId } = await readItem(storeId);
  const details = async () => (await app.get('/details/product', { product_id: productId })).body;
  const etag = async () => (await app.get('/details/product', { product_id: productId })).headers.etag;
  const cartTotal = async () => {
    const { body } = await app.get('/search/cart', { ...NEAR_DOOR, query: JSON.stringify({ pie: 1 }) });
    return body.carts.find((cart: { store_id: string }) => cart.store_id === storeId)?.grand_total;
  };
  const [tag, total] = [await etag(), await cartTotal()];
  const quoted = await placeOrder(productId, ['l', 'olives'], { place_order: false });
  assert.deepEqual(idsOf((await readItem(storeId)).customizations), ['s,l', 'olives,capers']);

  assert.deepEqual(await set('shown', 's', false), {
    option: { id: 's', name: 'Small', customization: 'Size', available: false },
  });
  assert.deepEqual(await set('shown', 'olives', false), {
    option: { id: 'olives', name: 'Olives', customization: 'Toppings', available: false },
  });
  await app.catchUp();
  const item = await readItem(storeId);
  assert.deepEqual([idsOf(item.customizations), item.min_price], [['l', 'capers'], 1300]);
  assert.deepEqual([idsOf((await details()).customizations), (await details()).min_price], [['l', 'capers'], 1300]);
  assert.notEqual(await etag(), tag);
  assert.notEqual((await inventoryOf(storeId)).menu_id, menuId);
  assert.ok((await cartTotal()) > total);

  const refused = await placeOrder(productId, ['l', 'olives']);
  assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_options']);
  assert.deepEqual(refused.body.invalid_option_ids, ['olives']);
  const finalized = await app.post('/order/finalize', { order_id: quoted.body.order_id });
  assert.equal(finalized.body.code, 'invalid_options', 'it went off after the quote');
  const placed = await placeOrder(productId, [], { autofill_selected_options: true });
  assert.equal(placed.status, 200, placed.text);
  assert.equal(placed.body.final_quote.quote.subtotal, 1300, 'the default is off sale: the other size is filled in');

  await set('shown', 's', true);
  await set('shown', 'olives', true);
  await app.catchUp();
  assert.equal((await inventoryOf(storeId)).menu_id, menuId);
  assert.deepEqual(idsOf((await details()).customizations), ['s,l', 'olives,capers']);
  assert.deepEqual([await etag(), await cartTotal()], [tag, total]);
});

test('a nested option goes off sale by itself; with its parent off, its descendants are left out too', async () => {
  const storeId = await givenPie('nested');
  const { product_id: productId } = await readItem(storeId);
  const cuts = async () => {
    const [size] = (await readItem(storeId)).customizations;
    const large = size.options.find(({ option_id }: { option_id: string }) => option_id === 'l');
    return large ? idsOf(large.customizations) : null;
  };
  await set('nested', 'sq', false);
  assert.deepEqual(await cuts(), ['tri']);
  assert.deepEqual((await placeOrder(productId, ['l', 'sq'])).body.invalid_option_ids, ['sq']);
  await set('nested', 'tri', false);
  assert.deepEqual(await cuts(), []);
  await set('nested', 'l', false);
  assert.equal(await cuts(), null);
  assert.deepEqual((await placeOrder(productId, ['l'])).body.invalid_option_ids, ['l']);
  await set('nested', 'l', true);
  assert.deepEqual(await cuts(), []);
});

test('options stay off through imports and product changes until the store sets them on', async () => {
  const storeId = await givenPie('imports');
  await set('imports', 'olives', false);
  await set('imports', 'sq', false);
  const shownNow = async () => {
    const { customizations } = await readItem(storeId);
    return [...idsOf(customizations), ...idsOf(customizations[0].options[1].customizations)];
  };
  const off = ['s,l', 'capers', 'tri'];
  assert.deepEqual(await shownNow(), off);
  await importLines('imports', [shop([product('pie', PIE)], { name: 'Renamed' })]);
  assert.deepEqual(await shownNow(), off);
  await importLines('imports', [shop([product('pie', { ...PIE, price: 1100, name: 'Pie' })])]);
  assert.deepEqual(await shownNow(), off);
  assert.equal((await readItem(storeId)).min_price, 1200);
  const [olives, capers] = TOPPINGS.options;
  await importLines('imports', [
    shop([product('pie', { ...PIE, customizations: [SIZES, { ...TOPPINGS, options: [capers] }] })]),
  ]);
  assert.deepEqual(await set('imports', 'olives', true), { missing: 'option' });
  const added = [olives, capers, { id: 'basil', name: 'Basil' }];
  await importLines('imports', [
    shop([product('pie', { ...PIE, customizations: [SIZES, { ...TOPPINGS, options: added }] })]),
  ]);
  assert.deepEqual(await shownNow(), ['s,l', 'capers,basil', 'tri'], 'the option that came back is still off');
  await importLines('imports', [shop([])]);
  await importLines('imports', [shop([product('pie', PIE)])]);
  assert.deepEqual(await shownNow(), off, 'so it is when the product came back');
  await set('imports', 'olives', true);
  await set('imports', 'sq', true);
  assert.deepEqual(await shownNow(), ['s,l', 'olives,capers', 'sq,tri']);
});

test('an inventory’s version changes exactly when its content does', async () => {
  await givenPie('digest');
  const seen = [await digests('digest')];
  const isNew = async () => {
    const now = await digests('digest');
    seen.push(now);
    return JSON.stringify(now) !== JSON.stringify(seen.at(-2));
  };
  await set('digest', 'olives', false);
  assert.equal(await isNew(), true);
  const renamed = { ...TOPPINGS, options: [{ id: 'olives', name: 'Green olives', price: 1 }, TOPPINGS.options[1]] };
  await importLines('digest', [shop([product('pie', { ...PIE, customizations: [SIZES, renamed] })])]);
  assert.equal(await isNew(), false, 'the feed changed the option that is off');
  await importLines('digest', [shop([product('pie', PIE)])]);
  assert.equal(await isNew(), false);
  await set('digest', 'olives', true);
  assert.deepEqual(await digests('digest'), seen[0]);

  const many = Array.from({ length: 42 }, (_, n) => ({ id: `o${n}`, name: `O${n}` }));
  const long = { id: 'long', name: 'Long', options: many };
  await importLines('digest', [shop([product('pie', { customizations: [long] })])]);
  await isNew();
  await set('digest', 'o0', false);
  assert.equal(await isNew(), false, 'fetched apart before and after');
  await set('digest', 'o1', false);
  assert.equal(await isNew(), true, 'short enough to be a part of the inventory');
  const item = await readItem(storeIdOf('digest', 'shop'));
  assert.deepEqual([item.should_fetch_customizations, item.customizations[0].options.length], [false, 40]);
});

test('two tablets that take different options off at once lose neither; a repetition writes nothing', async () => {
  const storeId = await givenPie('tablets');
  await Promise.all([set('tablets', 'olives', false), set('tablets', 'capers', false), set('tablets', 'sq', false)]);
  assert.deepEqual(idsOf((await readItem(storeId)).customizations), ['s,l']);
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  const before = await seq();
  assert.deepEqual(await set('tablets', 'sq', false), {
    option: { id: 'sq', name: 'Squares', customization: 'Cut', available: false },
  });
  assert.deepEqual(await set('tablets', 's', true), {
    option: { id: 's', name: 'Small', customization: 'Size', available: true },
  });
  assert.deepEqual(await set('tablets', 'none', false), { missing: 'option' });
  const other = (storeIdOfIt: string, productId: string) =>
    setOption(db, { storeId: storeIdOfIt, productExternalId: productId, optionExternalId: 's' }, false, app.now());
  assert.deepEqual(await other(storeId, 'none'), { missing: 'product' });
  assert.deepEqual(await other('no id', 'pie'), { missing: 'product' });
  assert.equal(await seq(), before);
});
