import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, clientOf, givenApp } from '../../../test/harness.ts';
import { OrderBody } from '../../ordering/place/order-body.ts';
import { revokeKey } from './accounts.db.ts';
import { issuePublishableKey } from './issue-key.flow.ts';
import { parseOrigin } from './publishable-key.ts';

const SHOP = 'https://shop.example';
const app = await givenApp({ env: { TRUST_PROXY: '127.0.0.1' } });
const [storeId = ''] = await givenStores(app, [pizzeria()]);
after(() => app.close());

/** A page that sends a new publishable key, from this address. */
async function givenPage(mode: 'sandbox' | 'live' = 'live', origins: readonly string[] = [SHOP]) {
  const { key, keyId } = await issuePublishableKey(app.service.deps.db, app.accountId, mode, app.now(), origins);
  return { ...clientOf(app.service, app.accountId, key), keyId };
}
const from = (address: string) => ({ 'x-forwarded-for': address });
const search = (client: Client, headers: Record<string, string> = {}) =>
  client.get('/search/store/v3', { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude }, headers);

/** A cart as a shop stores it, without anything that is the account's to say. */
async function givenCart(page: Client, changes: object = {}) {
  const token = (await productTokens(app, storeId)).Soda;
  const { place_order, user_id, include_final_quote, ...body } = orderBody(token, null, {
    items: [{ product_id: token, quantity: 4 }],
  });
  return page.post('/order/order/v2', { ...body, ...changes });
}

test('an answer names the origin of the page, and a page of another origin is refused without it', async () => {
  const page = await givenPage();
  const answered = await search(page, { origin: SHOP });
  assert.equal(answered.status, 200, answered.text);
  assert.equal(answered.headers['access-control-allow-origin'], SHOP);
  assert.match(String(answered.headers.vary), /origin/i);
  assert.equal(answered.headers['access-control-allow-credentials'], undefined);
  const refused = await search(page, { origin: 'https://other.example' });
  assert.deepEqual([refused.status, refused.body.code], [403, 'origin_not_allowed']);
  assert.equal(refused.headers['access-control-allow-origin'], undefined);
  assert.equal((await search(page)).status, 200, 'a server sends no Origin');
  const other = await search(app, { origin: SHOP });
  assert.equal(other.headers['access-control-allow-origin'], undefined, 'another key is not for pages');
});

test('a page can read why it was refused', async () => {
  const page = await givenPage();
  const refused = await page.get('/account/requests', {}, { origin: SHOP });
  assert.deepEqual([refused.status, refused.body.code], [403, 'key_is_publishable']);
  assert.equal(refused.headers['access-control-allow-origin'], SHOP);
});

test('pages of this machine may send a sandbox key, and no live one', async () => {
  const [sandbox, live] = [await givenPage('sandbox', []), await givenPage('live')];
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) {
    assert.equal((await search(sandbox, { origin })).status, 200);
    assert.equal((await search(live, { origin })).body.code, 'origin_not_allowed');
  }
  assert.equal((await search(sandbox, { origin: 'http://localhost.example' })).body.code, 'origin_not_allowed');
});

test('a preflight succeeds for the origins of active keys', async () => {
  const page = await givenPage('live', ['https://pre.example']);
  const preflight = async (origin: string) => {
    const { statusCode, headers } = await app.service.http.inject({
      method: 'OPTIONS',
      url: '/search/store/v3',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'id-token' },
    });
    return [statusCode, headers['access-control-allow-origin'], headers['access-control-max-age']];
  };
  assert.deepEqual(await preflight('https://pre.example'), [204, 'https://pre.example', '86400']);
  assert.deepEqual(await preflight('http://localhost:3000'), [204, 'http://localhost:3000', '86400']);
  assert.deepEqual(await preflight('https://nobody.example'), [403, undefined, undefined]);
  await revokeKey(app.service.deps.db, page.keyId, app.now());
  assert.deepEqual(await preflight('https://pre.example'), [403, undefined, undefined]);
});

test('a cart of a page has a checkout, and only its own key reads and replaces it', async () => {
  const page = await givenPage('sandbox');
  const stored = await givenCart(page);
  assert.equal(stored.status, 200, stored.text);
  const { order_id: orderId, checkout_url: checkoutUrl, tracking_link: trackingLink } = stored.body;
  const keys = [new URL(trackingLink).searchParams.get('key') ?? '', String(checkoutUrl).split('/').at(-1) ?? ''];
  for (const order_key of keys) {
    const read = await page.get('/account/orders', { order_id: orderId, order_key });
    assert.equal(read.status, 200, read.text);
    const [order] = read.body.orders;
    assert.equal(order.order_id, orderId);
    for (const hidden of ['profit', 'metadata', 'customer_order_id']) assert.ok(!(hidden in order), hidden);
    const replaced = await givenCart(page, { order_id: orderId, order_key, driver_tip_cents: 500 });
    assert.equal(replaced.body.order_id, orderId);
  }
  const other = await givenCart(page);
  const otherKey = new URL(other.body.tracking_link).searchParams.get('key') ?? '';
  for (const order_key of ['', 'x', otherKey]) {
    assert.equal((await page.get('/account/orders', { order_id: orderId, order_key })).body.code, 'order_not_found');
    assert.equal((await givenCart(page, { order_id: orderId, order_key })).body.code, 'order_not_found');
  }
  const [own] = (await app.get('/account/orders', { order_id: orderId })).body.orders;
  assert.equal(own.profit, 0, 'the account is shown all');
});

/** A value for each field of an order that only the account sets. */
const OF_THE_ACCOUNT: Record<string, unknown> = {
  place_order: true,
  user_id: 'u1',
  charge_user: false,
  payment_method_id: 'pm_x',
  metadata: { source: 'page' },
  customer_order_id: 'c1',
  favorited: true,
  disable_sms: true,
  email_receipt_specifications: { prices_marked: true },
  checkout_return_url: 'https://other.example/orders',
};

test('every member of an order that is the account’s is refused by name; a page may send all others', async () => {
  const page = await givenPage('sandbox');
  const token = (await productTokens(app, storeId)).Soda;
  const refused = async (changes: object) => {
    const { status, body } = await givenCart(page, changes);
    return status === 403 ? [body.code, body.errors[0].name] : [];
  };
  for (const [name, value] of Object.entries(OF_THE_ACCOUNT)) {
    assert.deepEqual(await refused({ [name]: value }), ['key_is_publishable', name]);
  }
  const marked = { product_id: token, product_marked_price: 900 };
  assert.deepEqual(await refused({ items: [marked] }), ['key_is_publishable', 'items[0].product_marked_price']);
  const options = { product_id: token, selected_options: [{ option_id: 'x', marked_price: 5 }] };
  assert.deepEqual(await refused({ items: [options] }), [
    'key_is_publishable',
    'items[0].selected_options[0].marked_price',
  ]);
  const alone = await page.post('/order/order/v2', { place_order: true });
  assert.deepEqual([alone.status, alone.body.errors[0].name], [403, 'place_order'], 'before the faults of the order');
  const decided = new Set([...Object.keys(OF_THE_ACCOUNT)]);
  for (const name of Object.keys(OrderBody.properties).filter((member) => !decided.has(member))) {
    assert.deepEqual(await refused({ [name]: undefined }), [], name);
  }
  assert.equal((await givenCart(page, { checkout_return_url: `${SHOP}/orders` })).status, 200);
  const listed = await page.get('/account/orders', { user_id: 'u1' });
  assert.deepEqual(
    [listed.status, listed.body.code, listed.body.errors[0].name],
    [403, 'key_is_publishable', 'user_id'],
  );
  const all = await page.get('/account/orders');
  assert.deepEqual([all.status, all.body.code, all.body.errors[0].name], [403, 'key_is_publishable', 'order_id']);
});

test('a visitor has a tenth of an hour’s requests, lookups and carts at once, and other visitors have theirs', async () => {
  const page = await givenPage('sandbox');
  const [one, other] = [from('203.0.113.7'), from('203.0.113.8')];
  const count = async (send: (headers: Record<string, string>) => ReturnType<Client['get']>, atMost: number) => {
    for (let nth = 0; nth < atMost; nth += 1) assert.notEqual((await send(one)).status, 429);
    const refused = await send(one);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) <= 360);
    assert.notEqual((await send(other)).status, 429);
  };
  let house = 0;
  const address = () => {
    house += 1;
    return `${house} W 21st St, New York`;
  };
  await count((headers) => page.get('/utils/geocode', { address: address() }, headers), 6);
  await count((headers) => page.post('/order/order/v2', { items: [{ product_id: 'x' }], pickup: true }, headers), 12);
  await count((headers) => search(page, headers), 120 - 7 - 13);
  await app.advance({ minutes: 6 });
  assert.equal((await search(page, one)).status, 200);
  assert.equal((await search(app, one)).status, 200, "the account's own key is not a visitor's");
});

test('an Idempotency-Key of a visitor replays nothing that another visitor got', async () => {
  const page = await givenPage('sandbox');
  const key = { 'idempotency-key': 'cart-1' };
  const token = (await productTokens(app, storeId)).Soda;
  const body = { items: [{ product_id: token, quantity: 4 }], pickup: true };
  const answers = [await page.post('/order/order/v2', body, key), await page.post('/order/order/v2', body, key)];
  assert.notEqual(answers[0]?.body.order_id, answers[1]?.body.order_id);
});

test('origins are https, or http on this machine, without a path', () => {
  for (const origin of ['https://shop.example', 'https://shop.example:8443', 'http://localhost:5173']) {
    assert.equal(parseOrigin(origin), origin);
  }
  assert.equal(parseOrigin('HTTPS://Shop.Example/'), 'https://shop.example');
  for (const text of [
    'http://shop.example',
    'https://shop.example/x',
    'shop.example',
    '*',
    'null',
    '',
    'https://a@b',
    'https://*.example',
    'https://shop.example:*',
    "https://shop'.example",
  ]) {
    assert.equal(parseOrigin(text), undefined, text);
  }
});
