import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Mail } from '../../src/notify/outbox/messaging.ts';
import { WEBHOOK_SWITCHED_OFF } from '../../src/notify/webhooks/notify-endpoint-disabled.job.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import type { AdvanceEvent } from '../../src/ordering/order/order.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenChannel } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver, type Receiver } from '../given/receiver.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type Client, givenOwnApp } from '../harness.ts';

const CUSTOMER = {
  user_name: 'Zelda Quirk',
  user_email: 'zelda.quirk@example.com',
  user_phone: 12125550147,
  user_id: 'quirk-user',
  user_street_num: '1077',
  user_street_name: 'Quirk Lane',
  user_apt_num: 'Quirk 7',
  user_dropoff_notes: 'Ring the bell of Quirk',
};
const CARD = '4242424242424242';
/** Personal data: the customer's identity, address and payment. */
const PERSONAL = /quirk|2125550147|\b1077\b|40\.744|73\.988|4242424242424242|"cvc|card_number/i;

type Line = Record<string, unknown> & { msg: string };

let app: App;
let live: Client;
let receiver: Receiver;
let liveOrder: string;
let sandboxOrder: string;
const texts: string[] = [];
const lines = (msg: string): Line[] => texts.map((text) => JSON.parse(text) as Line).filter((line) => line.msg === msg);

before(async () => {
  const env = { LOG_LEVEL: 'trace', WEBHOOK_ALLOW_PRIVATE: 'true', ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' };
  app = await givenOwnApp({ env, onLogLine: (line) => texts.push(line) });
  receiver = await givenReceiver((_call, response) => response.writeHead(500).end());
  live = await app.givenClient('live');
  breakMessages();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  const { Soda } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 4 }];
  for (const client of [app, live]) await client.post('/account/tracking/add_webhook', { endpoint: receiver.url });
  const place = async (client: Client, paymentMethodId: string | null, changes: object = {}) => {
    const body = orderBody(Soda, paymentMethodId, { items, ...CUSTOMER, ...changes });
    const reply = await client.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id as string;
  };
  sandboxOrder = await place(app, await givenPaymentMethod(app, CARD), { user_id: 'u1' });
  liveOrder = await place(live, null, { charge_user: false });
  await live.post('/order/order/v2', orderBody(Soda, null, { ...CUSTOMER, items: [{ product_id: 'Quirk' }] }));
  await live.get('/account/orders', { order_id: liveOrder });
  await app.get('/utils/geocode', { latitude: 40.744, longitude: -73.988 });
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'] as const) await step(event);
  await app.post('/order/cancel', { order_id: sandboxOrder, reason: 'Quirk is not at home' });
  const { db, clock, jobs } = app.service.deps;
  const switchedOff = { accountId: live.accountId, mode: 'live', at: clock.now().toString() } as const;
  await jobs.enqueue(db, WEBHOOK_SWITCHED_OFF, switchedOff);
  await app.advance({ seconds: 1 });
});
after(async () => {
  await app.close();
  await receiver.close();
});

function breakMessages(): void {
  const { messaging } = app.service.deps;
  const fails = (party: string, retryable: boolean) => async () => {
    throw new OutsideError(party, 'no answer', { retryable });
  };
  // The mail of a job fails for now, and those to customers for good.
  const sendMail = (mail: Mail) => fails('mail', mail.subject === 'Your webhook was switched off')();
  messaging.mailer = { sendMail, close() {} };
  messaging.smsSender = { sendText: fails('SMS', true) };
}

async function step(event: AdvanceEvent): Promise<void> {
  await takeStep(app.service.deps, liveOrder, { event });
  await app.advance({ seconds: 1 });
}

test('no log line of an order’s life contains a name, phone, address, position or card', () => {
  assert.ok(texts.length > 20);
  assert.deepEqual(
    texts.filter((text) => PERSONAL.test(text)),
    [],
  );
});

test('the search for personal data finds the data that the service has', async () => {
  const { body } = await live.get('/account/orders', { order_id: liveOrder });
  assert.match(JSON.stringify(body), PERSONAL);
});

test('each change of an order is a line with the order, its account and its store', () => {
  const changes = lines('an order changed').filter(({ orderId }) => orderId === liveOrder);
  assert.deepEqual(
    changes.map(({ type }) => type),
    ['order.placed', 'order.confirmed', 'order.driver_assigned', 'order.picked_up', 'order.completed'],
  );
  for (const { accountId, storeId, mode } of changes) {
    assert.deepEqual([accountId, mode], [live.accountId, 'live']);
    assert.ok(storeId);
  }
});

test('an answered request is a line with the account of its key and the order that it names', () => {
  const [canceled] = lines('answered').filter(({ route }) => route === '/order/cancel');
  assert.deepEqual([canceled?.accountId, canceled?.orderId], [app.accountId, sandboxOrder]);
  const [read] = lines('answered').filter(({ route }) => route === '/account/orders');
  assert.deepEqual([read?.accountId, read?.orderId], [live.accountId, liveOrder]);
});

test('a message that fails and a message that is given up name their order and account', () => {
  for (const msg of ['a message is not delivered yet', 'a message failed for good']) {
    const found = lines(msg);
    assert.ok(found.length > 0, msg);
    for (const line of found)
      assert.deepEqual([line.orderId, line.accountId, line.reason], [liveOrder, live.accountId, 'no answer']);
  }
});

test('webhook calls that fail name their account, once a minute with their number', () => {
  const failed = lines('a webhook call is not delivered yet');
  for (const { reason } of failed) assert.equal(reason, 'status 500');
  assert.deepEqual(new Set(failed.map(({ accountId }) => accountId)), new Set([app.accountId, live.accountId]));
  for (const own of Map.groupBy(failed, ({ accountId }) => accountId).values()) {
    const seconds = own.map(({ time }) => Number(time));
    assert.deepEqual(seconds.length, new Set(seconds).size);
    assert.ok(own.every(({ times }) => Number(times) >= 1));
  }
});

test('a job that fails names its kind and the account that it works for', () => {
  const [failed] = lines('a job failed');
  assert.deepEqual([failed?.job, failed?.accountId], [WEBHOOK_SWITCHED_OFF.name, live.accountId]);
});
