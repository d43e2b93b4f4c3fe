import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type ApiDocument, assertEventDescribed } from '../../../test/api-document.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenWebhooks } from '../../../test/given/webhooks.ts';
import { type Client, clientOf } from '../../../test/harness.ts';
import { issueKey } from '../../access/accounts/issue-key.flow.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';
import { markDispatched } from '../../ordering/order/order-events.db.ts';
import { ORDER_EVENT_TYPES } from '../../ordering/order/order-events.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { writeCursor } from '../../platform/http/page-cursor.ts';
import { MAX_ORDERS } from './account-events.db.ts';
import { TEST_TYPE } from './webhook.ts';

type Body = { type: string; data: { sequence: number; order: { order_id: string } } };

const given = await givenWebhooks();
after(() => given.close());

const describeCall = ({ type, data }: Body) => `${data.order.order_id} ${data.sequence} ${type}`;
const dispatch = () => dispatchAllEvents(given.app.service.deps);

async function read(client: Client, after?: string) {
  const { status, body, text } = await client.get('/account/events', after === undefined ? {} : { after });
  assert.equal(status, 200, text);
  return body as { events: Body[]; has_more: boolean; next: string; is_complete: boolean };
}

/** Reads all pages from a position on. */
async function readAll(client: Client, after: string) {
  const events: Body[] = [];
  let next = after;
  for (;;) {
    const page = await read(client, next);
    events.push(...page.events);
    next = page.next;
    if (!page.has_more) return { names: events.map(describeCall), events, next };
  }
}

async function take(client: Client, orderId: string, ...events: string[]) {
  for (const event of events) {
    const { status, text } = await client.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(status, 200, text);
  }
}

test('a reader begins at the present and gets each later step of each order once, as its webhook body', async () => {
  const { app, givenEndpoint, placeOrder } = given;
  const client = await app.givenClient();
  const endpoint = await givenEndpoint(client);
  const early = await placeOrder(client);
  await dispatch();
  const start = await read(client);
  assert.deepEqual([start.events, start.has_more, start.is_complete], [[], false, true]);
  const late = await placeOrder(client);
  assert.deepEqual((await readAll(client, start.next)).names, [], 'a step is told once its webhook call exists');
  await app.advance({ seconds: 1 });
  await take(client, early, 'confirm', 'cancel');
  await app.advance({ seconds: 1 });
  const { names, events, next } = await readAll(client, start.next);
  const expected = [`${late} 1 order.placed`, `${early} 2 order.confirmed`, `${early} 3 order.canceled`];
  assert.deepEqual(
    names.filter((name) => !name.endsWith('order.refunded')),
    expected,
  );
  assert.deepEqual((await readAll(client, next)).names, []);
  const called = endpoint.calls.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    events[1],
    called.find((body) => describeCall(body) === expected[1]),
  );
});

test('steps that commit in another order than they began are delivered once each', async () => {
  const { app, placeOrder } = given;
  const { db } = app.service.deps;
  const client = await app.givenClient();
  const [slow, quick] = [await placeOrder(client), await placeOrder(client)];
  const start = await read(client);
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const committing = db.transaction().execute(async (tx) => {
    await markDispatched(tx, [{ orderId: slow, sequence: 1 }]);
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  await dispatch();
  const first = await readAll(client, start.next);
  assert.deepEqual(first.names, [`${quick} 1 order.placed`]);
  held.resolve();
  await committing;
  const second = await readAll(client, first.next);
  assert.deepEqual(second.names, [`${slow} 1 order.placed`]);
  assert.deepEqual((await readAll(client, second.next)).names, []);
});

test('many steps take several pages; a step between two pages is delivered once, after them', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const start = await read(client);
  const placed: string[] = [];
  for (let count = 0; count < 23; count += 1) placed.push(`${await placeOrder(client)} 1 order.placed`);
  await dispatch();
  const page = await read(client, start.next);
  assert.deepEqual([page.events.length, page.has_more], [20, true]);
  const between = `${await placeOrder(client)} 1 order.placed`;
  await dispatch();
  const rest = await read(client, page.next);
  assert.deepEqual([rest.events.length, rest.has_more], [3, false]);
  assert.deepEqual([...page.events, ...rest.events].map(describeCall).sort(), placed.sort());
  assert.deepEqual((await readAll(client, rest.next)).names, [between]);
  assert.deepEqual((await readAll(client, page.next)).names.length, 3, 'a page that was lost on its way is read again');
});

test('an account sees only its own mode’s events', async () => {
  const { app, placeOrder } = given;
  const [client, other] = [await app.givenClient(), await app.givenClient()];
  const [mine, others] = [await read(client), await read(other)];
  const orderId = await placeOrder(client);
  await dispatch();
  assert.deepEqual((await readAll(other, others.next)).names, []);
  assert.deepEqual((await readAll(other, mine.next)).names, [], 'a position is no permission');
  const { key } = await issueKey(app.service.deps.db, client.accountId, 'live', app.now());
  const live = clientOf(app.service, client.accountId, key);
  assert.deepEqual((await readAll(live, mine.next)).names, []);
  assert.deepEqual((await readAll(client, mine.next)).names, [`${orderId} 1 order.placed`]);
});

/** A snapshot range that covers all transactions of this cluster, so that all of them count as seen. */
const WIDE = '1:131621703842267136:';

test('positions from another cluster may repeat rows and never raise an error', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client);
  await dispatch();
  const now = app.now().epochMilliseconds;
  for (const seen of ['131621703842267135:131621703842267136:', '3:3:', WIDE]) {
    const { names, next } = await readAll(client, writeCursor(now, seen));
    assert.ok(names.length <= 1, seen);
    assert.deepEqual((await readAll(client, next)).names, [], seen);
    if (seen !== WIDE) assert.deepEqual(names, [`${orderId} 1 order.placed`], seen);
  }
  for (const after of [
    '1',
    '~',
    'none',
    writeCursor(1, '0:0:'),
    writeCursor(1, '1:1:', 1),
    writeCursor(now, '1:5:9'),
  ]) {
    const { status, body } = await client.get('/account/events', { after });
    assert.deepEqual([status, body.code, body.errors?.[0].name], [400, 'invalid_request', 'after'], after);
  }
});

test('an account with more orders than one read gets is_complete: false', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client);
  assert.equal((await read(client)).is_complete, true);
  await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_id', 'copy' || n))).*
    from orders as o, generate_series(1, ${MAX_ORDERS}::integer) as n where o.order_id = ${orderId}`.execute(
    app.service.deps.db,
  );
  assert.equal((await read(client)).is_complete, false);
});

const getEvents = (client: Client, orderId: string, query = {}) =>
  client.get(`/account/orders/${orderId}/events`, query);
const eventTypes = (body: { events: { type: string }[] }) => body.events.map(({ type }) => type);

test('an order’s events equal its webhook bodies, in order', async () => {
  const { app, givenEndpoint, placeOrder } = given;
  const client = await app.givenClient();
  const endpoint = await givenEndpoint(client);
  const orderId = await placeOrder(client);
  await take(client, orderId, 'confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete');
  await app.advance({ minutes: 1 });
  const called = endpoint.calls.map(({ body }) => JSON.parse(body));
  const { status, body } = await getEvents(client, orderId);
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.has_more], ['completed', false]);
  assert.deepEqual(
    body.events,
    called.sort((a, b) => a.data.sequence - b.data.sequence),
  );
  assert.equal(body.events[0].data.order.status, 'awaiting_confirmation', 'an order is shown as it was then');
});

test('`after` leaves out the steps that a client has; nothing is left after the last step', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client);
  await take(client, orderId, 'confirm', 'cancel');
  assert.deepEqual(eventTypes((await getEvents(client, orderId, { after: 1 })).body), [
    'order.confirmed',
    'order.canceled',
  ]);
  for (const last of [3, 2_147_483_647]) {
    const { body } = await getEvents(client, orderId, { after: last });
    assert.deepEqual(body, { events: [], has_more: false, status: 'canceled' });
  }
});

test('an order with many steps has several pages, and each step is on one of them', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client, { charge_user: true, payment_method_id: await givenPaymentMethod(client) });
  await take(client, orderId, 'confirm');
  for (let count = 0; count < 24; count += 1) {
    const reply = await client.post('/order/refund', { order_id: orderId, amount: 1, reason: 'cold' });
    assert.equal(reply.status, 200, reply.text);
  }
  const first = (await getEvents(client, orderId)).body;
  const second = (await getEvents(client, orderId, { after: first.events.at(-1).data.sequence })).body;
  assert.deepEqual([first.has_more, second.has_more], [true, false]);
  const sequences = [...first.events, ...second.events].map(({ data }) => data.sequence);
  assert.deepEqual(
    sequences,
    Array.from({ length: 26 }, (_, n) => n + 1),
  );
});

test('an unplaced order has no steps', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client, { place_order: false });
  assert.deepEqual((await getEvents(client, orderId)).body, { events: [], has_more: false, status: 'unplaced' });
});

test('every type of event is described, with the headers that sign its call', async () => {
  const document: ApiDocument = (await given.app.get('/openapi.json')).body;
  assert.deepEqual(Object.keys(document.webhooks).sort(), [...ORDER_EVENT_TYPES, TEST_TYPE].sort());
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const headers = post.parameters?.filter((one) => one.in === 'header' && one.required).map(({ name }) => name);
    assert.deepEqual(headers, ['webhook-id', 'webhook-timestamp', 'webhook-signature'], type);
    assert.deepEqual([post.security, Object.keys(post.responses)], [[], ['2XX', 'default']], type);
  }
});

test('an endpoint receives the documented body at every step of an order', async () => {
  const document: ApiDocument = (await given.app.get('/openapi.json')).body;
  const { app, givenEndpoint, placeOrder } = given;
  const client = await app.givenClient();
  const endpoint = await givenEndpoint(client);
  const delivered = await placeOrder(client);
  await take(client, delivered, 'confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete');
  const tipped = await client.post('/order/tip', { order_id: delivered, driver_tip_cents: 9900 });
  assert.equal(tipped.status, 200, tipped.text);
  const payment_method_id = await givenPaymentMethod(client);
  const canceled = await placeOrder(client, { charge_user: true, payment_method_id });
  const { storeId } = (await findAnyOrder(app.service.deps.db, canceled)) ?? assert.fail('no order');
  const updated = await client.post('/order/update', { order_id: canceled, user_name: 'Jo Doe' });
  assert.equal(updated.status, 200, updated.text);
  const key = await givenStoreKey(app, storeId, client.accountId);
  await take(client, canceled, 'confirm');
  const delayed = await key.post(`/store/orders/${canceled}/delay`, { minutes: 30, reason: 'The oven is full.' });
  assert.equal(delayed.status, 200, delayed.text);
  const adjusted = await key.post(`/store/orders/${canceled}/items/0`, { quantity: 1 });
  assert.equal(adjusted.status, 200, adjusted.text);
  await take(client, canceled, 'cancel');
  const byWeight = await givenHeldShop(app, { client });
  const weighed = await byWeight.placed();
  await take(client, weighed, 'confirm', 'ready', 'complete');
  const declined = await byWeight.placed();
  await take(client, declined, 'confirm');
  await sql`update sandbox_gateway_cards set charge_status = 'declined', decline_code = 'expired_card'`.execute(
    app.service.deps.db,
  );
  await app.advance({ hours: 6 * 24, minutes: 1 });
  await client.post('/account/tracking/webhook/test');
  await app.advance({ minutes: 1 });
  const seen = new Set<string>();
  for (const { body, headers } of endpoint.calls) {
    const event = JSON.parse(body);
    assertEventDescribed(document, event);
    seen.add(event.type);
    for (const { name } of document.webhooks[event.type]?.post.parameters ?? []) assert.ok(headers[name], name);
  }
  assert.deepEqual([...seen].sort(), Object.keys(document.webhooks).sort());
  const first = JSON.parse(endpoint.calls[0]?.body ?? '');
  assert.throws(() => assertEventDescribed(document, { ...first, more: 1 }), assert.AssertionError);
});
