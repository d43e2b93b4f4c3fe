import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEventStream } from '../../../test/event-stream.ts';
import { givenLiveShop, type LiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { listActions } from '../../access/sessions/actions.db.ts';
import { listNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const waitingAt = async (console: Awaited<ReturnType<typeof givenConsole>>) =>
  (await console.get('/operator/orders/waiting')).body;
const actionsOf = async ({ app }: LiveShop, target: string) =>
  (await listActions(app.service.deps.db, { target, limit: 10 })).map(({ action, details }) => ({
    action,
    ...details,
  }));
const noticeStates = async ({ app }: LiveShop, orderId: string) =>
  (await listNotices(app.service.deps.db, orderId)).map(({ channel, state }) => `${channel} ${state}`);

test('an order of a store with the operator channel rings at once, and listing it is having it', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual(await noticeStates(shop, orderId), ['operator waiting']);
  const { orders, more, now } = await waitingAt(operator);
  assert.deepEqual([orders.length, more], [1, false]);
  const [order] = orders;
  assert.deepEqual([order.order_id, order.account_name, order.item_count], [orderId, 'Test account', 4]);
  assert.ok(order.rings_at <= now);
  assert.deepEqual(await noticeStates(shop, orderId), ['operator sent']);
  assert.ok((await waitingAt(operator)).orders[0].received_at >= order.offered_at);
});

test('an order with a failed channel rings, with the failure and the store’s phone', async (t) => {
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { operator: false, sms: '+12125550123' });
  const { messaging } = shop.app.service.deps;
  messaging.smsSender = { sendText: () => Promise.reject(new OutsideError('SMS', 'no answer', { retryable: true })) };
  const operator = await givenConsole(shop.app, null);
  await shop.place({ disable_sms: true });
  await shop.app.advance({ seconds: 3 });
  const { orders, now } = await waitingAt(operator);
  const [{ offers, rings_at, store_phone, received_at }] = orders;
  assert.ok(rings_at <= now);
  assert.equal(received_at, null);
  assert.equal(typeof store_phone, 'number');
  assert.deepEqual([offers[0].channel, offers[0].state, offers[0].last_error], ['sms', 'waiting', 'no answer']);
  assert.ok(offers[0].failing_since > 0);
});

test('sandbox, unplaced and confirmed orders do not await a store', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  await shop.place({ place_order: false });
  const orderId = await shop.place();
  assert.equal((await operator.post(`/operator/orders/${orderId}/confirm`, { preparation_minutes: 20 })).status, 200);
  assert.deepEqual((await waitingAt(operator)).orders, []);
});

test('an operator confirms and cancels for a store, each step is recorded once', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const orderId = await shop.place();
  const confirm = () => operator.post(`/operator/orders/${orderId}/confirm`, { preparation_minutes: 20 });
  assert.deepEqual((await confirm()).body, { order_id: orderId, status: 'in_progress' });
  assert.equal((await confirm()).status, 200);
  const reason = 'The store is closed';
  const cancelation = (body: object) => operator.post(`/operator/orders/${orderId}/cancel`, { reason, ...body });
  const { preview } = (await cancelation({ preview: true })).body;
  const cancel = await cancelation({ preview_id: preview.preview_id });
  assert.equal(cancel.body.status, 'canceled');
  assert.deepEqual(await actionsOf(shop, orderId), [
    { action: 'order.cancel', reason, preview_id: preview.preview_id, charge_amount: 0, refund_amount: 0 },
    { action: 'order.confirm', preparation_minutes: 20 },
  ]);
  const late = await operator.post(`/operator/orders/${orderId}/ready`, {});
  assert.deepEqual([late.status, late.body.code], [409, 'transition_not_allowed']);
  assert.equal((await actionsOf(shop, orderId)).length, 2);
});

test('an acknowledged order stops ringing for the operator, and still rings in the store', async (t) => {
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { operator: false, console: true });
  const operator = await givenConsole(shop.app, null);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 11 });
  assert.equal((await operator.post(`/operator/orders/${orderId}/acknowledge`, {})).status, 200);
  assert.equal((await operator.post(`/operator/orders/${orderId}/acknowledge`, {})).status, 200);
  assert.deepEqual(await noticeStates(shop, orderId), ['console waiting', 'operator acknowledged']);
  const { orders } = await waitingAt(operator);
  assert.deepEqual([orders[0].rings_at, orders[0].received_at], [null, null], 'the store itself does not have it');
  assert.deepEqual(await actionsOf(shop, orderId), [{ action: 'order.acknowledge' }]);
});

test('an open view receives a new order, and ends with its session', async (t) => {
  const shop = await givenLiveShop(t);
  const { app } = shop;
  const operator = await givenConsole(app, null);
  const url = await app.service.listen();
  const stream = await openEventStream(`${url}/operator/orders/waiting/stream`, { cookie: operator.cookie });
  const first = await stream.next();
  assert.deepEqual([first?.event, JSON.parse(first?.data ?? '').orders], ['waiting', []]);
  const orderId = await shop.place();
  let event = await stream.next();
  while (event?.event === 'beat') event = await stream.next();
  assert.deepEqual([event?.event, JSON.parse(event?.data ?? '').orders[0].order_id], ['waiting', orderId]);
  await operator.post('/console/sign-out', {});
  while (event) event = await stream.next();
  assert.equal(event, undefined);
});

test("the page is for operators: any other browser is sent to sign in, the page's files are its own", async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const store = await givenConsole(shop.app, shop.storeId);
  for (const cookie of ['', store.cookie]) {
    const reply = await operator.get('/console/operator', {}, { cookie });
    assert.deepEqual([reply.status, reply.headers.location], [302, '/console']);
  }
  const sent = await operator.get('/console');
  assert.deepEqual([sent.status, sent.headers.location], [303, '/console/operator']);
  const page = await operator.get('/console/operator');
  assert.equal(page.status, 200);
  assert.match(
    String(page.headers['content-security-policy']),
    /default-src 'none';script-src 'self';style-src 'self'/,
  );
  const paths = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(paths.length, 3);
  for (const path of paths) assert.equal((await operator.get(path, {}, { cookie: '' })).status, 200, path);
  assert.equal((await operator.get('/console/operator/assets/other.js')).status, 404);
});

test('the session of a page that is opened a day later has another token', async (t) => {
  const { app } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  assert.equal((await operator.get('/console/operator')).headers['set-cookie'], undefined);
  await app.advance({ hours: 25 });
  const renewed = String((await operator.get('/console/operator')).headers['set-cookie']);
  assert.match(renewed, /HttpOnly; SameSite=Strict/i);
  const cookie = renewed.split(';')[0] ?? '';
  assert.notEqual(cookie, operator.cookie);
  assert.equal((await operator.get('/operator/orders/waiting', {}, { cookie })).status, 200);
});
