import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { setStoreCourier } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { setOptOut } from '../../src/notify/messages/sms-opt-outs.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { readUberDocument } from '../contracts/courier-document.ts';
import { startUberDouble } from '../fakes/uber-direct-double.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenAgent } from '../given/agent.ts';
import { COURIER, keyOf } from '../given/couriers.ts';
import { driverOf, givenJpeg } from '../given/driver.ts';
import { givenChannel, givenConsole, givenOperator, givenStoreKey } from '../given/merchant.ts';
import { CARD, orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type Client, givenOwnApp, type Reply } from '../harness.ts';

/** A user whose every datum is marked, so that a search finds wherever it went. */
export const MARKED = {
  user_id: 'zelda@quirkmark.example',
  user_name: 'Zelda Quirkmark',
  user_email: 'zelda@quirkmark.example',
  user_phone: 12125550147,
  user_street_num: '1077',
  user_street_name: 'Quirkmark Lane',
  user_apt_num: 'Quirkmark 7',
  user_city: 'Quirkmark City',
  user_latitude: 40.744077,
  user_longitude: -73.988077,
  user_dropoff_notes: 'Ring the bell of Quirkmark',
  user_pickup_notes: 'Ask for Quirkmark',
  metadata: { guest: 'Quirkmark' },
  favorited: true,
};
/** The user's data as text or bytes, and a driver's who brought an order. */
export const MARKS = /quirkmark|2125550147|40\.74407|73\.98807|717569726b6d61726b/i;
export const DRIVER = { name: 'Vex Drivermark', phone: 12125550148, vehicleType: 'car' };
export const DRIVER_MARKS = /drivermark|2125550148|40\.73123|5550111|cori r/i;
const AT_DOOR = { latitude: 40.744077, longitude: -73.988077 };

export type MarkedShop = {
  app: App;
  live: Client;
  storeIds: { own: string; couriers: string };
  admin: Client;
  lines: string[];
  address: string;
  close(): Promise<void>;
};

/** A service with a store of own drivers and one of couriers, failing mail and webhooks that keep what they were. */
export async function givenMarkedShop(dataDir: string): Promise<MarkedShop> {
  const uber = await startUberDouble(readUberDocument());
  const lines: string[] = [];
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
    UBER_DIRECT_CLIENT_ID: 'client',
    UBER_DIRECT_CLIENT_SECRET: uber.clientSecret,
    UBER_DIRECT_WEBHOOK_SECRET: uber.webhookSecret,
  };
  const partyUrls = { uber_direct: { baseUrl: uber.baseUrl, tokenUrl: uber.tokenUrl } };
  const app = await givenOwnApp({ env, partyUrls, onLogLine: (line) => lines.push(line) });
  const receiver = await givenReceiver((_call, response) => response.writeHead(500).end());
  const { db, messaging } = app.service.deps;
  messaging.mailer = {
    sendMail: async () => Promise.reject(new OutsideError('mail server', 'refused it', { retryable: false })),
    close() {},
  };
  messaging.smsSender = { sendText: async () => {} };
  const live = await app.givenClient('live');
  const stores = ['own', 'couriers'].map((external_id) => pizzeria({ external_id, delivery_party: 'first' }));
  const [own = '', couriers = ''] = await givenStores(app, stores);
  for (const storeId of [own, couriers]) {
    await givenChannel(app, storeId, { email: 'kitchen@example.com', sms: '+12125550123', webhook: receiver.url });
  }
  await setStoreCourier(db, couriers, 'uber_direct', app.now());
  const branding = { displayName: 'Grocer', helpEmail: 'help@grocer.example', customerCancel: true };
  for (const client of [app, live]) {
    await saveBranding(db, client.accountId, branding, app.now());
    await client.post('/account/tracking/add_webhook', { endpoint: receiver.url });
  }
  const close = async () => {
    await app.close();
    await receiver.close();
    await uber.close();
  };
  const shop = {
    app,
    live,
    storeIds: { own, couriers },
    admin: await givenOperator(app),
    lines,
    address: await app.service.listen(),
    close,
  };
  courierReports.set(app, async (orderId) => {
    const key = keyOf(orderId);
    const at = (seconds: number) => app.now().add({ seconds }).toString();
    for (const event of [
      uber.move(key, 'pickup', at(60), { courier: { ...COURIER, location: { lat: 40.73123, lng: -73.9927 } } }),
      uber.move(key, 'pickup_complete', at(120)),
      uber.move(key, 'delivered', at(180)),
    ]) {
      const call = {
        method: 'POST',
        url: '/couriers/uber_direct/webhook',
        payload: event.body,
        headers: event.headers,
      };
      assert.equal((await app.service.http.inject(call as { url: string })).statusCode, 200);
    }
  });
  return shop;
}

const courierReports = new WeakMap<App, (orderId: string) => Promise<void>>();

async function ok(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply;
  assert.ok(status < 400, text);
  return body;
}

export type MarkedLife = { sandbox: string; delivered: string; brought: string; canceled: string; links: string[] };

/** Everything that a user can do and be part of, until all of the user's orders have ended; `user` changes the user. */
export async function liveMarked(shop: MarkedShop, user: object = {}): Promise<MarkedLife> {
  const { app, live, storeIds, admin } = shop;
  const marked = { ...MARKED, ...user };
  const tokens = await productTokens(app, storeIds.own);
  const items = (token: string | undefined) => [{ product_id: token, quantity: 4, notes: 'Quirkmark sauce' }];
  const body = (paymentMethodId: string | null, changes: object = {}) =>
    orderBody(undefined, paymentMethodId, { items: items(tokens.Soda), ...marked, ...changes });
  const links: string[] = [];

  // The sandbox: cards, a page for a card, idempotent requests, the simulated driver, a refund, a report, checkout.
  const payer = { user_id: marked.user_id, user_email: marked.user_email };
  const card = await ok(app.post('/payment/create', { ...payer, payment_method: CARD }));
  const old = await ok(
    app.post('/payment/create', { ...payer, payment_method: { ...CARD, card_number: 5555555555554444 } }),
  );
  await ok(app.post('/payment/delete', { user_id: payer.user_id, payment_method_id: old.payment_method_id }));
  await ok(app.post('/payment/setup', { ...payer, return_url: 'https://shop.example/back' }));
  const retry = { 'idempotency-key': randomUUID() };
  const placed = await ok(app.post('/order/order/v2', body(card.payment_method_id), retry));
  const sandbox: string = placed.order_id;
  links.push(placed.tracking_link);
  await ok(
    app.post(
      '/order/update',
      { order_id: sandbox, user_name: 'Zelda Q. Quirkmark' },
      { 'idempotency-key': `u ${sandbox}` },
    ),
  );
  for (const event of ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete']) {
    await ok(
      app.post(`/sandbox/orders/${sandbox}/advance`, {
        event,
        driver_latitude: 40.744077,
        driver_longitude: -73.988077,
      }),
    );
  }
  await ok(app.post('/order/refund', { order_id: sandbox, amount: 100, reason: 'Quirkmark found it cold' }));
  await ok(app.post('/order/tip', { order_id: sandbox, driver_tip_cents: 700 }));
  await app.advance({ seconds: 1 });
  const report = { reason: 'quality', text: 'Quirkmark is not happy' };
  assert.equal((await sendForm(app, placed.tracking_link, 'tracking/problem', report)).statusCode, 303);
  const unplaced = await ok(app.post('/order/order/v2', body(card.payment_method_id, { place_order: false })));
  await app.service.http.inject({ url: unplaced.checkout_url.replace(app.config.trackingUrl, '') });
  const canceled = (await ok(app.post('/order/order/v2', body(card.payment_method_id)))).order_id;
  await ok(app.post('/order/cancel', { order_id: canceled, reason: 'Quirkmark is not at home' }));

  // Agents.
  const agent = await givenAgent(shop.address, app.key);
  const { metadata: _, favorited: __, user_latitude: latitude, user_longitude: longitude, ...named } = marked;
  await agent.ask('quote_order', {
    items: items(tokens.Soda),
    pickup: false,
    latitude,
    longitude,
    ...named,
    user_state: 'NY',
    user_country: 'US',
    user_zipcode: '10010',
    payment_method_id: card.payment_method_id,
  });
  await agent.close();

  // Live: a driver of the store with positions and a photo, the operator's desk.
  const place = async (token: string | undefined) => {
    const reply = await ok(live.post('/order/order/v2', body(null, { items: items(token), charge_user: false })));
    links.push(reply.tracking_link);
    await app.advance({ seconds: 1 });
    return reply.order_id as string;
  };
  const delivered = await place((await productTokens(live, storeIds.own)).Soda);
  await takeStep(app.service.deps, delivered, { event: 'confirm' });
  const driver = await driverOf(app, delivered, DRIVER);
  await ok(driver.call('accept', {}));
  await ok(driver.call('pick_up', { ...AT_DOOR, latitude: 40.73123 }));
  await driver.call('position', { ...AT_DOOR, latitude: 40.73123 });
  const photo = givenJpeg();
  await driver.call('photo', photo, { 'content-type': 'image/jpeg' });
  await ok(driver.call('complete', AT_DOOR));
  links.push(`${app.config.baseUrl}${driver.path}`);
  await app.advance({ seconds: 1 });
  await resend(admin, delivered);
  await ok(admin.get('/operator/orders.csv', { mode: 'live', customers: true }));

  // A courier company.
  const brought = await place((await productTokens(live, storeIds.couriers)).Soda);
  await takeStep(app.service.deps, brought, { event: 'confirm' });
  await app.advance({ seconds: 1 });
  await courierReports.get(app)?.(brought);
  await app.advance({ seconds: 1 });
  const refused = await place((await productTokens(live, storeIds.own)).Soda);
  await desk(admin, refused, 'cancel');
  await setOptOut(app.service.deps.db, `+${marked.user_phone}`, true, app.now());
  await app.advance({ seconds: 1 });
  return { sandbox, delivered, brought, canceled: refused, links };
}

/** A change at the operator's desk with a reason that names the customer. */
async function desk(admin: Client, orderId: string, action: string, change: object = {}): Promise<void> {
  const path = `/operator/orders/${orderId}/${action}`;
  const { preview } = await ok(admin.post(path, { ...change, preview: true }));
  await ok(admin.post(path, { ...change, reason: 'Quirkmark has called', preview_id: preview.preview_id }));
}

async function resend(admin: Client, orderId: string): Promise<void> {
  const record = await ok(admin.get(`/operator/orders/${orderId}`));
  await desk(admin, orderId, 'resend', { webhook_id: record.webhook_calls[0].webhook_id });
}

/** What the store's people use. */
export async function givenPeople({ app, storeIds }: MarkedShop) {
  return {
    storeKey: (await givenStoreKey(app, storeIds.own, app.accountId)).key,
    ownerCookie: (await givenConsole(app, storeIds.own)).cookie,
    operatorCookie: (await givenConsole(app, null)).cookie,
  };
}

/** Submits a form of a tracking link's site, with the link's own query. */
function sendForm(app: App, link: string, path: string, fields: Record<string, string>) {
  const { search } = new URL(link);
  const { host, origin, pathname } = new URL(app.config.trackingUrl);
  return app.service.http.inject({
    method: 'POST',
    url: `${pathname.replace(/\/$/, '')}/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host, origin, 'sec-fetch-site': 'same-origin' },
    payload: `${search.slice(1)}&${new URLSearchParams(fields)}`,
  });
}
