import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { comeAgain } from '../../../test/come-again.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel, givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, clientOf, givenOwnApp, type Reply } from '../../../test/harness.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';
import { takeStep } from '../money/take-step.flow.ts';

/** The sandboxes of two accounts, and the live keys of two accounts. */

const app = await givenOwnApp();
const a = app;
const b = await app.givenClient();
const live = await app.givenClient('live');
const otherLive = await app.givenClient('live');
after(() => app.close());

const NEAR = { user_latitude: 40.744, user_longitude: -73.988 };

type Shop = { storeId: string; token: string };

/** A store that accepts orders from all keys, with five units of one product and slots for two orders. */
async function givenShop(name: string, changes: object = {}): Promise<Shop> {
  const goods = [{ id: 'u', name: `Unit ${name}`, price: 1500, qty_available: 5, ...changes }];
  const categories = [{ id: 'c', name: 'C', products: [...goods, { id: 'free', name: 'Plain', price: 1500 }] }];
  const [storeId = ''] = await givenStores(app, [pizzeria({ external_id: name, name: `Shop ${name}`, categories })]);
  await givenChannel(app, storeId);
  return { storeId, token: (await productTokens(app, storeId))[`Unit ${name}`] ?? '' };
}

const order = (client: Client, token: string, quantity = 1, more: object = {}): Promise<Reply> => {
  const items = [{ product_id: token, quantity }];
  const body = orderBody(undefined, null, { items, charge_user: false, ...more });
  return comeAgain((key) => client.post('/order/order/v2', body, key));
};
const placed = async (client: Client, token: string, quantity = 1, more: object = {}): Promise<string> => {
  const reply = await order(client, token, quantity, more);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
};
const cancel = (orderId: string) => takeStep(app.service.deps, orderId, { event: 'cancel' });

/** Units of the product shown to a client, from its details. */
async function left(client: Client, token: string): Promise<number> {
  return (await client.get('/details/product', { product_id: token })).body.qty_available;
}

/** Every response that shows a client the stock: inventory, details, product search, cart search. */
async function shownTo(client: Client, { storeId, token }: Shop, name: string) {
  const menu = await client.get('/details/inventory', { store_id: storeId, pickup: false });
  const [item] = menu.body.categories[0].menu_item_list;
  const details = (await client.get('/details/product', { product_id: token })).body;
  const search = { ...NEAR, store_id: storeId };
  const found = await client.get('/search/product/v4', { ...search, query: `unit ${name}` });
  const cart = JSON.stringify({ [`unit ${name}`]: 2 });
  const carts = await client.get('/search/cart', { ...search, query: cart });
  return {
    menu: [item.qty_available, item.is_available],
    details: [details.qty_available, details.is_available],
    found: found.body.products.length,
    carts: carts.body.carts.length,
  };
}

const seesUnits = (units: number) => ({
  menu: [units, units > 0],
  details: [units, units > 0],
  found: units > 0 ? 1 : 0,
  carts: units >= 2 ? 1 : 0,
});

test('a sandbox that buys everything sells out nothing but itself, in every answer that shows stock', async () => {
  const shop = await givenShop('everything');
  const all = [live, otherLive, b];
  const before = await live.get('/details/inventory', { store_id: shop.storeId, pickup: false });
  await placed(a, shop.token, 5);
  assert.deepEqual(await shownTo(a, shop, 'everything'), seesUnits(0));
  assert.equal((await order(a, shop.token)).body.code, 'product_unavailable');
  for (const client of all) assert.deepEqual(await shownTo(client, shop, 'everything'), seesUnits(5));
  const after = await live.get('/details/inventory', { store_id: shop.storeId, pickup: false });
  assert.deepEqual([after.body.menu_id, after.headers.etag], [before.body.menu_id, before.headers.etag]);
  assert.equal((await order(live, shop.token, 5)).status, 200);
  // Account b's sandbox sees the actual stock, which is now sold out.
  for (const client of [live, a, b]) assert.deepEqual(await shownTo(client, shop, 'everything'), seesUnits(0));
});

test('the menu_id of a sandbox changes when, and only when, its own view changes, and comes back with its units', async () => {
  const shop = await givenShop('menu-id');
  const readMenu = async (client: Client) => {
    const { body } = await client.get('/details/inventory', { store_id: shop.storeId, pickup: false });
    return body.menu_id as string;
  };
  const first = await readMenu(live);
  assert.deepEqual([await readMenu(a), await readMenu(b)], [first, first]);
  const orderId = await placed(a, shop.token, 2);
  const held = await readMenu(a);
  assert.notEqual(held, first);
  assert.deepEqual([await readMenu(live), await readMenu(b)], [first, first]);
  await cancel(orderId);
  assert.equal(await readMenu(a), first);
});

test('a slot that a sandbox fills is offered to everyone else, and a cancelation frees it for that sandbox', async () => {
  const shop = await givenShop('slots');
  const readSlots = async (client: Client): Promise<string[]> => {
    const query = { store_id: shop.storeId, pickup: false, include_quote: true, ...NEAR };
    const { quote } = (await client.get('/details/inventory', query)).body;
    return quote.time_estimate.scheduled.map((slot: { id: string }) => slot.id);
  };
  const [slot = ''] = await readSlots(a);
  const [first] = [
    await placed(a, shop.token, 1, { scheduled_id: slot }),
    await placed(a, shop.token, 1, { scheduled_id: slot }),
  ];
  const offered = async () => Promise.all([a, b, live].map(async (client) => (await readSlots(client)).includes(slot)));
  assert.deepEqual(await offered(), [false, true, true]);
  assert.equal((await order(a, shop.token, 1, { scheduled_id: slot })).body.code, 'slot_unavailable');
  await placed(live, shop.token, 1, { scheduled_id: slot });
  await placed(live, shop.token, 1, { scheduled_id: slot });
  assert.deepEqual(await offered(), [false, true, false]);
  assert.equal((await order(live, shop.token, 1, { scheduled_id: slot })).body.code, 'slot_unavailable');
  await cancel(first);
  assert.deepEqual(await offered(), [true, true, false]);
});

test('60 buyers at once on two nodes: live orders sell every unit while two sandboxes buy as well', async () => {
  const shop = await givenShop('race');
  const node = await app.givenNode('api');
  const there = (client: Client) => clientOf(node, client.accountId, client.key);
  const buyers = Array.from({ length: 60 }, (_, n) => {
    const client = [live, a, b][n % 3] as Client;
    return async () => ({
      key: client.key,
      status: (await order(n % 2 === 0 ? client : there(client), shop.token)).status,
    });
  });
  const sold = (await Promise.all(buyers.map((buy) => buy()))).filter(({ status }) => status === 200);
  const countSold = (client: Client) => sold.filter(({ key }) => key === client.key).length;
  assert.equal(countSold(live), 5);
  assert.ok(countSold(a) <= 5 && countSold(b) <= 5, `${countSold(a)} ${countSold(b)}`);
  assert.deepEqual(await Promise.all([live, a, b].map((client) => left(client, shop.token))), [0, 0, 0]);
});

test('40 buyers at once in two sandboxes: each sells exactly what there is, and the live stock stays', async () => {
  const shop = await givenShop('two-sandboxes');
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => ({ n, status: (await order(n % 2 === 0 ? a : b, shop.token)).status })),
  );
  const soldBy = (remainder: number) => replies.filter(({ n, status }) => n % 2 === remainder && status === 200).length;
  assert.deepEqual([soldBy(0), soldBy(1)], [5, 5]);
  assert.deepEqual(await Promise.all([live, a, b].map((client) => left(client, shop.token))), [5, 0, 0]);
});

test('a sandbox order waits for no live order of the same product, and keeps none waiting', async () => {
  const shop = await givenShop('locks');
  const { db } = app.service.deps;
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from products where store_id = ${shop.storeId} for update`.execute(tx);
    await placed(a, shop.token);
  });
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from sandbox_stock where store_id = ${shop.storeId} for update`.execute(tx);
    await placed(live, shop.token);
  });
  assert.deepEqual([await left(live, shop.token), await left(a, shop.token)], [4, 3]);
});

test('a store that lacks a sandbox item, and its substitute, move only that sandbox’s units', async () => {
  const shop = await givenShop('adjusted');
  const store = await givenStoreKey(app, shop.storeId, a.accountId);
  const plain = (await productTokens(a, shop.storeId)).Plain ?? '';
  const items = [{ product_id: plain, quantity: 2, substitution: { preference: 'store_choice' } }];
  const orderId = await placed(a, shop.token, 1, { items });
  const change = (body: object) => store.post(`/store/orders/${orderId}/items/0`, body);
  assert.equal((await change({ quantity: 2, substitute_product_id: 'u' })).status, 200);
  assert.deepEqual([await left(a, shop.token), await left(b, shop.token), await left(live, shop.token)], [3, 5, 5]);
  assert.equal((await change({ quantity: 1, substitute_product_id: 'u' })).status, 200);
  assert.equal(await left(a, shop.token), 4);
  await cancel(orderId);
  assert.deepEqual([await left(a, shop.token), await left(live, shop.token)], [5, 5]);
});

test('a store reads the stock of the world that its key is of, and sets the live stock, which begins every sandbox again', async () => {
  const shop = await givenShop('store-keys');
  const [open, ended] = [await placed(a, shop.token, 1), await placed(a, shop.token, 2)];
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'] as const) {
    await takeStep(app.service.deps, ended, { event });
  }
  const [ofLive, ofA] = [await givenStoreKey(app, shop.storeId), await givenStoreKey(app, shop.storeId, a.accountId)];
  const seenBy = async (store: Client) => {
    const { products } = (await store.get('/store/products')).body;
    return products.find((one: { external_id: string }) => one.external_id === 'u').qty_available;
  };
  assert.deepEqual([await seenBy(ofLive), await seenBy(ofA)], [5, 2]);
  const refused = await ofA.patch('/store/products/u', { qty_available: 9 });
  assert.deepEqual([refused.status, refused.body.code], [403, 'live_only']);
  assert.equal((await ofLive.patch('/store/products/u', { qty_available: 9 })).body.qty_available, 9);
  // The pending order's unit stays held; the finished order's units are already in the new stock.
  assert.deepEqual([await left(live, shop.token), await left(a, shop.token), await left(b, shop.token)], [9, 8, 9]);
  await cancel(open);
  assert.equal(await left(a, shop.token), 9);
});

test('an order of a sandbox that moves to another store takes its units there from the same sandbox', async () => {
  const line = (id: string, qty: number, latitude: number) =>
    pizzeria({
      external_id: id,
      name: 'Twin Shop',
      latitude,
      categories: [{ id: 'c', name: 'C', products: [{ id: 'u', name: 'Twin Unit', price: 1500, qty_available: qty }] }],
    });
  const [near = ''] = await givenStores(app, [line('twin-near', 2, 40.7383), line('twin-far', 5, 40.7393)]);
  const token = (await productTokens(a, near))['Twin Unit'] ?? '';
  await placed(a, token, 2);
  const moved = await order(a, token, 2, { enable_substitution: true });
  assert.equal(moved.status, 200, moved.text);
  assert.equal(moved.body.final_quote.store_id, storeIdOf('test', 'twin-far'));
  const far = (await productTokens(a, storeIdOf('test', 'twin-far')))['Twin Unit'] ?? '';
  assert.deepEqual([await left(a, far), await left(live, far), await left(live, token)], [3, 5, 2]);
});
