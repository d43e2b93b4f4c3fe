import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, clientOf, givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findStore } from '../../supply/stores/stores.db.ts';

const PACE_S = 60;

let app: App;
let storeId: string;
let place: (changes?: object) => Promise<string>;
before(async () => {
  app = await givenApp({ env: { SANDBOX_PACE: String(PACE_S) } });
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { Margherita } = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  place = async (changes = {}) => {
    const body = orderBody(Margherita, card, { autofill_selected_options: true, ...changes });
    const reply = await app.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id;
  };
});
after(() => app.close());

const sandboxConsole = () => givenConsole(app, storeId, app.accountId);
const eventsOf = async (orderId: string) =>
  (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type.replace('order.', ''));
const pass = async (seconds: number) => app.advance({ seconds });

test('a sandbox console sees and steps only its account’s orders there', async () => {
  const [tablet, live, stranger] = [
    await sandboxConsole(),
    await givenConsole(app, storeId),
    await givenConsole(app, storeId, (await app.givenClient('sandbox')).accountId),
  ];
  const orderId = await place({ pickup: true });
  const listed = async (one: typeof tablet) =>
    (await one.get('/store/orders')).body.orders.map((order: { order_id: string }) => order.order_id);
  assert.deepEqual(await listed(tablet), [orderId]);
  for (const other of [live, stranger]) {
    assert.deepEqual(await listed(other), []);
    const refused = await other.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 });
    assert.deepEqual([refused.status, refused.body.code], [404, 'order_not_found']);
  }
  for (const [step, body] of [
    ['acknowledge', {}],
    ['confirm', { preparation_minutes: 20 }],
    ['ready', {}],
    ['complete', {}],
  ] as const) {
    assert.equal((await tablet.post(`/store/orders/${orderId}/${step}`, body)).status, 200, step);
  }
  assert.deepEqual(await eventsOf(orderId), ['placed', 'confirmed', 'ready', 'completed']);
  const ticket = await tablet.get(`/console/orders/${orderId}/ticket`, { document: 'kitchen' });
  assert.match(ticket.text, /TEST - DO NOT MAKE/);
});

test('it is no store channel, changes nothing of the store, and isn’t among its tablets', async () => {
  const [otherId = ''] = await givenStores(app, [pizzeria({ external_id: 'without-a-channel' })]);
  const tablet = await givenConsole(app, otherId, app.accountId);
  assert.equal((await findStore(app.service.deps.db, otherId))?.hasChannel, false);
  assert.equal((await tablet.get('/store')).body.mode, 'sandbox');
  for (const reply of [
    await tablet.post('/store/pause', { minutes: 15 }),
    await tablet.put('/store/hours', { hours: null }),
    await tablet.get('/store/channels'),
    await tablet.get('/store/sessions'),
  ]) {
    assert.deepEqual([reply.status, reply.body.code], [403, 'live_only']);
  }
  const { sessions } = (await (await givenConsole(app, otherId)).get('/store/sessions')).body;
  assert.equal(sessions.length, 1);
});

test('its page is marked and has an address of its own, and a session never opens the page of the other', async () => {
  const [tablet, live] = [await sandboxConsole(), await givenConsole(app, storeId)];
  const marked = { sandbox: '' };
  const sent = [await tablet.get('/console'), await live.get('/console', marked)];
  assert.deepEqual(
    sent.map(({ status, headers }) => [status, headers.location]),
    [
      [303, '/console?sandbox'],
      [303, '/console'],
    ],
  );
  assert.match((await tablet.get('/console', marked)).text, /<title>Sandbox: [^<]+<\/title>.*data-sandbox="[^"]+"/s);
  assert.doesNotMatch((await live.get('/console')).text, /sandbox/i);
  assert.match((await app.get('/console', marked)).text, /<title>Sandbox: Sign in.*data-page="sign-in" data-sandbox/s);
  assert.doesNotMatch((await app.get('/console')).text, /sandbox/i);
});

test('while somebody plays the store, the simulated store waits, and the simulated courier still drives', async () => {
  const tablet = await sandboxConsole();
  const step = (orderId: string, name: string, body: object = {}) =>
    tablet.post(`/store/orders/${orderId}/${name}`, body);
  const orderId = await place();
  await pass(5 * PACE_S);
  assert.deepEqual(await eventsOf(orderId), ['placed']);
  assert.equal((await step(orderId, 'confirm', { preparation_minutes: 20 })).status, 200);
  await pass(5 * PACE_S);
  assert.deepEqual(await eventsOf(orderId), ['placed', 'confirmed']);
  assert.equal((await step(orderId, 'ready')).status, 200);
  for (let paces = 0; paces < 5; paces += 1) await pass(PACE_S + 1);
  assert.deepEqual(
    [await eventsOf(orderId)].map((events) => events.slice(3)),
    [['driver_assigned', 'picked_up', 'driver_nearby', 'completed']],
  );
  const unanswered = await place({ pickup: true });
  for (let minutes = 0; minutes < 16; minutes += 1) {
    await pass(60);
    await tablet.get('/store/orders');
  }
  assert.deepEqual(await eventsOf(unanswered), ['placed', 'canceled', 'refunded'], 'the time to confirm still runs');
});

test('the simulated store goes on minutes after the console was last used, and at once for a signed-out one', async () => {
  const tablet = await sandboxConsole();
  const left = await place({ pickup: true });
  await pass(5 * 60);
  assert.deepEqual(await eventsOf(left), ['placed']);
  await pass(3 * 60);
  assert.deepEqual(await eventsOf(left), ['placed', 'confirmed']);
  assert.equal((await tablet.get('/store/orders')).status, 200);
  const signedOut = await place({ pickup: true });
  await pass(PACE_S + 5);
  assert.deepEqual(await eventsOf(signedOut), ['placed']);
  await tablet.post('/console/sign-out', {});
  await pass(PACE_S);
  assert.deepEqual(await eventsOf(signedOut), ['placed', 'confirmed']);
});

test('store keys, sessions and account keys are each rejected in the others’ place, also when read at once', async () => {
  const storeKey = await givenStoreKey(app, storeId, app.accountId);
  const replies = [storeKey.get('/store/orders'), storeKey.get('/account/orders'), storeKey.get('/store/orders')];
  assert.deepEqual(await statusesOf(replies), [200, 401, 200]);
  const tablet = await sandboxConsole();
  const token = tablet.cookie.slice(tablet.cookie.indexOf('=') + 1);
  const asKey = clientOf(app.service, '', token);
  assert.deepEqual(await statusesOf([tablet.get('/store/orders'), asKey.get('/account/orders')]), [200, 401]);
  const account = await app.givenClient('sandbox');
  const cookie = tablet.cookie.replace(token, account.key);
  const asSession = clientOf(app.service, '', '').get('/store/orders', {}, { cookie });
  assert.deepEqual(
    await statusesOf([account.get('/account/orders'), asSession, account.get('/store/orders')]),
    [200, 401, 401],
  );
});

const statusesOf = async (replies: Promise<{ status: number }>[]) =>
  (await Promise.all(replies)).map(({ status }) => status);
