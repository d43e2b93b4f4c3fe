import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenWebhooks } from '../../../test/given/webhooks.ts';
import type { Client } from '../../../test/harness.ts';

let given: Awaited<ReturnType<typeof givenWebhooks>>;
before(async () => {
  given = await givenWebhooks();
});
after(() => given.close());

const getEvents = (client: Client, orderId: string, query = {}) =>
  client.get(`/account/orders/${orderId}/events`, query);
const eventTypes = (body: { events: { type: string }[] }) => body.events.map(({ type }) => type);

async function take(client: Client, orderId: string, ...events: string[]) {
  for (const event of events) {
    const { status, text } = await client.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(status, 200, text);
  }
}

test('the events of an order are the bodies of its webhook calls, in sequence', async () => {
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

test('an order that is not placed has no steps; an order of another account, or of no account, is 404', async () => {
  const { app, placeOrder } = given;
  const client = await app.givenClient();
  const orderId = await placeOrder(client, { place_order: false });
  assert.deepEqual((await getEvents(client, orderId)).body, { events: [], has_more: false, status: 'unplaced' });
  for (const [asker, id] of [
    [await app.givenClient(), orderId],
    [client, 'none'],
  ] as const) {
    const { status, body } = await getEvents(asker, id);
    assert.deepEqual([status, body.code], [404, 'order_not_found']);
  }
  assert.equal((await getEvents(client, orderId, { after: -1 })).status, 400);
});
