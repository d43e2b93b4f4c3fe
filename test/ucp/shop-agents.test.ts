import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPermissions } from '../../src/access/budgets/account-limits.db.ts';
import {
  assertShape,
  type Call,
  callsBy,
  type Got,
  givenGroceries,
  givenShopApp,
  givenTokenOf,
  openShop,
  SHOPPING,
  TRANSPORTS,
} from './given-shop.ts';

/* Customers' agents in a shop: from a recipe to an order, by either transport, within what the customer allows. */

const SHAPE = 'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout';
const SCOPE = ['checkout:manage', 'checkout:complete', 'order:read']
  .map((name) => `dev.ucp.shopping.${name}`)
  .join(' ');
const RECIPE = ['Spaghetti', 'Salted Butter', 'Garlic', 'Parmesan', 'Black Pepper'];

const bounds = { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' };
const app = await givenShopApp([...SHOPPING, 'dev.ucp.shopping.checkout'], bounds);
const products = RECIPE.map((name) => ({ id: name.toLowerCase().replace(' ', '-'), name, price: 400 }));
const wine = { id: 'wine', name: 'Wine', price: 900, is_alcoholic: true };
const [storeId = ''] = await givenGroceries(app, [
  {
    external_id: 'green',
    name: 'Greenmarket',
    categories: [{ id: 'all', name: 'All', products: [...products, wine] }],
  },
]);
const items = await openShop(app, [storeId]);
const { db, trackingSites } = app.service.deps;
await trackingSites.refresh();
await setPermissions(db, app.accountId, { agentOrders: 'place' });
after(() => app.close());

let keys = 0;
const by = (token: string) => ({ authorization: `Bearer ${token}`, 'idempotency-key': `agent-${++keys}` });
const codes = ({ body }: Got) => (body.messages ?? []).map(({ code }: { code: string }) => code);
const allowed = (limit: string) => ({ complete: 'yes', limit });
const body = (quantity = 1, name = 'Garlic') => ({
  line_items: [{ item: { id: items[name] }, quantity }],
  buyer: { first_name: 'Ana', phone_number: '+12125550142' },
  fulfillment: { methods: [{ type: 'pickup' }] },
});

async function create(token: string, given: object = body()): Promise<Got> {
  const got = await app.ask('/checkout-sessions', given, { headers: by(token) });
  assert.equal(got.status, 201, JSON.stringify(got.body));
  assertShape(SHAPE, got.body);
  return got;
}

async function givenCard(token: string): Promise<string> {
  const { id } = (await create(token)).body;
  const { userId } = await app.service.deps.db
    .selectFrom('ucpCheckouts')
    .select('userId')
    .where('checkoutId', '=', id)
    .executeTakeFirstOrThrow();
  const payment_method = { card_number: 4242424242424242, expiration_year: 2099, expiration_month: 12, cvc: 123 };
  const saved = await app.post('/payment/create', { payment_method, user_id: userId, user_email: 'ana@example.com' });
  assert.equal(saved.status, 200, saved.text);
  return saved.body.payment_method_id;
}

const paying = (id: string) => ({ payment: { instruments: [{ id, handler_id: 'card_token', type: 'card' }] } });
const complete = (token: string, id: string, card: string) =>
  app.ask(`/checkout-sessions/${id}/complete`, paying(card), { headers: by(token) });

test('a token shows only its customer’s saved cards, and one of them pays by its ID', async () => {
  const [ana, ben] = [
    await givenTokenOf(app, 'ana@example.com', SCOPE, allowed('20')),
    await givenTokenOf(app, 'ben@example.com', SCOPE, allowed('20')),
  ];
  assert.equal((await create(ana)).body.payment, undefined);
  const card = await givenCard(ana);
  const ready = await create(ana);
  const [instrument, ...others] = ready.body.payment.instruments;
  assert.deepEqual([instrument.id, others.length], [card, 0]);
  assert.deepEqual(instrument.display, { brand: 'visa', last_digits: '4242', expiry_month: 12, expiry_year: 2099 });
  assert.equal(ready.body.status, 'ready_for_complete', JSON.stringify(ready.body.messages));
  const bens = await create(ben);
  assert.equal(bens.body.payment, undefined);
  const stolen = await complete(ben, bens.body.id, card);
  assert.deepEqual([stolen.status, stolen.body.code], [400, 'invalid_request']);
  const { id } = (await create(ben)).body;
  const once = { id: 'c', handler_id: 'card_token', credential: { type: 'token', token: 'tok_visa' } };
  const paid = { payment: { instruments: [once] } };
  const byToken = await app.ask(`/checkout-sessions/${id}/complete`, paid, { headers: by(ben) });
  assert.equal(byToken.body.status, 'completed', JSON.stringify(byToken.body));
  assert.equal((await create(ben)).body.payment, undefined, 'a program saves no card');
  const done = await complete(ana, ready.body.id, card);
  assertShape(SHAPE, done.body);
  assert.equal(done.body.status, 'completed', JSON.stringify(done.body));
  const { body: listed } = await app.get('/account/orders', { order_id: done.body.order.id });
  assert.deepEqual(listed.orders[0].agent, { client_name: 'Helper', client_host: 'app.example' });
  const read = await app.ask(`/orders/${done.body.order.id}`, {}, { method: 'GET', headers: by(ana) });
  assert.equal(read.body.checkout_id, ready.body.id);
});

test('beyond its limit, with alcohol, or where the account lets none place, an agent hands over', async () => {
  const cleo = await givenTokenOf(app, 'cleo@example.com', SCOPE, allowed('20'));
  const card = await givenCard(cleo);
  for (const [given, code] of [
    [body(20), 'order_limit_exceeded'],
    [body(1, 'Wine'), 'age_verification_required'],
  ] as const) {
    const got = await create(cleo, given);
    assert.deepEqual([got.body.status, codes(got).includes(code)], ['requires_escalation', true], code);
    const kept = await complete(cleo, got.body.id, card);
    assert.deepEqual([kept.body.status, kept.body.continue_url], ['requires_escalation', got.body.continue_url]);
  }
  const { id } = (await create(cleo)).body;
  const { db } = app.service.deps;
  await setPermissions(db, app.accountId, { agentOrders: 'handover' });
  const handedOver = await complete(cleo, id, card);
  assert.equal(handedOver.body.status, 'requires_escalation');
  assert.ok(handedOver.body.continue_url);
  await setPermissions(db, app.accountId, { agentOrders: 'place' });
  assert.equal((await complete(cleo, id, card)).body.status, 'completed');
  const narrow = await givenTokenOf(app, 'cleo@example.com');
  assert.ok(codes(await create(narrow)).includes('buyer_review_required'));
});

test('agents place ten orders per customer and day; the eleventh is handed off and places nothing', async () => {
  const dan = await givenTokenOf(app, 'dan@example.com', SCOPE, allowed('500'));
  const card = await givenCard(dan);
  for (let nth = 0; nth < 10; nth += 1) {
    assert.equal((await complete(dan, (await create(dan)).body.id, card)).body.status, 'completed', `${nth}`);
  }
  const eleventh = await complete(dan, (await create(dan)).body.id, card);
  assert.equal(eleventh.body.status, 'requires_escalation');
  assert.ok(codes(eleventh).includes('order_limit_exceeded'));
  assert.ok(eleventh.body.continue_url);
});

for (const transport of TRANSPORTS) {
  test(`the five lines of a recipe are a cart in seven calls, and then a link, or an order: ${transport}`, async () => {
    const walk = async (ask: Call) => {
      const place = { coordinates: { latitude: 40.7383, longitude: -73.9927 } };
      const found = await ask('search_locations', { distance: { center: place.coordinates, max: 1000 } });
      assert.equal(found.body.locations?.[0]?.id, storeId, JSON.stringify(found.body));
      const lines = [];
      for (const query of RECIPE) {
        const { body } = await ask('search_catalog', { query, context: { location: storeId } });
        lines.push({ item: { id: body.products[0].variants[0].id }, quantity: 1 });
      }
      const cart = await ask('create_cart', { line_items: lines, context: { location: storeId } });
      assert.equal(cart.body.line_items.length, RECIPE.length, JSON.stringify(cart.body));
      assert.match(cart.body.continue_url, /\/cart\//);
      const { buyer, fulfillment } = body();
      return ask('create_checkout', { cart_id: cart.body.id, buyer, fulfillment });
    };
    const stranger = await walk(callsBy(app, transport));
    assert.equal(stranger.body.status, 'requires_escalation', JSON.stringify(stranger.body));
    assert.match(stranger.body.continue_url, /^http/);
    const token = await givenTokenOf(app, `${transport}@example.com`, SCOPE, allowed('100'));
    const card = await givenCard(token);
    const ask = callsBy(app, transport, { authorization: `Bearer ${token}` });
    const { id } = (await walk(ask)).body;
    const done = await ask('complete_checkout', paying(card), { id, key: `${transport}-1` });
    assert.equal(done.body.status, 'completed', JSON.stringify(done.body));
  });
}
