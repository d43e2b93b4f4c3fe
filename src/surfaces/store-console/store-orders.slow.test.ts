import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openEventStream } from '../../../test/event-stream.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { clientOf } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findAnyOrder, listOrders } from '../../ordering/order/orders.db.ts';

async function givenStore(t: TestContext) {
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const key = await givenStoreKey(app, storeId);
  const eventsOf = async (orderId: string) =>
    (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type.replace('order.', ''));
  return { ...shop, key, eventsOf };
}

test('a store takes an order through all its steps, each named by its number, names and notes', async (t) => {
  const { key, place, eventsOf, app } = await givenStore(t);
  const orderId = await place({ pickup: true, user_pickup_notes: 'ring twice' });
  const [listed] = (await key.get('/store/orders')).body.orders;
  assert.deepEqual([listed.order_id, listed.items[0].name, listed.items[0].options], [orderId, 'Soda', []]);
  assert.deepEqual([listed.status, listed.steps], ['awaiting_confirmation', ['confirm', 'cancel']]);
  assert.ok(listed.order_number.length > 0 && listed.confirm_by > listed.offered_at);
  const take = async (step: string, body: object = {}) => {
    const reply = await key.post(`/store/orders/${orderId}/${step}`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const confirmed = await take('confirm', { preparation_minutes: 20 });
  const now = app.now().epochMilliseconds / 1000;
  assert.deepEqual(
    [confirmed.status, confirmed.ready_by, confirmed.eta_timestamp],
    ['in_progress', now + 1200, now + 1200],
  );
  assert.equal((await take('ready')).is_ready, true);
  assert.equal((await take('complete')).status, 'completed');
  assert.deepEqual(await eventsOf(orderId), ['placed', 'confirmed', 'ready', 'completed']);
});

test('a repeated step returns 200 and changes nothing; a forbidden step returns 409', async (t) => {
  const { key, place, eventsOf } = await givenStore(t);
  const orderId = await place();
  const status = async (step: string, body: object = {}) =>
    (await key.post(`/store/orders/${orderId}/${step}`, body)).status;
  assert.equal(await status('ready'), 409);
  for (const minutes of [20, 40, 20]) assert.equal(await status('confirm', { preparation_minutes: minutes }), 200);
  assert.deepEqual([await status('ready'), await status('ready')], [200, 200]);
  assert.equal(await status('complete'), 409, 'a delivery is not handed to the customer at the counter');
  assert.deepEqual(
    [await status('cancel', { reason: 'fire' }), await status('cancel', { reason: 'flood' })],
    [200, 200],
  );
  assert.equal(await status('confirm', { preparation_minutes: 20 }), 409);
  assert.deepEqual(await eventsOf(orderId), ['placed', 'confirmed', 'ready', 'canceled']);
});

test('two tablets, a cancelation and a refund at the same time: exactly one outcome, and each answer says which', async (t) => {
  const { key, place, eventsOf, app } = await givenStore(t);
  for (let round = 0; round < 12; round += 1) {
    const orderId = await place();
    const at = `/store/orders/${orderId}`;
    const replies = await Promise.all([
      key.post(`${at}/confirm`, { preparation_minutes: 20 }),
      key.post(`${at}/cancel`, { reason: 'closed' }),
      key.post(`${at}/confirm`, { preparation_minutes: 30 }),
      takeStep(app.service.deps, orderId, { event: 'cancel' }).then(
        () => ({ status: 200 }),
        () => ({ status: 409 }),
      ),
    ]);
    const events = await eventsOf(orderId);
    const order = await findAnyOrder(app.service.deps.db, orderId);
    assert.equal(order?.status, 'canceled', 'a cancelation is possible before and after the confirmation');
    assert.equal(events.filter((type) => type === 'canceled').length, 1);
    assert.ok(events.filter((type) => type === 'confirmed').length <= 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
  }
});

test('pick-up against cancelation: an order that has left is not canceled, a canceled one does not leave', async (t) => {
  const { key, place, app, eventsOf } = await givenStore(t);
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const orderId = await place();
    const at = `/store/orders/${orderId}`;
    await key.post(`${at}/confirm`, { preparation_minutes: 5 });
    await takeStep(app.service.deps, orderId, {
      event: 'assign_driver',
      detailsOf: () => ({ driver: { name: 'Ann' } }),
    });
    const pick = () => key.post(`${at}/pick_up`, {});
    const cancel = () => key.post(`${at}/cancel`, { reason: 'closed' });
    const replies = await Promise.all(round % 2 === 0 ? [pick(), cancel()] : [cancel(), pick()]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    outcomes.add((await eventsOf(orderId)).at(-1) ?? '');
  }
  for (const outcome of outcomes) assert.ok(['picked_up', 'canceled'].includes(outcome));
});

test('a store key sees only its store’s orders: live ones of every account, sandbox ones of one account', async (t) => {
  const { app, client, storeId, key, place } = await givenStore(t);
  const live = await place();
  const sandboxKey = await givenStoreKey(app, storeId, app.accountId);
  const token = (await productTokens(app, storeId)).Soda ?? '';
  const body = orderBody(token, null, { items: [{ product_id: token, quantity: 4 }], charge_user: false });
  const sandbox = (await app.post('/order/order/v2', body)).body.order_id;
  const stranger = await app.givenClient('sandbox');
  const theirs = (await stranger.post('/order/order/v2', body)).body.order_id;
  const idsOf = async (one: typeof key) =>
    (await one.get('/store/orders')).body.orders.map(({ order_id: id }: { order_id: string }) => id);
  assert.deepEqual(await idsOf(key), [live]);
  assert.deepEqual(await idsOf(sandboxKey), [sandbox]);
  for (const [one, orderId] of [
    [key, sandbox],
    [sandboxKey, live],
    [sandboxKey, theirs],
  ] as const) {
    const reply = await one.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 5 });
    assert.deepEqual([reply.status, reply.body.code], [404, 'order_not_found']);
  }
  assert.equal((await sandboxKey.post(`/store/orders/${sandbox}/confirm`, { preparation_minutes: 5 })).status, 200);
  assert.equal(
    (await listOrders(app.service.deps.db, { ...client, mode: 'live', keyId: '' }, {}, { from: 0, limit: 9 })).length,
    1,
  );
});

test('the stream reports a new order and each change, in the console’s shape', async (t) => {
  const { app, storeId, place } = await givenStore(t);
  await givenChannel(app, storeId, { console: true });
  const console = await givenConsole(app, storeId);
  const url = await app.service.listen();
  const stream = await openEventStream(`${url}/store/orders/stream`, { cookie: console.cookie });
  assert.equal(stream.status, 200);
  const nextOrder = async (status: string) => {
    for (;;) {
      const { event, data } = (await stream.next()) ?? assert.fail('the stream has ended');
      if (event === 'order' && JSON.parse(data).status === status) return JSON.parse(data);
    }
  };
  // First the connection, then LISTEN.
  for (const _ of [1, 2]) assert.equal((await stream.next())?.event, 'resync');
  const orderId = await place();
  await app.advance({ seconds: 1 });
  assert.equal((await nextOrder('awaiting_confirmation')).order_id, orderId);
  await until('the console has it', async () => {
    const order = await findAnyOrder(app.service.deps.db, orderId);
    return order?.receivedAt !== null;
  });
  await takeStep(app.service.deps, orderId, { event: 'confirm' });
  await app.advance({ seconds: 1 });
  assert.equal((await nextOrder('in_progress')).order_id, orderId);
  stream.close();
});

test('the link of an email opens its one order until that ends, and nothing else', async (t) => {
  const { app, storeId, place, smtp } = await givenStore(t);
  await givenChannel(app, storeId, { operator: false, email: 'kitchen@example.com' });
  const [orderId, other] = [await place(), await place()];
  await app.advance({ seconds: 1 });
  const mail = smtp.received.find(({ mail }) => mail.messageId?.includes(orderId)) ?? assert.fail('no mail');
  const [, secret = ''] = /\/console\/order\/([\w-]+)/.exec(mail.mail.text ?? '') ?? [];
  const link = clientOf(app.service, '', `ds_link_${secret}`);
  assert.deepEqual(
    (await link.get('/store/orders')).body.orders.map((order: { order_id: string }) => order.order_id),
    [orderId],
  );
  assert.equal((await link.post(`/store/orders/${other}/confirm`, { preparation_minutes: 5 })).status, 404);
  assert.equal((await link.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 5 })).status, 200);
  assert.equal((await link.post(`/store/orders/${other}/items/0`, { quantity: 3 })).status, 404);
  assert.equal((await link.post(`/store/orders/${orderId}/items/0`, { quantity: 3 })).status, 200);
  assert.equal((await link.get('/store/sessions')).body.code, 'role_not_allowed');
  assert.equal((await link.post(`/store/orders/${orderId}/cancel`, { reason: 'closed' })).status, 200);
  assert.equal((await link.get('/store/orders')).body.code, 'invalid_api_key');
});

test("a store's own driver has a link, which dies when another driver replaces the first; the store sees who accepted", async (t) => {
  const { key, place } = await givenStore(t);
  const orderId = await place();
  const at = `/store/orders/${orderId}`;
  const ana = { name: 'Ana', phone: 12125550123, vehicle_type: 'car' };
  assert.equal((await key.post(`${at}/assign_driver`, ana)).status, 409, 'not before it is confirmed');
  await key.post(`${at}/confirm`, { preparation_minutes: 5 });
  const first = await key.post(`${at}/assign_driver`, ana);
  assert.equal(first.body.tracking.driver_name, 'Ana');
  assert.match(first.body.driver_link, /\/driver\/[\w-]+$/);
  assert.equal((await key.post(`${at}/assign_driver`, ana)).body.driver_link, first.body.driver_link);
  const second = await key.post(`${at}/assign_driver`, { ...ana, name: 'Bo' });
  assert.notEqual(second.body.driver_link, first.body.driver_link);
  assert.equal((await key.get('/store/orders')).body.orders[0].driver_link, second.body.driver_link);
  assert.equal(second.body.driver_accepted_at, null);
  await key.post(`${new URL(second.body.driver_link).pathname}/accept`, {});
  assert.ok((await key.get('/store/orders')).body.orders[0].driver_accepted_at > 0);
  assert.equal((await key.post(`${at}/pick_up`, {})).status, 200);
  assert.equal((await key.post(`${at}/assign_driver`, ana)).status, 409);
});

test('a scheduled order is shown to its store when the store is offered it, and not before', async (t) => {
  const { app, key, place } = await givenStore(t);
  const orderId = await place();
  const later = app.now().add({ minutes: 90 }).toString();
  await sql`update orders set offer_at = ${later} where order_id = ${orderId}`.execute(app.service.deps.db);
  assert.deepEqual((await key.get('/store/orders')).body.orders, []);
  assert.equal((await key.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 5 })).status, 404);
  await app.advance({ minutes: 91 });
  assert.equal((await key.get('/store/orders')).body.orders.length, 1);
});
