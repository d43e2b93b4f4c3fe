import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, type LiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole, givenOperator } from '../../../test/given/merchant.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import { writeCursor } from '../../platform/http/page-cursor.ts';
import { readOrderSearch } from './operator-lists.db.ts';

type Operator = Awaited<ReturnType<typeof givenConsole>>;
const listIds = async (operator: Operator, query: Record<string, string>) => {
  const reply = await operator.get('/operator/orders', query);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.orders.map((order: { order_id: string }) => order.order_id);
};
const readOrderNumber = async ({ client }: LiveShop, orderId: string) =>
  (await client.get('/account/orders', { order_id: orderId })).body.orders[0].order_number;

test('an order is found by its number, a phone in any spelling, every id, and newest first', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const first = await shop.place({ user_phone: 2125550188, customer_order_id: 'basket-7' });
  await shop.app.advance({ seconds: 1 });
  const second = await shop.place();
  assert.deepEqual(await listIds(operator, {}), [second, first]);
  assert.deepEqual(await listIds(operator, { query: await readOrderNumber(shop, first) }), [first]);
  for (const query of ['2125550188', '+1 (212) 555-0188', '12125550188', 'basket-7', ` ${first} `]) {
    assert.deepEqual(await listIds(operator, { query }), [first], query);
  }
  for (const query of [shop.storeId, shop.client.accountId]) {
    assert.deepEqual(await listIds(operator, { query }), [second, first], query);
  }
  for (const query of ['nothing', 'Z999', '2125550000', "' or 1=1 --", '%', 'ord_']) {
    assert.deepEqual(await listIds(operator, { query }), [], query);
  }
  assert.deepEqual(await listIds(operator, { mode: 'sandbox' }), []);
});

test('pages of orders follow each other without a gap, and an invalid cursor returns 400', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const placed: string[] = [];
  for (let count = 0; count < 51; count += 1) placed.unshift(await shop.place());
  for (const filter of [{}, { store_id: shop.storeId }, { account_id: shop.client.accountId }]) {
    const { orders, next } = (await operator.get('/operator/orders', filter)).body;
    const rest = (await operator.get('/operator/orders', { ...filter, before: next })).body;
    assert.deepEqual([orders.length, rest.orders.length, rest.next], [50, 1, null]);
    const seen = [...orders, ...rest.orders].map((order: { order_id: string }) => order.order_id);
    assert.deepEqual(new Set(seen), new Set(placed));
  }
  const years = ['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-99-01T00:00:00Z', '9'.repeat(40), ''];
  const written = [
    ...years.map((year) => writeCursor(year, 'x')),
    writeCursor('2026-01-01T00:00:00Z'),
    writeCursor(1, 2),
  ];
  for (const before of ['x', '2026-01-01T00:00:00Z~x', ...written]) {
    const reply = await operator.get('/operator/orders', { before });
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request'], before);
  }
});

test('one response lists an order’s full history, without email addresses or secrets', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com' });
  await shop.client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/account` });
  const operator = await givenOperator(shop.app, { role: 'support' });
  const orderId = await shop.place({ user_email: 'jane.doe@example.com' });
  await shop.app.advance({ seconds: 1 });
  await step(shop, orderId, 'confirm');
  const { status, body, text } = await operator.get(`/operator/orders/${orderId}`);
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.events.map(({ type }: { type: string }) => type),
    ['order.placed', 'order.confirmed'],
  );
  assert.ok(body.notices.some(({ channel }: { channel: string }) => channel === 'email'));
  assert.ok(body.messages.every(({ to }: { to: string }) => to.includes('…')));
  assert.ok(body.messages.some(({ to }: { to: string }) => to === 'j…@example.com'));
  assert.equal(body.order.user_name.length > 0, true);
  assert.doesNotMatch(text, /jane\.doe|whsec_|console\/order/);
  assert.ok(body.webhook_calls.length > 0);
});

test('an order lists its message texts without customer keys in links, and only admins read the email address', async (t) => {
  const shop = await givenLiveShop(t);
  const orderId = await shop.place({ user_email: 'jane.doe@example.com' });
  await shop.app.advance({ seconds: 1 });
  const support = await givenOperator(shop.app, { role: 'support' });
  const { body, text } = await support.get(`/operator/orders/${orderId}`);
  assert.ok(body.messages.some((message: object) => JSON.stringify(message).includes(`tracking_id=${orderId}`)));
  assert.ok(!/key=|whsec_/.test(text));
  assert.doesNotMatch(text, /jane\.doe/);
  assert.equal(body.order.user_email, 'j…@example.com');
  const admin = await givenOperator(shop.app, { role: 'admin' });
  assert.equal((await admin.get(`/operator/orders/${orderId}`)).body.order.user_email, 'jane.doe@example.com');
  const viewer = await givenOperator(shop.app, { role: 'viewer' });
  const seen = (await viewer.get(`/operator/orders/${orderId}`)).body;
  assert.deepEqual([seen.proof, seen.deliveries, seen.messages[0].text], [null, [], '']);
});

test('a viewer reads an order without its customer, finds none by phone, and changes nothing', async (t) => {
  const shop = await givenLiveShop(t);
  const notes = 'Ring the bell of Doe';
  const customer = { user_name: 'Jane Doe', user_phone: 2125550188, user_email: 'jane.doe@example.com' };
  const orderId = await shop.place({ ...customer, user_pickup_notes: notes, user_dropoff_notes: notes });
  await shop.app.advance({ seconds: 1 });
  const [viewer, support] = [
    await givenOperator(shop.app, { role: 'viewer' }),
    await givenOperator(shop.app, { role: 'support', name: 'Ben Sato' }),
  ];
  const { body, text } = await viewer.get(`/operator/orders/${orderId}`);
  assert.deepEqual([body.order.user_name, body.order.user_email, body.order.user_street_name], ['', '', '']);
  assert.ok(body.messages.length > 0);
  assert.doesNotMatch(text, /Jane|0188|jane|j…|Doe/);
  assert.match((await support.get(`/operator/orders/${orderId}`)).text, /Jane Doe.*0188/s);
  assert.deepEqual(await listIds(viewer, { query: '2125550188' }), []);
  assert.deepEqual(await listIds(support, { query: '2125550188' }), [orderId]);
  const taken = await support.post(`/operator/orders/${orderId}/confirm`, { preparation_minutes: 10 });
  assert.equal(taken.status, 200, taken.text);
  const { actions } = (await viewer.get('/operator/actions', { target: orderId })).body;
  assert.deepEqual([actions.length, actions[0].by, actions[0].action], [1, 'Ben Sato', 'order.confirm']);
});

test('an operator has a webhook call made again, and that is recorded', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenLiveShop(t);
  await shop.client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/account` });
  const operator = await givenConsole(shop.app, null);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const before = receiver.calls.length;
  const [call] = (await operator.get(`/operator/orders/${orderId}`)).body.webhook_calls;
  assert.equal(call.state, 'delivered');
  const reply = await operator.post(`/operator/webhook-calls/${call.webhook_id}/replay`, {});
  assert.deepEqual([reply.status, reply.body.replayed], [200, true], reply.text);
  await shop.app.advance({ seconds: 1 });
  assert.equal(receiver.calls.length, before + 1);
  const { actions } = (await operator.get('/operator/actions', { target: call.webhook_id })).body;
  assert.deepEqual(
    actions.map(({ action }: { action: string }) => action),
    ['webhook_call.replay'],
  );
});

test('a search text is read by its form', () => {
  assert.deepEqual(readOrderSearch('a17'), { customerOrderId: 'a17', orderNumber: 'A17' });
  assert.deepEqual(readOrderSearch('#A17').orderNumber, 'A17');
  assert.deepEqual(readOrderSearch('212 555 0123').phone, '12125550123');
  assert.deepEqual(readOrderSearch('+44 20 7946 0000').phone, '442079460000');
  assert.deepEqual(readOrderSearch('acc_1234'), { accountId: 'acc_1234' });
});
