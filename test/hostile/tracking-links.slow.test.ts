import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { openEventStream } from '../event-stream.ts';
import { NEAR_DOOR } from '../feed-lines.ts';
import { givenCollector } from '../given/collector.ts';
import { ANA, givenAssigned, givenJpeg } from '../given/driver.ts';
import { givenLiveShop } from '../given/live-shop.ts';
import { givenChannel, givenConsole, givenStoreKey } from '../given/merchant.ts';
import { givenReceiver } from '../given/receiver.ts';
import { followLink } from '../given/short-link.ts';
import { givenTracked, givenTrackedStore } from '../given/tracked.ts';
import { type App, givenOwnApp, type Reply } from '../harness.ts';

const NOBODY = { 'id-token': '' };
const HTML = { ...NOBODY, accept: 'text/html' };

/** The cancelation form as a browser submits it. */
async function submitCancel({ service, config }: App, query: string): Promise<number> {
  const { host, origin } = new URL(config.trackingUrl);
  const reply = await service.http.inject({
    method: 'POST',
    url: '/tracking/cancel',
    headers: { 'content-type': 'application/x-www-form-urlencoded', host, origin, 'sec-fetch-site': 'same-origin' },
    payload: query,
  });
  return reply.statusCode;
}

test('links have the key wherever the account and the customer read them, and nowhere else', async (t) => {
  const shop = await givenLinkedShop(t);
  const { app, client, orderId, key, keyed } = shop;
  for (const [where, text] of Object.entries(shop.readAsAccount())) {
    assert.ok(text.replaceAll('&amp;', '&').includes(keyed), `${where} has the link of the customer: ${text}`);
  }
  const seen = await shop.readAsOthers();
  for (const [where, text] of Object.entries(seen)) {
    assert.ok(!text.includes(key), `${where} holds the key`);
    assert.ok(!text.includes('&key=') && !text.includes('&amp;key='), `${where} holds a key`);
  }
  // The store's part of the attack: an order id it has seen opens the order but cancels nothing.
  assert.ok(seen['the orders of a store']?.includes(`/tracking?tracking_id=${orderId}"`));
  const query = `tracking_id=${orderId}`;
  assert.equal((await app.get(`/tracking?${query}`, {}, HTML)).status, 200);
  assert.equal((await app.get(`/tracking/cancel?${query}`, {}, HTML)).status, 409);
  assert.equal(await submitCancel(app, query), 409);
  assert.equal((await client.get('/account/orders', { order_id: orderId })).body.orders[0].status, 'in_progress');
  assert.equal(await submitCancel(app, `${query}&key=${key}`), 303);
});

/** A live order on every channel: a customer who may cancel, a store driver, and two webhooks. */
async function givenLinkedShop(t: TestContext) {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenLiveShop(t);
  const { app, client, storeId, smtp, texts } = shop;
  await saveBranding(app.service.deps.db, client.accountId, { customerCancel: true }, app.now());
  await givenChannel(app, storeId, {
    email: 'kitchen@example.com',
    sms: '+12125550123',
    webhook: `${receiver.url}/pos`,
  });
  assert.equal(
    (await client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/account` })).status,
    200,
  );
  const [store, tablet] = [await givenStoreKey(app, storeId), await givenConsole(app, storeId)];
  const address = await app.service.listen();
  const stream = await openEventStream(`${address}/store/orders/stream`, { 'id-token': store.key });
  t.after(() => stream.close());
  const orderId = await shop.place();
  await app.advance({ seconds: 1 });
  const streamed = await stream.next();
  const finalized = await client.post('/order/finalize', { order_id: orderId });
  const keyed: string = finalized.body.tracking_link;
  const key = new URL(keyed).searchParams.get('key') ?? assert.fail(keyed);
  const at = `/store/orders/${orderId}`;
  const steps = [
    await tablet.post(`${at}/confirm`, { preparation_minutes: 5 }),
    await store.post(`${at}/assign_driver`, { name: ANA.name, phone: ANA.phone, vehicle_type: 'car' }),
  ];
  for (const reply of steps) assert.equal(reply.status, 200, reply.text);
  await app.advance({ seconds: 1 });
  const mailTo = (to: string) => {
    const found = smtp.received.find(({ envelope }) => envelope.to.includes(to)) ?? assert.fail(to);
    return found.mail;
  };
  const textsTo = (isStore: boolean) =>
    texts.filter(({ to }) => (to === '+12125550123') === isStore).map(({ body }) => body);
  const callsOf = (path: string) => receiver.calls.filter((call) => call.path === path).map(({ body }) => body);
  const kitchenMail = mailTo('kitchen@example.com');
  const [, link = ''] = /\/console\/order\/([\w-]+)/.exec(kitchenMail.text ?? '') ?? [];
  const texted = new URL(keyed).origin + (await followLink(app, textsTo(false)[0]));
  const textOf = async (reply: Promise<Reply>) => (await reply).text;
  return {
    app,
    client,
    orderId,
    key,
    keyed,
    // `examples.slow.test.ts` watches the links of every other response.
    readAsAccount: () => ({
      'the answer of the order': finalized.text,
      'a webhook call': callsOf('/account').join('\n'),
      'the SMS to the customer': texted,
      'the mail to the customer': mailTo('u1@example.com').text ?? '',
      'the mail in HTML': mailTo('u1@example.com').html ?? '',
    }),
    readAsOthers: async () => ({
      'the orders of a store': await textOf(store.get('/store/orders')),
      'the stream of a store': streamed?.data ?? assert.fail(),
      'the calls of a point of sale': callsOf('/pos').join('\n') || assert.fail(),
      'the mail to a store': `${kitchenMail.text}${kitchenMail.html}`,
      'the SMS to a store': textsTo(true).join('\n') + (await followLink(app, textsTo(true)[0])),
      'the page of an offer': await textOf(app.get(`/console/order/${link}`, {}, HTML)),
      'the orders of an offer': await textOf(app.get('/store/orders', {}, { 'id-token': `ds_link_${link}` })),
    }),
  };
}

let app: App;
let storeId: string;
before(async () => {
  app = await givenOwnApp();
  storeId = await givenTrackedStore(app);
  await saveBranding(app.service.deps.db, app.accountId, { customerCancel: true }, app.now());
});
after(() => app.close());

test("nothing that a driver reads opens the customer's page, the receipt or the cancelation", async () => {
  const delivery = await givenAssigned(app, storeId);
  const read: Reply[] = [];
  const call = async (path: string, body?: unknown, headers = {}) =>
    void read.push(await delivery.call(path, body, headers));
  read.push(await app.get(delivery.path, {}, HTML), await delivery.state());
  await call('complete', {});
  await call('accept', { latitude: 'x' });
  for (const step of ['accept', 'pick_up']) await call(step, {});
  await call('position', { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude });
  await call('photo', Buffer.from('GIF89a'), { 'content-type': 'image/jpeg' });
  await call('photo', givenJpeg(), { 'content-type': 'image/jpeg' });
  read.push(await delivery.state());
  assert.deepEqual(
    read.map(({ status }) => status),
    [200, 200, 409, 400, 200, 200, 200, 400, 200, 200],
  );
  const [token = ''] = delivery.path.split('/').slice(-1);
  const known = [token, ...read.flatMap(({ text, headers }) => [text, JSON.stringify(headers)])].join('\n');
  // Includes the decoded contents of tokens.
  const words = new Set(known.match(/[\w-]{8,}/g));
  const decoded = [...words].flatMap((word) => [
    ...[Buffer.from(word, 'base64url'), Buffer.from(word, 'hex')].map((bytes) => bytes.toString('latin1')),
  ]);
  for (const text of [known, ...decoded]) {
    for (const secret of [delivery.orderId, delivery.orderId.slice(4), delivery.key]) assert.ok(!text.includes(secret));
  }
  const ids = [...words, ...decoded.flatMap((text) => text.match(/[\w-]{8,}/g) ?? [])];
  assert.ok(ids.length > 20);
  for (const id of ids) {
    const query = `tracking_id=${encodeURIComponent(id)}&key=${encodeURIComponent(token)}`;
    for (const page of ['', '/receipt', '/cancel', '/events']) {
      assert.equal((await app.get(`/tracking${page}?${query}`, {}, HTML)).status, 404, id);
    }
    assert.equal(await submitCancel(app, query), 404, id);
  }
  const { orders } = (await app.get('/account/orders', { order_id: delivery.orderId })).body;
  assert.deepEqual([orders[0].status, orders[0].refunded_amount], ['in_progress', 0]);
});

test('the key of a link reaches no log, no trace, no list of requests and no other site', async (t) => {
  const lines: string[] = [];
  const collector = await givenCollector();
  t.after(collector.close);
  const env = { LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const traced = await givenOwnApp({ env, onLogLine: (line) => lines.push(line) });
  t.after(traced.close);
  await saveBranding(traced.service.deps.db, traced.accountId, { customerCancel: true }, traced.now());
  const order = await givenTracked(traced, await givenTrackedStore(traced));
  const query = order.link.slice('/tracking?'.length);
  const paths = ['', '/receipt', '/cancel', '/favicon', '/nowhere'].map((page) => `/tracking${page}?${query}`);
  paths.push(`/tracking?${query}&version=%zz`, `/tracking?tracking_id=none&key=${order.key}`);
  for (const path of paths) {
    const { headers, text } = await traced.get(path, {}, HTML);
    // The form page's referrer policy is same-origin, so that a browser sends the form's origin.
    const policy = path.startsWith('/tracking/cancel') ? 'same-origin' : 'no-referrer';
    assert.equal(headers['referrer-policy'], policy, path);
    for (const [, address = ''] of text.matchAll(/(?:src|href|action)="(https?:[^"]*)"/g)) {
      assert.ok(!address.includes(order.key), address);
    }
  }
  const stream = await openEventStream(`${await traced.service.listen()}/tracking/events?${query}`);
  await stream.next();
  stream.close();
  assert.equal(await submitCancel(traced, query), 303);
  const { text: requests } = await traced.get('/account/requests');
  await traced.close();
  await collector.close();
  assert.ok(lines.length > 10);
  assert.ok(collector.spans().some(({ attributes }) => attributes['http.route'] === '/tracking/receipt'));
  for (const text of [...lines, ...collector.calls.map(({ body }) => body), requests]) {
    assert.ok(!text.includes(order.key), text);
  }
});
