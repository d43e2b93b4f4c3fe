import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setAccountLimit } from '../../src/access/budgets/account-limits.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { assertShape, BUYER, type Got, givenShopApp, openShop, SHOPPING } from './given-shop.ts';

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const products = [
  { id: 'pie', name: 'Plain Pie', price: 900 },
  { id: 'wine', name: 'Wine', price: 2000, is_alcoholic: true },
  { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
];
const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
const items = await openShop(app, [storeId], true);
after(() => app.close());

const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
const line = (name: string, quantity = 2) => ({ item: { id: items[name] }, quantity });

/* A bound platform that may place completes a shop's checkout with tokens of cards. */

const SHAPE = 'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout';
const codes = ({ body }: Got) => (body.messages ?? []).map(({ code }: { code: string }) => code);
let keys = 0;
const headers = () => ({ 'x-api-key': app.key, 'idempotency-key': `key-${++keys}` });

async function ready(body: object): Promise<Got> {
  const got = await app.ask('/checkout-sessions', body, { headers: headers() });
  assert.equal(got.status, 201, JSON.stringify(got.body));
  assertShape(SHAPE, got.body);
  return got;
}
const paying = (credential: object) => ({
  payment: { instruments: [{ id: 'card', handler_id: 'card_token', credential }] },
});
async function complete(id: string, credential: object, sent = headers()): Promise<Got> {
  return app.ask(`/checkout-sessions/${id}/complete`, paying(credential), { headers: sent });
}
const pie = () => ({ line_items: [line('Plain Pie')], buyer: BUYER, ...pickup });

test('a checkout that is ready is placed and charged once; its cart ends with it, and it is over', async () => {
  const cart = (await app.ask('/carts', { line_items: [line('Plain Pie')] }, { headers: headers() })).body;
  const { body } = await ready({ cart_id: cart.id, buyer: BUYER, ...pickup });
  assert.equal(body.status, 'ready_for_complete', JSON.stringify(body.messages));
  assert.deepEqual(Object.keys(body.ucp.payment_handlers).length, 1);
  const sent = headers();
  const done = await complete(body.id, { type: 'token', token: 'tok_visa' }, sent);
  assertShape(SHAPE, done.body);
  assert.deepEqual([done.status, done.body.status, done.body.continue_url], [200, 'completed', undefined]);
  assert.match(done.body.order.permalink_url, /tracking_id=/);
  const again = await complete(body.id, { type: 'token', token: 'tok_visa' }, sent);
  assert.deepEqual(again.body, done.body, 'the same key answers the same');
  await app.advance({ seconds: 1 });
  const gone = await app.ask(`/carts/${cart.id}`, {}, { method: 'GET', headers: headers() });
  assert.deepEqual(codes(gone), ['not_found']);
  const late = await complete(body.id, { type: 'token', token: 'tok_visa' });
  assert.deepEqual([late.status, late.body.code], [409, 'session_ended']);
  const { db } = app.service.deps;
  const order = await db.selectFrom('orders').selectAll().where('orderId', '=', done.body.order.id).executeTakeFirst();
  assert.deepEqual([order?.status === 'unplaced', order?.chargeState], [false, 'charged']);
  const stored = await db
    .selectFrom('ucpCheckouts')
    .selectAll()
    .where('checkoutId', '=', body.id)
    .executeTakeFirstOrThrow();
  assert.doesNotMatch(JSON.stringify(stored), /tok_visa/);
});

test('a cart with a canceled checkout gets another, and a cart with a placed one gets none', async () => {
  const { id: cart_id } = (await app.ask('/carts', { line_items: [line('Plain Pie')] }, { headers: headers() })).body;
  const convert = () => app.ask('/checkout-sessions', { cart_id, buyer: BUYER, ...pickup }, { headers: headers() });
  const made = new Set<string>();
  for (const _ of [1, 2]) {
    const { id } = (await convert()).body;
    made.add(id);
    await app.ask(`/checkout-sessions/${id}/cancel`, {}, { headers: headers() });
  }
  const ids = (await Promise.all([1, 2, 3].map(convert))).map(({ body }) => body.id);
  assert.deepEqual([made.size, new Set(ids).size, made.has(ids[0])], [2, 1, false]);
  assert.equal((await complete(ids[0], { type: 'token', token: 'tok_visa' })).body.status, 'completed');
  assert.deepEqual(codes(await convert()), ['not_found']);
});

test('a declined card may be replaced, and after three a person pays; the bank’s approval is a person’s too', async () => {
  const { body } = await ready(pie());
  for (const status of ['ready_for_complete', 'ready_for_complete', 'requires_escalation']) {
    const declined = await complete(body.id, { type: 'token', token: 'tok_chargeDeclined' });
    assert.deepEqual([declined.status, declined.body.status], [200, status]);
    const failed = declined.body.messages.find(({ code }: { code: string }) => code === 'payment_failed');
    assert.deepEqual([failed.severity, failed.path], ['recoverable', '$.payment.instruments[0]']);
    assertShape(SHAPE, declined.body);
  }
  assert.ok(
    (await app.ask(`/checkout-sessions/${body.id}`, {}, { method: 'GET', headers: headers() })).body.continue_url,
  );
  for (const token of ['tok_authentication_required', 'tok_threeDSecure2Required']) {
    const bank = await complete((await ready(pie())).body.id, { type: 'token', token });
    assert.equal(bank.body.status, 'requires_escalation');
    assert.ok(codes(bank).includes('payment_authentication_required'));
    assert.ok(bank.body.continue_url);
  }
});

test('a customer with too many declines is told so in the checkout, never by an error of HTTP', async () => {
  const { db } = app.service.deps;
  const limit = { accountId: app.accountId, kind: 'declines_user' } as const;
  await setAccountLimit(db, { ...limit, max: 1 });
  const { id } = (await ready(pie())).body;
  for (const content of [
    'Your card was declined. You haven’t been charged. Try another card.',
    'Too many cards were declined. Try again in an hour.',
  ]) {
    const { status, body } = await complete(id, { type: 'token', token: 'tok_chargeDeclined' });
    const failed = body.messages.find(({ code }: { code: string }) => code === 'payment_failed');
    assert.deepEqual([status, failed?.content], [200, content], JSON.stringify(body));
  }
  await setAccountLimit(db, { ...limit, max: null });
});

test('card numbers are rejected; alcohol and handoff-only accounts place nothing', async () => {
  const { id } = (await ready(pie())).body;
  const raw = await complete(id, { type: 'card', number: '4242424242424242' });
  assert.deepEqual([raw.status, raw.body.code], [400, 'unsupported_credential']);
  const wine = await ready({ line_items: [line('Wine')], buyer: BUYER, ...pickup });
  assert.ok(codes(wine).includes('age_verification_required'));
  const kept = await complete(wine.body.id, { type: 'token', token: 'tok_visa' });
  assert.deepEqual([kept.body.status, kept.body.continue_url], ['requires_escalation', wine.body.continue_url]);
  const missing = await ready({ ...pie(), buyer: { first_name: 'Dana' } });
  assert.equal(missing.body.status, 'incomplete');
  const paths = missing.body.messages.map(({ path }: { path: string }) => path);
  assert.ok(paths.includes('$.buyer.email') && paths.includes('$.buyer.phone_number'), JSON.stringify(paths));
});

test('an order is shown to its customer and to the bound platform that placed it, and to nobody else', async () => {
  const { body } = await ready(pie());
  const { order } = (await complete(body.id, { type: 'token', token: 'tok_visa' })).body;
  const read = (sent: Record<string, string>) => app.ask(`/orders/${order.id}`, {}, { method: 'GET', headers: sent });
  const got = await read(headers());
  assertShape('shopping/order.json', got.body);
  assert.deepEqual(
    [got.body.label, got.body.checkout_id, got.body.permalink_url],
    [order.label, body.id, order.permalink_url],
  );
  assert.deepEqual(got.body.totals, body.totals, 'totals as placed');
  const [{ item, quantity, status }] = got.body.line_items;
  assert.deepEqual(
    [item.id, quantity, status],
    [items['Plain Pie'], { original: 2, total: 2, fulfilled: 0 }, 'processing'],
  );
  const nobody = await read({});
  assert.deepEqual([nobody.status, nobody.body.code], [401, 'identity_required']);
  assert.match(String(nobody.headers['www-authenticate']), /resource_metadata=/);
  assert.deepEqual(codes(await app.ask('/orders/none', {}, { method: 'GET', headers: headers() })), ['not_found']);
  for (const event of ['confirm', 'ready', 'complete']) {
    const step = await app.post(`/sandbox/orders/${order.id}/advance`, { event });
    assert.equal(step.status, 200, step.text);
  }
  const done = (await read(headers())).body;
  assertShape('shopping/order.json', done);
  assert.deepEqual(
    done.fulfillment.events.map(({ type }: { type: string }) => type),
    ['processing', 'ready_for_pickup', 'picked_up'],
  );
  assert.deepEqual([done.line_items[0].status, done.line_items[0].quantity.fulfilled], ['fulfilled', 2]);
  const refund = await app.post('/order/refund', { order_id: order.id, amount: 300, reason: 'cold' });
  assert.equal(refund.status, 200, refund.text);
  const tool = await app.tool('get_order', { id: order.id }, {}, { headers: { 'x-api-key': app.key } });
  assertShape('shopping/order.json', tool.body);
});
