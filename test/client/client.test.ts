import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CreateOrderBody, DoorstepError } from '../../clients/typescript/src/main.ts';
import { NEAR_DOOR } from '../feed-lines.ts';
import { CARD, orderBody, productTokens } from '../given/orders.ts';
import { type Client, clientOf } from '../harness.ts';
import { connectionLost, fetchThrough, type GivenApi, givenApi } from './given-api.ts';

let given: GivenApi;
before(async () => {
  given = await givenApi();
});
after(() => given.close());

const near = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };

async function orderOf(client: Client, changes: object = {}): Promise<CreateOrderBody> {
  const tokens = await productTokens(client, given.storeId);
  const items = [{ product_id: tokens.Soda, quantity: 5 }];
  return orderBody(tokens.Soda, null, { charge_user: false, items, ...changes }) as CreateOrderBody;
}

async function refusalOf(work: Promise<unknown>): Promise<DoorstepError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DoorstepError, String(error));
  return error;
}

test('a client finds a store, reads it, orders there, changes the order and reads it again', async () => {
  const account = await given.app.givenClient();
  const client = given.clientOf(account);
  const { stores } = await client.stores.search({ ...near, pickup: false, query: '' }).first();
  assert.equal(stores[0]?._id, given.storeId);
  const where = { pickup: false, ...NEAR_DOOR };
  const menu = await client.stores.inventory({ store_id: given.storeId, include_quote: true, ...where });
  const soda = menu.categories.flatMap((one) => one.menu_item_list).find(({ name }) => name === 'Soda');
  assert.equal((await client.products.get({ product_id: soda?.product_id ?? '', pickup: false })).name, 'Soda');
  const carts = await client.carts.search({ query: { soda: 5 }, ...NEAR_DOOR });
  assert.equal(carts.carts[0]?.store_id, given.storeId);
  const who = { user_id: 'u1', user_email: 'u1@example.com' };
  const card = await client.paymentMethods.create({ payment_method: CARD, ...who });
  assert.equal((await client.paymentMethods.list('u1')).payment_methods.length, 1);
  const placed = { payment_method_id: card.payment_method_id, charge_user: true };
  const { order_id, order_placed } = await client.orders.create(await orderOf(account, placed));
  assert.equal(order_placed, true);
  await client.orders.tip(order_id, { driver_tip_cents: 500 });
  assert.equal((await client.sandbox.advance(order_id, { event: 'confirm' })).status, 'in_progress');
  await client.orders.refund(order_id, { amount: 100, reason: 'cold' });
  assert.equal((await client.orders.cancel(order_id)).status, 'canceled');
  assert.equal((await client.orders.get(order_id))?.status, 'canceled');
  assert.equal(await client.orders.get('none'), undefined);
  assert.equal((await client.sandbox.charges({ order_id })).charges.length, 2);
  assert.ok((await client.sandbox.messages(order_id)).messages.length > 0);
  await client.paymentMethods.delete({ user_id: 'u1', payment_method_id: card.payment_method_id });
});

test('an order that was only quoted is placed by `finalize`', async () => {
  const account = await given.app.givenClient();
  const client = given.clientOf(account);
  const quoted = await client.orders.create(await orderOf(account, { place_order: false }));
  assert.equal(quoted.order_placed, false);
  assert.equal((await client.orders.finalize(quoted.order_id)).order_placed, true);
});

test('a search ends at its first empty page, and a list of orders at its last page', async () => {
  const account = await given.app.givenClient();
  const client = given.clientOf(account);
  const found: string[] = [];
  for await (const { _id } of client.stores.search(near)) found.push(_id);
  for await (const { store_id } of client.products.search({ query: 'soda', ...NEAR_DOOR })) found.push(store_id);
  assert.deepEqual(found, [given.storeId, given.storeId]);
  const body = await orderOf(account, { place_order: false });
  const quoted = [await client.orders.create(body), await client.orders.create(body)];
  const listed: string[] = [];
  for await (const { order_id } of client.orders.list({ status: 'unplaced' })) listed.push(order_id);
  assert.deepEqual(listed.toSorted(), quoted.map(({ order_id }) => order_id).toSorted());
});

test('a refusal has the code, the status, the words, the request and all that the service says of it', async () => {
  const account = await given.app.givenClient();
  const client = given.clientOf(account);
  const missing = await refusalOf(client.stores.inventory({ store_id: 'none', pickup: false }));
  assert.deepEqual([missing.code, missing.status, missing.operation], ['store_not_found', 404, 'readInventory']);
  assert.equal(missing.requestId, missing.problem.request_id);
  assert.match(missing.message, /^readInventory: .*\(store_not_found, 404\)$/);
  const wrong = await refusalOf(client.orders.create({ items: [], pickup: true }));
  assert.equal(wrong.code, 'invalid_request');
  assert.deepEqual(
    wrong.problem.errors?.map(({ in: part, name }) => [part, name]),
    [['body', 'items']],
  );
  const forged = await refusalOf(client.orders.create({ items: [{ product_id: 'forged' }], pickup: true }));
  assert.deepEqual([forged.code, forged.status], ['product_not_found', 404]);
  const stranger = given.clientOf(clientOf(given.app.service, 'none', 'ds_test_none'));
  assert.equal((await refusalOf(stranger.orders.list().first())).code, 'invalid_api_key');
});

test('an order with a lost response is placed once: the retry reuses its key and gets the first response', async () => {
  const account = await given.app.givenClient();
  const keys: (string | null)[] = [];
  const losing = fetchThrough(async (send, request) => {
    keys.push(request.headers.get('idempotency-key'));
    const response = await send();
    return keys.length < 3 ? connectionLost() : response;
  });
  const placed = await given.clientOf(account, { fetch: losing }).orders.create(await orderOf(account));
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
  const { orders } = (await account.get('/account/orders')).body;
  assert.deepEqual(
    orders.map((one: { order_id: string }) => one.order_id),
    [placed.order_id],
  );
  const own = given.clientOf(account);
  const body = await orderOf(account);
  const again = await Promise.all([1, 2].map(() => own.orders.create(body, { idempotencyKey: 'cart-1' })));
  assert.equal(again[0]?.order_id, again[1]?.order_id, "a caller's key is kept as it is");
});

test('webhooks are attached, shown, tested and replayed', async () => {
  const account = await given.app.givenClient();
  const client = given.clientOf(account);
  assert.equal((await client.webhooks.get()).endpoint, null);
  const refused = await refusalOf(client.webhooks.attach({ endpoint: 'http://127.0.0.1/hook' }));
  assert.equal(refused.code, 'webhook_endpoint_not_allowed');
  assert.equal((await refusalOf(client.webhooks.test())).code, 'webhook_endpoint_not_allowed');
  assert.equal((await refusalOf(client.webhooks.replay({ since: 0 }))).code, 'webhook_endpoint_not_allowed');
});
