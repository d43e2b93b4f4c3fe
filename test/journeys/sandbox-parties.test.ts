import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { setStoreCourier } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { givenChannel, givenStoreKey } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';

/** Configures every paid provider, at an address where nothing listens. */
const DEAD = 'http://127.0.0.1:9';
const ENV = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Doorstep <mail@doorstep.example>',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+12125550100',
  STRIPE_SECRET_KEY: 'sk_test_never_called',
  UBER_DIRECT_CLIENT_ID: 'client',
  UBER_DIRECT_CLIENT_SECRET: 'secret',
  UBER_DIRECT_WEBHOOK_SECRET: 'secret',
  ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
};

let app: App;
/** Connections that this process opened, except to PostgreSQL. */
const targets: string[] = [];
const connect = net.Socket.prototype.connect;

before(async () => {
  app = await givenOwnApp({
    env: ENV,
    partyUrls: { stripe: { baseUrl: DEAD }, uber_direct: { baseUrl: DEAD, tokenUrl: DEAD } },
  });
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(app.service.deps.db);
  const database = rows[0]?.port ?? '';
  net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    const text = JSON.stringify(given, (_, value) => (typeof value === 'function' ? undefined : value));
    if (!text.includes(database)) targets.push(text);
    return Reflect.apply(connect, this, given);
  };
});
after(async () => {
  net.Socket.prototype.connect = connect;
  await app.close();
});

test('everything that a sandbox key can do reaches no gateway, text provider, mail server or company of couriers', async () => {
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId, { email: 'kitchen@example.com', sms: '+12125550123', printer: '127.0.0.1:9' });
  await setStoreCourier(app.service.deps.db, storeId, 'uber_direct', app.now());
  const token = (await productTokens(app, storeId)).Margherita;
  const card = await givenPaymentMethod(app);
  const store = await givenStoreKey(app, storeId, app.accountId);
  const options = { autofill_selected_options: true };
  const place = async (changes: object = {}): Promise<string> => {
    const reply = await app.post('/order/order/v2', orderBody(token, card, { ...options, ...changes }));
    assert.equal(reply.status, 200, reply.text);
    await app.advance({ seconds: 1 });
    return reply.body.order_id;
  };
  const take = async (orderId: string, ...events: Parameters<typeof takeStep>[2]['event'][]) => {
    for (const event of events) await takeStep(app.service.deps, orderId, { event });
    await app.advance({ seconds: 1 });
  };

  const whole = await place();
  await take(whole, 'confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete');
  assert.equal((await app.post('/order/tip', { order_id: whole, driver_tip_cents: 900 })).status, 200);
  assert.equal((await app.post('/order/refund', { order_id: whole, amount: 100, reason: 'cold' })).status, 200);
  const canceled = await place({ quantity: 2 });
  assert.equal((await app.post('/order/cancel', { order_id: canceled })).status, 200);
  const adjusted = await place();
  assert.equal((await store.post(`/store/orders/${adjusted}/items/0`, { quantity: 0 })).status, 200);
  const byStore = await place();
  assert.equal((await store.post(`/store/orders/${byStore}/confirm`, { preparation_minutes: 10 })).status, 200);
  const driver = { name: 'Dee', phone: 12125550188, vehicle_type: 'car' };
  assert.equal((await store.post(`/store/orders/${byStore}/assign_driver`, driver)).status, 200);
  for (const scenario of ['store_cancels', 'item_missing', 'driver_late', 'courier_lost', 'refund_after']) {
    await place({ metadata: { sandbox_scenario: scenario } });
  }
  const declined = await givenPaymentMethod(app, '4000000000000002');
  assert.equal((await app.post('/order/order/v2', orderBody(token, declined, options))).status, 402);
  const setup = { user_id: 'u1', user_email: 'u1@example.com', return_url: 'https://shop.example/back' };
  assert.equal((await app.post('/payment/setup', setup)).status, 200);
  assert.equal((await app.get('/search/cart', { ...NEAR_DOOR, query: '{"soda":1}' })).status, 200);
  await app.advance({ minutes: 10 });
  assert.deepEqual(targets, []);
  const { messages } = (await app.get('/sandbox/messages', { order_id: whole })).body;
  assert.ok(messages.length > 3, 'the outbox has what would have been sent');
});

test('the same settings send a live order to its store: the watch sees outgoing requests', async () => {
  const [storeId = ''] = await givenStores(app, [pizzeria({ external_id: 'watched' })]);
  await givenChannel(app, storeId, { email: 'kitchen@example.com' });
  const live = await app.givenClient('live');
  const token = (await productTokens(live, storeId)).Soda;
  const items = [{ product_id: token, quantity: 4 }];
  const reply = await live.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  assert.equal(reply.status, 200, reply.text);
  await app.advance({ seconds: 1 });
  assert.ok(
    targets.some((target) => target.includes('"port":9')),
    targets.join(),
  );
});
