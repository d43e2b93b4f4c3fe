import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { AMOUNT_5, endPromotions, givenPromotion } from '../../../test/given/promotions.ts';
import { followLink } from '../../../test/given/short-link.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { createAccount } from '../../access/accounts/issue-key.flow.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const store = await givenStoreKey(app, storeId, app.accountId);
const soda = (await productTokens(app, storeId)).Soda ?? assert.fail();
after(() => app.close());

const bodyOf = (changes: object = {}) => ({
  items: [{ product_id: soda, quantity: 4 }],
  pickup: true,
  user_name: 'Jo Caller',
  user_phone: '+1 212 555 0142',
  pay: 'at_store',
  ...changes,
});
const is = (reply: Reply, status: number, code?: string) =>
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);

test('an order paid at the store is placed without a charge, for the digits of the phone, and the store collects it', async () => {
  const reply = await store.post('/store/orders', bodyOf());
  assert.deepEqual([reply.status, reply.body.order_placed, reply.body.link_texted], [200, true, false], reply.text);
  assert.equal(reply.body.checkout_url, undefined);
  const { order_id: orderId } = reply.body;
  const { request, accountId, chargeState } = (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail();
  assert.deepEqual(
    [request.customer.userId, request.customer.email, request.chargeUser, chargeState, accountId],
    ['12125550142', '', false, 'to_collect', app.accountId],
  );
  const readOwn = async () => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
  const own = await readOwn();
  assert.deepEqual(
    [own.placed_by, own.to_collect_cents, own.collected_cents],
    ['store', own.total_with_tip, undefined],
  );
  // A card at the counter is as good as cash.
  const page = await app.get(
    `/tracking${new URL(own.tracking_link).search}`,
    {},
    { 'id-token': '', accept: 'text/html' },
  );
  assert.match(page.text, /To pay when you get it</);
  assert.doesNotMatch(page.text, /in cash/i);
  await app.advance({ seconds: 1 });
  const { orders } = (await store.get('/store/orders')).body;
  assert.equal(orders.find((one: { order_id: string }) => one.order_id === orderId)?.placed_by, 'store');
  for (const step of ['confirm', 'ready', 'complete']) {
    is(await store.post(`/store/orders/${orderId}/${step}`, step === 'confirm' ? { preparation_minutes: 5 } : {}), 200);
  }
  const { to_collect_cents, collected_cents, collected_by } = await readOwn();
  assert.deepEqual([to_collect_cents, collected_cents, collected_by], [undefined, own.total_with_tip, 'store']);
});

test('a named code reduces the store’s collected amount; an inapplicable code places nothing', async () => {
  const { db } = app.service.deps;
  await givenPromotion(db, { terms: AMOUNT_5, code: 'WELCOME5', maxUses: 2 });
  const plain = (await store.post('/store/orders', bodyOf())).body.final_quote.total_with_tip;
  const promotion_codes = ['welcome5'];
  const { pay: _, ...cart } = bodyOf({ promotion_codes });
  const priced = (await store.post('/store/orders', cart)).body;
  assert.deepEqual(
    [priced.final_quote.total_with_tip, priced.final_quote.discounts[0].code],
    [plain - 500, 'WELCOME5'],
  );
  const taken = await store.post('/store/orders', bodyOf({ promotion_codes, order_id: priced.order_id }));
  assert.equal(taken.status, 200, taken.text);
  const own = (await app.get('/account/orders', { order_id: taken.body.order_id })).body.orders[0];
  assert.equal(own.to_collect_cents, plain - 500);
  const refused = await store.post('/store/orders', bodyOf({ promotion_codes: ['nobodys'] }));
  is(refused, 422, 'promotion_not_applied');
  assert.deepEqual(refused.body.rejected_codes, [{ code: 'NOBODYS', reason: 'not_valid' }]);
  await endPromotions(db);
});

test('a phone order that is paid at the handover is not left at the door', async () => {
  const street = { user_street_num: '10', user_street_name: 'W 21st St', user_city: 'New York', user_state: 'NY' };
  const door = { ...NEAR_DOOR, ...street, user_zipcode: '10010', pickup: false };
  const placed = (where: string, pay: string) =>
    store.post('/store/orders', bodyOf({ ...door, pay, drop_off: { where, utensils: false, code: false } }));
  const refused = await placed('leave_at_door', 'at_store');
  is(refused, 400, 'invalid_request');
  assert.deepEqual(
    refused.body.errors.map(({ name }: { name: string }) => name),
    ['drop_off.where'],
  );
  is(await placed('hand_to_me', 'at_store'), 200);
  is(await placed('leave_at_door', 'link'), 200);
});

test('a repeated request with an Idempotency-Key returns the same order, and another body its own', async () => {
  const key = { 'idempotency-key': 'tablet-1' };
  const place = async (changes: object = {}) => {
    const reply = await store.post('/store/orders', bodyOf(changes), key);
    is(reply, 200);
    return reply.body.order_id;
  };
  const once = await Promise.all([1, 2].map(() => store.post('/store/orders', bodyOf(), key)));
  const first = once.find(({ status }) => status === 200) ?? assert.fail();
  for (const { status, body } of once) assert.ok(status === 409 || body.order_id === first.body.order_id);
  assert.equal(await place(), first.body.order_id);
  assert.notEqual(await place({ user_name: 'Al' }), first.body.order_id);
  is(await store.post('/store/orders', bodyOf(), { 'idempotency-key': 'k'.repeat(300) }), 400, 'invalid_request');
});

test('an order is priced without a customer, and the priced order is placed as priced, once', async () => {
  const { user_name: name, user_phone: phone, pay, ...cart } = bodyOf();
  const priced = await store.post('/store/orders', cart);
  assert.deepEqual([priced.status, priced.body.order_placed, priced.body.checkout_url], [200, false, undefined]);
  const again = { ...cart, order_id: priced.body.order_id, items: [{ product_id: soda, quantity: 5 }] };
  const dearer = await store.post('/store/orders', again);
  assert.equal(dearer.body.order_id, priced.body.order_id);
  assert.ok(dearer.body.final_quote.total_with_tip > priced.body.final_quote.total_with_tip);
  const place = () =>
    store.post('/store/orders', { ...again, user_name: name, user_phone: phone, pay }, { 'idempotency-key': 'once' });
  for (const reply of [await place(), await place()]) {
    is(reply, 200);
    assert.deepEqual([reply.body.order_id, reply.body.order_placed], [priced.body.order_id, true]);
    assert.equal(reply.body.final_quote.total_with_tip, dearer.body.final_quote.total_with_tip);
  }
  is(await store.post('/store/orders', again), 409, 'transition_not_allowed');
});

test('an order of another store, or that no store took, is not replaced', async () => {
  const [otherId = ''] = await givenStores(app, [pizzeria({ external_id: 'beside' })]);
  const beside = await givenStoreKey(app, otherId, app.accountId);
  const token = (await productTokens(app, otherId)).Soda;
  const foreign = await beside.post(
    '/store/orders',
    bodyOf({ items: [{ product_id: token, quantity: 4 }], pay: 'link' }),
  );
  is(foreign, 200);
  const own = await app.post('/order/order/v2', { items: [{ product_id: soda, quantity: 4 }], pickup: true });
  is(own, 200);
  for (const id of [foreign.body.order_id, own.body.order_id, 'ord_none']) {
    is(await store.post('/store/orders', bodyOf({ order_id: id })), 404, 'order_not_found');
  }
});

test('a console offers New order where its orders belong to an account', async (t) => {
  const sandbox = await givenConsole(app, storeId, app.accountId);
  const page = await sandbox.get('/console/new-order');
  assert.deepEqual([page.status, page.headers['x-frame-options']], [200, 'SAMEORIGIN']);
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'self'/);
  assert.match((await sandbox.get('/console?sandbox')).text, /data-takes-orders/);
  const shop = await givenLiveShop(t);
  const live = await givenConsole(shop.app, shop.storeId);
  const operator = await givenConsole(shop.app, null);
  for (const other of [live, operator, shop.client]) {
    const away = await other.get('/console/new-order');
    assert.deepEqual([away.status, away.headers.location], [303, '/console']);
  }
  assert.doesNotMatch((await live.get('/console')).text, /data-takes-orders/);
  is(await live.get('/details/store', { store_id: shop.storeId }), 401, 'missing_api_key');
  await createAccount(shop.app.service.deps.db, 'House', shop.app.now(), true);
  assert.equal((await live.get('/console/new-order')).status, 200);
  assert.match((await live.get('/console')).text, /data-takes-orders/);
  is(await live.get('/details/store', { store_id: shop.storeId }), 200);
});

test('an order paid by link is placed by its customer at the checkout, which asks for no email', async () => {
  const { body } = await store.post('/store/orders', bodyOf({ pay: 'link' }));
  assert.deepEqual([body.order_placed, body.link_texted], [false, true]);
  const texts = async () => (await app.get('/sandbox/messages', { order_id: body.order_id })).body.messages;
  const [text, ...more] = await texts();
  assert.deepEqual([text.kind, text.channel, text.to, more], ['checkout_link', 'sms', '+12125550142', []]);
  assert.ok(body.checkout_url.endsWith(await followLink(app, text.text)), text.text);
  const page = await app.service.http.inject({ url: new URL(body.checkout_url).pathname });
  assert.equal(page.statusCode, 200);
  assert.doesNotMatch(page.body, /name="(email|name|phone)"/);
  for (const changes of [{ pay: undefined }, { pay: 'at_store' }, { pay: 'link', disable_sms: true }]) {
    const { order_id, link_texted } = (await store.post('/store/orders', bodyOf(changes))).body;
    const { messages } = (await app.get('/sandbox/messages', { order_id })).body;
    assert.ok(!messages.some(({ kind }: { kind: string }) => kind === 'checkout_link'), JSON.stringify(changes));
    assert.equal(link_texted, false);
  }
});

test("name, phone and the store's own products are needed", async () => {
  for (const name of ['user_name', 'user_phone', 'items', 'pickup']) {
    const reply = await store.post('/store/orders', bodyOf({ [name]: undefined }));
    is(reply, 400, 'invalid_request');
    assert.deepEqual(
      reply.body.errors.map((fault: { name: string }) => fault.name),
      [name],
    );
  }
  const [otherId = ''] = await givenStores(app, [pizzeria({ external_id: 'other' })]);
  const other = (await productTokens(app, otherId)).Soda;
  for (const token of [other, 'forged']) {
    is(await store.post('/store/orders', bodyOf({ items: [{ product_id: token }] })), 404, 'product_not_found');
  }
  is(await store.post('/store/orders', bodyOf({ items: [{ product_id: soda }] })), 422, 'order_minimum_not_met');
});

test('a live order belongs to the one house account, and its link goes by SMS', async (t) => {
  const shop = await givenLiveShop(t);
  const { db, gateways } = shop.app.service.deps;
  const live = await givenStoreKey(shop.app, shop.storeId);
  const token = (await productTokens(shop.client, shop.storeId)).Soda;
  const order = (changes: object) =>
    live.post('/store/orders', bodyOf({ items: [{ product_id: token, quantity: 4 }], ...changes }));
  is(await order({}), 409, 'no_house_account');
  const { accountId } = await createAccount(db, 'House', shop.app.now(), true);
  await assert.rejects(createAccount(db, 'Second', shop.app.now(), true), { code: 'invalid_request' });
  for (const nth of Array(20).keys()) await createAccount(db, `Other ${nth}`, shop.app.now());
  const placed = await order({});
  assert.equal(placed.body.order_placed, true, placed.text);
  assert.equal((await findAnyOrder(db, placed.body.order_id))?.accountId, accountId);
  shop.texts.length = 0;
  is(await order({ pay: 'link' }), 503, 'payment_gateway_not_configured');
  gateways.live = gateways.sandbox;
  const linked = await order({ pay: 'link' });
  assert.equal(linked.body.link_texted, true, linked.text);
  await shop.app.advance({ seconds: 1 });
  const [text] = shop.texts;
  assert.equal(text?.to, '+12125550142');
  assert.ok(linked.body.checkout_url.endsWith(await followLink(shop.app, text?.body)), text?.body);
});

test('a member that a phone order does not take is named and ignored, whatever its value', async () => {
  for (const value of [5, ['x'], { a: 'x' }]) {
    const reply = await store.post(
      '/store/orders',
      bodyOf({ user_country: 'US', user_time_zone: value, metadata: value, user_id: value }),
    );
    const warning = 'user_time_zone is ignored. metadata is ignored. user_id is ignored.';
    assert.deepEqual([reply.status, reply.headers['doorstep-warning']], [200, warning], reply.text);
    const { request } = (await findAnyOrder(app.service.deps.db, reply.body.order_id)) ?? assert.fail();
    assert.deepEqual([request.customer.timeZone, request.metadata], ['', {}]);
  }
});
