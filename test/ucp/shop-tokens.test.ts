import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import {
  assertShape,
  type Got,
  givenShopApp,
  givenTokenOf,
  HOST,
  openShop,
  SHOPPING,
  type ShopApp,
} from './given-shop.ts';
import { newKey, profileOf, signed } from './platform.ts';

/* Who calls a shop: unsigned and proven platforms, bound ones, and customers' tokens. */

const CARTS_PER_HOUR = 200;
const FROM = { 'x-forwarded-for': '203.0.113.9' };
let app: ShopApp;
let storeId = '';
let item = '';
let ana = '';
let ben = '';

before(async () => {
  app = await givenShopApp(SHOPPING, {
    VISITOR_CARTS_PER_HOUR: String(CARTS_PER_HOUR),
    VISITOR_REQUESTS_PER_HOUR: '1000000',
    TRUST_PROXY: '127.0.0.1',
  });
  const products = [{ id: 'pie', name: 'Plain Pie', price: 900 }];
  [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
  ({ 'Plain Pie': item = '' } = await openShop(app, [storeId]));
  await app.service.deps.trackingSites.refresh();
  [ana, ben] = [await givenToken('ana@example.com'), await givenToken('ben@example.com')];
});
after(() => app.close());

const givenToken = (contact: string, scope?: string) => givenTokenOf(app, contact, scope);
const by = (token: string) => ({ authorization: `Bearer ${token}` });
const lines = () => ({ line_items: [{ item: { id: item }, quantity: 2 }] });
const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
const codes = ({ body }: Got) => (body.messages ?? []).map(({ code }: { code: string }) => code);

test('the profile of a host with customer sign-in links identities, with two gates', async () => {
  const { body } = await app.open('/.well-known/ucp');
  const [linking] = body.ucp.capabilities['dev.ucp.common.identity_linking'];
  assert.deepEqual(linking.config.scopes, { 'dev.ucp.shopping.order:read': {}, 'dev.ucp.shopping.order:manage': {} });
  assertShape('profile.json#/$defs/business_schema', body);
});

test('an invalid token returns 401, even where none is needed, and names the sign-in address', async () => {
  const got = await app.ask('/carts', lines(), { headers: by('ds_user_test_none') });
  for (const { status, body } of [
    got,
    await app.ask('/orders/none', {}, { method: 'GET', headers: by('ds_user_test_none') }),
  ]) {
    const [{ code, severity }] = body.messages;
    assert.deepEqual(
      [status, body.code, code, severity],
      [401, ...Array(2).fill('identity_required'), 'requires_buyer_review'],
    );
  }
  assert.match(String(got.headers['www-authenticate']), /resource_metadata="http:[^"]+\/ucp".*error="invalid_token"/);
  const tool = await app.tool('create_cart', { cart: lines() }, {}, { headers: by('ds_user_test_none') });
  assert.equal(tool.status, 401);
  assert.match(String(tool.headers['www-authenticate']), /\/ucp\/mcp"/);
  const elsewhere = await app.ask('/locations/search', {}, { host: '127.0.0.1', headers: by(ana) });
  assert.equal(elsewhere.status, 401, 'at another host');
});

test('a cart or checkout made with a token belongs only to its customer; a guest’s may be continued', async () => {
  const cart = (await app.ask('/carts', lines(), { headers: by(ana) })).body;
  const checkout = await app.ask('/checkout-sessions', { ...lines(), ...pickup }, { headers: by(ana) });
  assert.equal(checkout.status, 201, JSON.stringify(checkout.body));
  for (const path of [`/carts/${cart.id}`, `/checkout-sessions/${checkout.body.id}`]) {
    const read = (headers: Record<string, string>) => app.ask(path, {}, { method: 'GET', headers });
    assert.equal((await read(by(ana))).body.ucp.status, 'success');
    for (const headers of [{}, by(ben)]) assert.deepEqual(codes(await read(headers)), ['not_found']);
  }
  const buyer = { first_name: 'Gus', phone_number: '+12125550177' };
  const guests = (await app.ask('/checkout-sessions', { ...lines(), ...pickup, buyer })).body;
  const at = `/checkout-sessions/${guests.id}`;
  const seen = await app.ask(at, {}, { method: 'GET', headers: by(ben) });
  assert.deepEqual([seen.body.id, seen.body.buyer], [guests.id, undefined], 'a guest’s contact is for no other one');
  const continued = await app.ask(at, { ...lines(), ...pickup, buyer }, { method: 'PUT', headers: by(ana) });
  assert.equal(continued.body.buyer.first_name, 'Gus');
  assert.equal(continued.body.id, guests.id);
  assert.deepEqual(codes(await app.ask(at, {}, { method: 'GET' })), ['not_found'], 'it is hers now');
});

test('a cart becomes one checkout: at once, again, and for nobody else than its customer', async () => {
  const convert = (cart_id: string, headers: Record<string, string> = {}) =>
    app.ask('/checkout-sessions', { cart_id, ...pickup }, { headers });
  const cartId = async () => (await app.ask('/carts', lines())).body.id;
  for (const headers of [{}, by(ana)]) {
    const id = await cartId();
    const racing = await Promise.all([1, 2, 3].map(() => convert(id, headers)));
    assert.deepEqual(racing.map(({ status }) => status).toSorted(), [200, 200, 201]);
    assert.equal(new Set(racing.map(({ body }) => body.id)).size, 1);
  }
  const id = await cartId();
  const hers = await convert(id, by(ana));
  assert.equal(hers.status, 201);
  for (const headers of [{}, by(ben)]) {
    const foreign = await convert(id, headers);
    assert.deepEqual([foreign.status, codes(foreign)], [200, ['not_found']]);
  }
  const again = await convert(id, by(ana));
  assert.deepEqual([again.status, again.body.id], [200, hers.body.id]);
});

test('an unproven key counts only for its address', async () => {
  const headers = { 'idempotency-key': 'same' };
  const make = (more: object) =>
    app.ask('/checkout-sessions', { ...lines(), ...pickup }, { headers: { ...headers, ...more } });
  const mine = await make(FROM);
  assert.equal((await make(FROM)).body.id, mine.body.id);
  const others = await make({ 'x-forwarded-for': '203.0.113.10' });
  assert.deepEqual([others.status, others.body.id === mine.body.id], [201, false]);
});

test('a token fills the verified contact in; without one a checkout says that there is a sign-in, and hides the buyer', async () => {
  const buyer = { first_name: 'Ana', phone_number: '+12125550142' };
  const of = async (headers: Record<string, string>) =>
    app.ask('/checkout-sessions', { ...lines(), ...pickup, buyer }, { headers });
  const hers = await of(by(ana));
  assert.deepEqual(hers.body.buyer, { email: 'ana@example.com', ...buyer });
  assert.ok(!codes(hers).includes('identity_optional'));
  const withKey = await of({ ...by(ana), 'x-api-key': app.key });
  assert.deepEqual([withKey.body.buyer, codes(withKey)], [hers.body.buyer, codes(hers)], 'on top of a key');
  const { userId } = await app.service.deps.db
    .selectFrom('ucpCheckouts as c')
    .innerJoin('orders as o', 'o.orderId', 'c.orderId')
    .select('o.userId')
    .where('c.checkoutId', '=', hers.body.id)
    .executeTakeFirstOrThrow();
  assert.match(String(userId), /^cus_/);
  const guest = await of({});
  assert.ok(codes(guest).includes('identity_optional'));
  assert.equal(guest.body.buyer, undefined);
  const again = await app.ask(`/checkout-sessions/${guest.body.id}`, {}, { method: 'GET' });
  assert.ok(!codes(again).includes('identity_optional'), 'in the first answer alone');
});

test('orders need a token with order:read, and belong to its customer', async () => {
  const buyer = { first_name: 'Ana', phone_number: '+12125550142' };
  const { body } = await app.ask('/checkout-sessions', { ...lines(), ...pickup, buyer }, { headers: by(ana) });
  const { db } = app.service.deps;
  const { orderId: id } = await db
    .selectFrom('ucpCheckouts')
    .select('orderId')
    .where('checkoutId', '=', body.id)
    .executeTakeFirstOrThrow();
  const read = (token: string) => app.ask(`/orders/${id}`, {}, { method: 'GET', headers: by(token) });
  assert.deepEqual(codes(await read(ana)), ['not_found'], 'it is not placed');
  const placed = await app.post('/order/finalize', { order_id: id, payment_token: 'tok_visa' });
  assert.equal(placed.status, 200, placed.text);
  const got = await read(ana);
  assert.deepEqual([got.body.id, got.body.checkout_id], [id, body.id]);
  // The link that changes it is for who proves to have prepared it: anyone may name that platform.
  const checkout = await app.ask(`/checkout-sessions/${body.id}`, {}, { method: 'GET', headers: by(ana) });
  assert.equal(checkout.body.order.id, id);
  assert.doesNotMatch(JSON.stringify([got.body, checkout.body]), /[?&]key=/);
  assert.deepEqual(codes(await read(ben)), ['not_found']);
  const narrow = await read(await givenToken('ana@example.com', 'dev.ucp.shopping.cart:manage'));
  assert.deepEqual([narrow.status, narrow.body.messages[0].code], [403, 'insufficient_scope']);
  assert.match(String(narrow.headers['www-authenticate']), /error="insufficient_scope", scope="[^"]*order:read/);
});

const key = newKey('agent');
let proven = '';
async function makesCarts(count: number, send: () => Promise<Got>): Promise<number> {
  let made = 0;
  for (let nth = 0; nth < count; nth += 1) {
    const got = await send();
    if (got.status === 201) made += 1;
    else assert.deepEqual([got.status, got.body.code], [429, 'rate_limit_exceeded'], JSON.stringify(got.body));
  }
  return made;
}

test('strangers share the bound of their address; customers and proven platforms there have their own', async () => {
  const tenth = CARTS_PER_HOUR / 10;
  await app.advance({ hours: 1 });
  const cleo = await givenToken('cleo@example.com');
  assert.equal(await makesCarts(tenth + 2, () => app.ask('/carts', lines(), { headers: FROM })), tenth);
  assert.equal(
    await makesCarts(tenth + 2, () => app.ask('/carts', lines(), { headers: { ...FROM, ...by(cleo) } })),
    tenth,
  );
  proven = app.platform.publish('/proven', profileOf([key], SHOPPING));
  const { port } = new URL(app.service.deps.config.baseUrl);
  const url = `http://${HOST}${port === '' ? '' : `:${port}`}/ucp/carts`;
  const send = () => {
    const body = JSON.stringify(lines());
    const agent = { 'content-type': 'application/json', 'ucp-agent': `profile="${proven}"` };
    const sent = signed({ url, body, headers: agent }, key);
    return app.ask('/carts', lines(), { profile: proven, headers: { ...FROM, ...sent.headers } });
  };
  assert.equal(await makesCarts(tenth * 3, send), tenth * 3);
});

test('a customer has one limit at /ucp, /ucp/mcp and /mcp, and a refusal names the time in Retry-After', async () => {
  await app.advance({ hours: 1 });
  const headers = { ...FROM, ...by(await givenToken('dora@example.com')) };
  const body = lines();
  const quote = { items: [{ product_id: item, quantity: 2 }], pickup: true };
  const params = { name: 'quote_order', arguments: quote };
  type Outcome = { status: number; wait: unknown; words: unknown };
  const outcomeOf = ({ status, headers: sent, body: got }: Got): Outcome => ({
    status: status === 201 ? 200 : status,
    wait: sent['retry-after'],
    words: got.content,
  });
  const surfaces: (() => Promise<Outcome>)[] = [
    async () => outcomeOf(await app.ask('/carts', body, { headers })),
    async () => outcomeOf(await app.tool('create_cart', { cart: body }, {}, { headers, profile: '' })),
    async () => {
      const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const sent = { method: 'POST', url: '/mcp', headers: { host: HOST, ...headers }, payload } as const;
      const { isError, structuredContent: data } = (await app.service.http.inject(sent)).json().result;
      assert.ok(!isError || data.code === 'rate_limited', JSON.stringify(data));
      return { status: isError ? 429 : 200, wait: data.retry_after_seconds, words: data.detail };
    },
  ];
  const tenth = CARTS_PER_HOUR / 10;
  for (let nth = 0; nth < tenth + surfaces.length; nth += 1) {
    const { status, wait, words } = (await surfaces[nth % surfaces.length]?.()) ?? assert.fail();
    assert.equal(status, nth < tenth ? 200 : 429, `${nth} ${words}`);
    if (status === 429) assert.match(String(words), new RegExp(`\\b${wait} s`));
  }
});

test('an address is counted once for a checkout, however often the checkout is written', async () => {
  await app.advance({ hours: 1 });
  const headers = { ...FROM, ...by(await givenToken('emil@example.com')) };
  const address = { street_address: '120 5th Ave', address_locality: 'New York', address_region: 'NY' };
  const destinations = [{ ...address, postal_code: '10011', address_country: 'US' }];
  const wanted = { ...lines(), fulfillment: { methods: [{ type: 'shipping', destinations }] } };
  const { body } = await app.ask('/checkout-sessions', wanted, { headers });
  for (let nth = 0; nth < 12; nth += 1) {
    const { status } = await app.ask(`/checkout-sessions/${body.id}`, wanted, { method: 'PUT', headers });
    assert.equal(status, 200, `write ${nth}`);
  }
});
