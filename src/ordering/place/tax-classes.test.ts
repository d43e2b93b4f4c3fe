import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenAgent } from '../../../test/given/agent.ts';
import { fieldsOf } from '../../../test/given/menu-edits.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import type { Reply } from '../../../test/harness.ts';
import { dispatchAllEvents } from '../order/dispatch-events.flow.ts';

/** A grocery with one tax on some of its goods, from its feed to the refund. */
const TAXES = [
  { name: 'State tax', percent: 6.25, classes: ['prepared_food', 'candy', 'soft_drink', 'general'] },
  { name: 'Food tax', percent: 1, classes: ['grocery'] },
  { name: 'Liquor tax', percent: 10, classes: ['alcohol'] },
];
const FEES = { order_minimum: 0, taxes: TAXES, delivery_fee: { delivery_fee_flat: 400, delivery_fee_taxable: true } };
const product = (id: string, price: number, more: object = {}) => ({ id, name: id, price, ...more });
const CATEGORIES = [
  {
    id: 'shelf',
    name: 'Shelf',
    categories: [
      {
        id: 'sweets',
        name: 'Sweets',
        tax_class: 'candy',
        products: [product('Fudge', 500), product('Rum Fudge', 700, { is_alcoholic: true })],
      },
      {
        id: 'plain',
        name: 'Plain',
        products: [
          product('Milk', 333, {
            customizations: [
              {
                id: 'with',
                name: 'With',
                options: [{ id: 'cola', name: 'Cola', price: 200, tax_class: 'soft_drink' }],
              },
            ],
          }),
          product('Soap', 450, { tax_class: 'general' }),
          product('Stamps', 900, { tax_class: 'exempt' }),
        ],
      },
    ],
  },
];

const tokens: Record<string, string> = {};
const shop = await givenPizzeria();
const [storeId = ''] = await givenStores(shop, [
  pizzeria({ external_id: 'corner', name: 'Corner', type: 'grocery', categories: CATEGORIES, fees: FEES }),
]);
for (const item of (await listLeaves()).flat()) tokens[item.name] = item.product_id;
const kitchen = await givenStoreKey(shop, storeId, shop.accountId);
after(() => shop.close());

type Item = { name: string; product_id: string; tax_class: string; customizations: { options: Item[] }[] };

/** The products of both shelves, as in the inventory. */
async function listLeaves(): Promise<Item[][]> {
  const levelOf = async (category?: { subcategory_id: string }) => {
    const { subcategory_id } = category ?? {};
    const query = { store_id: storeId, pickup: false, ...(subcategory_id ? { subcategory_id } : {}) };
    return (await shop.get('/details/inventory', query)).body.categories;
  };
  const [top] = await levelOf();
  const leaves = await Promise.all((await levelOf(top)).map(levelOf));
  return leaves.map(([leaf]) => leaf.menu_item_list);
}

const order = (names: Record<string, number>, changes: object = {}): Promise<Reply> => {
  const items = Object.entries(names).map(([name, quantity]) => ({ product_id: tokens[name], quantity }));
  return shop.place('', { items, driver_tip_cents: 0, ...changes });
};
const quoteOf = async (names: Record<string, number>, changes: object = {}) =>
  (await order(names, { place_order: false, ...changes })).body.final_quote;
const named = (state: number, food: number, liquor: number) => [
  { name: 'State tax', amount: state },
  { name: 'Food tax', amount: food },
  { name: 'Liquor tax', amount: liquor },
];

test('a product takes its own tax class, or alcohol’s, its nearest category’s or its store’s, in this order', async () => {
  const classOf = async (name: string) =>
    (await shop.get('/details/product', { product_id: tokens[name] ?? '' })).body.tax_class;
  const names = ['Fudge', 'Rum Fudge', 'Milk', 'Soap', 'Stamps'];
  const classes = await Promise.all(names.map(classOf));
  assert.deepEqual(classes, ['candy', 'alcohol', 'grocery', 'general', 'exempt']);
  const items = (await listLeaves()).flat();
  assert.deepEqual(
    items.map(({ tax_class }) => tax_class),
    classes,
  );
  assert.equal(items[2]?.customizations[0]?.options[0]?.tax_class, 'soft_drink');
});

test('the quote has taxes with their classes, and their sum on the store’s own class', async () => {
  const { quote } = (
    await shop.get('/details/inventory', { store_id: storeId, pickup: false, include_quote: true, ...NEAR_DOOR })
  ).body;
  assert.deepEqual([quote.sales_tax_percent, quote.taxes], [1, TAXES]);
});

test('each tax is on the lines of its classes and on their part of the taxable fee', async () => {
  // The fee of 4.00 is split: the fudge gets 0.79, the milk 1.06, the soap 0.72 and the stamps 1.43. 11.01 at 6.25 % is
  // 68.8 cents; 7.72 at 1 % is 7.72.
  const mixed = await quoteOf({ Fudge: 1, Milk: 2, Soap: 1, Stamps: 1 });
  assert.deepEqual(mixed.quote.taxes, named(69, 8, 0));
  assert.equal(mixed.quote.sales_tax_cents, 77);
  assert.deepEqual(
    mixed.items.map(({ tax_class }: { tax_class: string }) => tax_class),
    ['candy', 'grocery', 'general', 'exempt'],
  );
  // If every item is exempt, the fee is taxed as general goods.
  const stamps = await quoteOf({ Stamps: 1 });
  assert.deepEqual([stamps.quote.taxes, stamps.quote.total], [named(25, 0, 0), 1325]);
  const options = [{ option_id: 'cola', quantity: 1 }];
  const [milk] = [tokens.Milk];
  const items = [{ product_id: milk, quantity: 1, selected_options: options }];
  // Milk 3.33 and 2.50 of the fee at 1 %, the cola of 2.00 and 1.50 of it at 6.25 %.
  assert.deepEqual((await quoteOf({}, { items })).quote.taxes, named(22, 6, 0));
});

test('a cart costs the same as its order', async () => {
  const place = { user_latitude: NEAR_DOOR.user_latitude, user_longitude: NEAR_DOOR.user_longitude };
  const { body } = await shop.get('/search/cart', { query: '{"Fudge":1,"Soap":1,"Milk":2}', pickup: false, ...place });
  const cart = body.carts.find((one: { store_id: string }) => one.store_id === storeId);
  assert.deepEqual([cart.taxes, cart.grand_total], [named(74, 8, 0), 500 + 450 + 666 + 400 + 82]);
});

test('a refund gives back the taxes of its own lines, and the statement names them', async () => {
  const { order_id: orderId } = (await order({ Fudge: 1, Milk: 2, Stamps: 1 })).body;
  await shop.step(orderId, 'confirm');
  const refund = async (index: number, quantity: number) =>
    (await shop.post('/order/refund', { order_id: orderId, items: [{ index, quantity }] })).body.amount;
  // State tax on 5.00 and 0.97 of the fee: 37 cents; the fudge bears 31 of them. Food tax on 6.66 and 1.29 of the fee:
  // 8; the milk bears 7.
  assert.deepEqual(
    [await refund(0, 1), await refund(1, 1), await refund(1, 1), await refund(2, 1)],
    [531, 337, 336, 900],
  );
  await dispatchAllEvents(shop.service.deps);
  const { lines } = (await kitchen.get('/store/statements')).body;
  const own = lines.filter((line: { order_id: string }) => line.order_id === orderId);
  assert.deepEqual(
    own.map(({ tax_lines }: { tax_lines: object[] }) => tax_lines),
    [
      [
        { name: 'State tax', amount: 37 },
        { name: 'Food tax', amount: 8 },
      ],
      [{ name: 'State tax', amount: -31 }],
      [{ name: 'Food tax', amount: -4 }],
      [{ name: 'Food tax', amount: -3 }],
      [],
    ],
  );
});

test('an order without missing items has the taxes of the goods handed off', async () => {
  const { order_id: orderId } = (await order({ Fudge: 1, Milk: 2 })).body;
  await shop.step(orderId, 'confirm');
  // The fee stays 1.72 of candy and 2.28 of groceries.
  const adjusted = await kitchen.post(`/store/orders/${orderId}/items/0`, { quantity: 0 });
  const { taxes, total } = adjusted.body.store_part;
  assert.deepEqual([taxes, total], [named(11, 9, 0), 666 + 400 + 20]);
});

test('a store changes an item’s tax class; an empty class means the category’s; undo restores the former', async () => {
  const own = await givenStoreKey(shop, storeId);
  const item = async () =>
    (await own.get('/store/menu/items', { category_id: 'plain' })).body.items.find(
      ({ name }: { name: string }) => name === 'Soap',
    );
  const classOf = async (name: string) =>
    (await shop.get('/details/product', { product_id: tokens[name] ?? '' })).body.tax_class;
  const edit = async (tax_class: string) => {
    const { item_id, version, ...fields } = await item();
    const body = { category_id: 'plain', version, item: { ...fieldsOf(fields), tax_class } };
    const reply = await own.put(`/store/menu/items/${item_id}`, body);
    assert.equal(reply.status, 200, reply.text);
  };
  await edit('candy');
  assert.equal(await classOf('Soap'), 'candy');
  assert.deepEqual((await quoteOf({ Soap: 1 })).quote.taxes, named(53, 0, 0));
  await edit('');
  assert.equal(await classOf('Soap'), 'grocery');
  const refused = await own.put(`/store/menu/items/${(await item()).item_id}`, {
    category_id: 'plain',
    version: (await item()).version,
    item: { ...fieldsOf(await item()), tax_class: 'food' },
  });
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
  const [change] = (await own.get('/store/menu/changes')).body.changes;
  assert.equal((await own.post(`/store/menu/changes/${change.change_id}/undo`, {})).status, 200);
  assert.equal(await classOf('Soap'), 'candy');
});

test('the operator sets a store’s class as its default; agents see it', async () => {
  const operator = await givenConsole(shop, null);
  const set = (tax_class: string) => operator.post(`/operator/stores/${storeId}/switches`, { tax_class });
  assert.equal((await set('prepared_food')).body.tax_class, 'prepared_food');
  await shop.catchUp();
  assert.deepEqual((await quoteOf({ Milk: 1 })).quote.taxes, named(46, 0, 0));
  const agent = await givenAgent(await shop.service.listen(), shop.key);
  const product = await agent.ask('get_product', { product_id: tokens.Milk });
  await agent.close();
  assert.equal(product.tax_class, 'prepared_food');
  assert.equal((await set('food')).status, 400);
  await set('grocery');
});
