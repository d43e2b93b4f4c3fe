import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { givenLiveShop, type LiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import { followLink } from '../../../test/given/short-link.ts';
import { smsParts } from '../../notify/messages/gsm-text.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';
import { type ChannelChanges, rotateStoreSecret } from './set-channels.flow.ts';
import { listNotices } from './store-notices.db.ts';

async function givenShopWith(t: TestContext, changes: ChannelChanges): Promise<LiveShop> {
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { operator: false, ...changes });
  return shop;
}

async function offersOf({ app }: LiveShop, orderId: string) {
  const notices = await listNotices(app.service.deps.db, orderId);
  return notices.filter(({ kind }) => kind === 'offered');
}

const orderOf = async ({ app }: LiveShop, orderId: string) =>
  (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail('no order');

test('a live key gets no quote of a store without a channel and cannot order there; a sandbox key can', async (t) => {
  const shop = await givenShopWith(t, {});
  const token = (await shop.app.get('/details/inventory', { store_id: shop.storeId, pickup: true })).body;
  assert.ok(token.categories.length > 0);
  const quote = async (client: typeof shop.client) =>
    (await client.get('/details/inventory', { store_id: shop.storeId, pickup: true, include_quote: true })).body.quote;
  assert.equal((await quote(shop.client)).error, 'This store is not available.');
  assert.equal((await quote(shop.app)).error, undefined);
  await assert.rejects(shop.place(), /STORE_NOT_AVAILABLE/);
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com' });
  assert.equal((await quote(shop.client)).error, undefined);
  await shop.place();
});

test('every channel of a store gets each order once, and each outcome is recorded', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const webhook = `${receiver.url}/pos`;
  const shop = await givenShopWith(t, { email: 'kitchen@example.com', sms: '+12125550123', webhook, operator: true });
  const { channels } = await givenChannel(shop.app, shop.storeId, {});
  const secret = channels.find(({ channel }) => channel === 'webhook')?.signingSecret ?? '';
  const orderId = await shop.place();
  assert.equal((await orderOf(shop, orderId)).receivedAt, null, 'no channel has it yet');
  await shop.app.advance({ seconds: 1 });
  const states = (await offersOf(shop, orderId)).map(({ channel, state }) => `${channel} ${state}`);
  assert.deepEqual(states, ['email sent', 'operator waiting', 'sms sent', 'webhook acknowledged']);
  assert.notEqual((await orderOf(shop, orderId)).receivedAt, null);
  const mail =
    shop.smtp.received.find(({ envelope }) => envelope.to.includes('kitchen@example.com')) ?? assert.fail('no mail');
  const link = /\/console\/order\/([\w-]{22})\b/.exec(mail.mail.text ?? '')?.[1] ?? assert.fail(mail.raw);
  const text = shop.texts.find(({ to }) => to === '+12125550123') ?? assert.fail('no SMS');
  assert.match(text.body, /New \w+ order \w+, 4 items\. Due by .*\. Confirm it: \S+\/t\/[\w-]{16}$/);
  const texted = await followLink(shop.app, text.body);
  assert.match(texted, /^\/console\/order\/[\w-]{22}$/);
  assert.ok(!texted.includes(link), 'each channel has a link of its own');
  const [call] = receiver.calls.filter(({ path }) => path === '/pos');
  const sentAt = new Date(Number(call?.headers['webhook-timestamp']) * 1000);
  assert.equal(call?.headers['webhook-signature'], new Webhook(secret).sign(call?.id ?? '', sentAt, call?.body ?? ''));
  assert.equal(JSON.parse(call?.body ?? '').type, 'order.offered');
});

test('mail and SMS to a store use its language, and the SMS the GSM alphabet', async (t) => {
  const shop = await givenShopWith(t, { email: 'kitchen@example.com', sms: '+12125550123' });
  for (const [language, subject, sms] of [
    [
      'fr',
      /^Nouvelle commande \w+ · Livraison · /,
      /Nouvelle commande \w+ \(livraison\), 4 articles\. .* Confirmez-la : \S+$/,
    ],
    ['es', /^Pedido nuevo \w+ · A domicilio · /, /Pedido nuevo \w+ a domicilio, 4 artículos\. .* Confírmalo: \S+$/],
  ] as const) {
    await updateStorePreferences(shop.app.service.deps.db, shop.storeId, { language });
    await shop.place({ email_receipt_specifications: { disable_email: true } });
    await shop.app.advance({ seconds: 1 });
    const { mail } =
      shop.smtp.received.findLast(({ envelope }) => envelope.to.includes('kitchen@example.com')) ?? assert.fail();
    assert.match(String(mail.subject), subject);
    assert.match(String(mail.html), new RegExp(`lang="${language}"`));
    const { body } = shop.texts.findLast(({ to }) => to === '+12125550123') ?? assert.fail();
    const plain = String(sms.source).replaceAll('í', 'i');
    assert.match(body, new RegExp(plain));
    assert.equal(smsParts(body), 1, body);
  }
});

test('an offer’s link is stored as its hash, and stays the same in a repeated mail', async (t) => {
  const shop = await givenShopWith(t, { email: 'kitchen@example.com' });
  const { db } = shop.app.service.deps;
  const hung = Promise.withResolvers<void>();
  // The mail is delivered, but its acknowledgment is lost.
  const { mailer } = shop.app.service.deps.messaging;
  shop.app.service.deps.messaging.mailer = mailer && {
    ...mailer,
    async sendMail(mail) {
      await mailer.sendMail(mail);
      if (shop.smtp.received.length > 1) return;
      hung.resolve();
      throw new OutsideError('mail', 'no answer', { retryable: true });
    },
  };
  const orderId = await shop.place({ email_receipt_specifications: { disable_email: true } });
  await shop.app.advance({ seconds: 1 });
  await hung.promise;
  await shop.app.advance({ seconds: 10 });
  const links = shop.smtp.received.map(({ mail }) => /\/console\/order\/([\w-]+)/.exec(mail.text ?? '')?.[1] ?? '');
  assert.equal(links.length, 2);
  assert.equal(new Set(links).size, 1);
  const link = links[0] ?? '';
  const stored = await db.selectFrom('storeNotices').selectAll().where('orderId', '=', orderId).execute();
  assert.ok(!JSON.stringify(stored).includes(link));
  const hashes = stored.flatMap(({ linkHash }) => linkHash?.toString('hex') ?? []);
  assert.deepEqual(hashes, [createHash('sha256').update(link).digest('hex')]);
  const ordersBy = async (secret: string) =>
    (await shop.app.get('/store/orders', {}, { 'id-token': `ds_link_${secret}` })).status;
  assert.deepEqual([await ordersBy(link), await ordersBy(hashes[0] ?? '')], [200, 401]);
  assert.equal((await shop.app.get(`/console/order/${hashes[0]}`)).status, 404);
});

test("the calls to a store's webhook carry the old signature too until its overlap ends", async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenShopWith(t, { webhook: `${receiver.url}/pos` });
  const secretOf = async () => (await givenChannel(shop.app, shop.storeId, {})).channels[0]?.signingSecret ?? '';
  const { db } = shop.app.service.deps;
  const rotate = (storeId: string, overlapHours: number) =>
    db.transaction().execute((tx) => rotateStoreSecret(tx, storeId, overlapHours, shop.app.now()));
  const signaturesBy = async (...secrets: string[]) => {
    await shop.place();
    await shop.app.advance({ seconds: 1 });
    const call = receiver.calls.at(-1) ?? assert.fail('no call');
    const sentAt = new Date(Number(call.headers['webhook-timestamp']) * 1000);
    assert.equal(
      call.headers['webhook-signature'],
      secrets.map((secret) => new Webhook(secret).sign(call.id, sentAt, call.body)).join(' '),
    );
  };
  const old = await secretOf();
  assert.equal((await rotate(shop.storeId, 1))?.state, 'rotated');
  const fresh = await secretOf();
  assert.notEqual(fresh, old);
  await signaturesBy(fresh, old);
  assert.equal((await rotate(shop.storeId, 1))?.state, 'still overlapping');
  await shop.app.advance({ hours: 1 });
  await signaturesBy(fresh);
  assert.equal((await rotate(shop.storeId, 0))?.state, 'rotated');
  await signaturesBy(await secretOf());
  assert.equal(await rotate('f'.repeat(24), 0), undefined);
});

type Step = { path: string; body?: object; type: string };
const item = (quantity: number): Step => ({ path: 'items/0', body: { quantity }, type: 'order.item_changed' });
const ANA = { name: 'Ana', phone: 13125550123, vehicle_type: 'car' };
const STEPS: readonly Step[] = [
  { path: 'confirm', body: { preparation_minutes: 20 }, type: 'order.confirmed' },
  item(3),
  item(2),
  { path: 'ready', type: 'order.ready' },
  { path: 'assign_driver', body: ANA, type: 'order.driver_assigned' },
  { path: 'assign_driver', body: { ...ANA, name: 'Ben' }, type: 'order.driver_assigned' },
  { path: 'pick_up', type: 'order.picked_up' },
  { path: 'complete', type: 'order.completed' },
];

test('every order change reaches the point of sale, except its own key’s with X-Source: pos', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenShopWith(t, { webhook: `${receiver.url}/pos` });
  const [key, console] = [await givenStoreKey(shop.app, shop.storeId), await givenConsole(shop.app, shop.storeId)];
  const callsOf = (orderId: string) =>
    receiver.calls
      .map(({ id, body }) => ({ id, ...JSON.parse(body) }))
      .filter(({ data }) => data.order.order_id === orderId);
  const byPos = { 'x-source': 'pos' };
  for (const [who, by, headers] of [
    ['a console', console, {}],
    ['a key that does not say so', key, {}],
    ['a console that says so', console, byPos],
    ['the point of sale', key, byPos],
  ] as const) {
    await t.test(who, async () => {
      const orderId = await shop.place();
      await shop.app.advance({ seconds: 1 });
      for (const { path, body = {} } of STEPS) {
        const reply = await by.post(`/store/orders/${orderId}/${path}`, body, headers);
        assert.equal(reply.status, 200, reply.text);
        await shop.app.advance({ seconds: 1 });
      }
      const calls = callsOf(orderId);
      const isOwn = who === 'the point of sale';
      const types = calls.map(({ type }) => type);
      assert.deepEqual(types, ['order.offered', ...(isOwn ? [] : STEPS.map(({ type }) => type))]);
      assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
      assert.ok(isOwn || calls.at(-1)?.data.order.status === 'completed');
    });
  }
  await t.test('its own cancelation is not called', async () => {
    const own = await shop.place();
    await shop.app.advance({ seconds: 1 });
    assert.equal((await key.post(`/store/orders/${own}/cancel`, { reason: 'closed' }, byPos)).status, 200);
    await shop.app.advance({ seconds: 2 });
    assert.deepEqual(
      callsOf(own).map(({ type }) => type),
      ['order.offered'],
    );
  });
});

test('a channel that fails is retried until it works, and its failure is shown meanwhile', async (t) => {
  const shop = await givenShopWith(t, { sms: '+12125550123' });
  const { messaging } = shop.app.service.deps;
  const working = messaging.smsSender;
  messaging.smsSender = { sendText: () => Promise.reject(new OutsideError('SMS', 'no answer', { retryable: true })) };
  const orderId = await shop.place({ disable_sms: true });
  await shop.app.advance({ seconds: 5 });
  await shop.app.advance({ seconds: 5 });
  const [offer] = await offersOf(shop, orderId);
  assert.deepEqual([offer?.state, offer?.lastError], ['waiting', 'no answer']);
  assert.ok((offer?.attempts ?? 0) >= 2);
  const failing = await givenChannel(shop.app, shop.storeId, {});
  assert.equal(failing.channels[0]?.lastError, 'no answer');
  messaging.smsSender = working;
  await shop.app.advance({ minutes: 2 });
  assert.equal((await offersOf(shop, orderId))[0]?.state, 'sent');
  assert.equal((await givenChannel(shop.app, shop.storeId, {})).channels[0]?.failingSince, null);
});

test('a channel with a new target delivers its waiting notices at once, despite earlier failures', async (t) => {
  const shop = await givenShopWith(t, { sms: '+12125550123' });
  const notified: string[] = [];
  shop.app.service.deps.messaging.smsSender = {
    sendText: async ({ to }) => {
      if (to === '+12125550123') throw new OutsideError('SMS', 'no answer', { retryable: true });
      notified.push(to);
    },
  };
  const orderId = await shop.place({ disable_sms: true });
  for (const _ of [1, 2, 3, 4]) await shop.app.advance({ seconds: 10 });
  assert.equal((await offersOf(shop, orderId))[0]?.state, 'waiting');
  await givenChannel(shop.app, shop.storeId, { sms: '+12125550199' });
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual([notified, (await offersOf(shop, orderId))[0]?.state], [['+12125550199'], 'sent']);
});

test('a cancelation notifies the channels that have the order; an undelivered offer is withdrawn', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const shop = await givenShopWith(t, { webhook: `${receiver.url}/pos` });
  const notified = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await step(shop, notified, 'cancel');
  const types = () => receiver.calls.map(({ body }) => JSON.parse(body).type);
  assert.deepEqual(types(), ['order.offered', 'order.canceled']);
  const { publicHttp } = shop.app.service.deps;
  const { post } = publicHttp;
  publicHttp.post = () => Promise.resolve({ failure: 'no answer' });
  const unnotified = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await step(shop, unnotified, 'cancel');
  publicHttp.post = post;
  await shop.app.advance({ minutes: 2 });
  assert.equal(types().length, 2);
  const states = (await listNotices(shop.app.service.deps.db, unnotified)).map(({ state }) => state);
  assert.ok(states.length > 0 && states.every((state) => state === 'withdrawn'), states.join());
});

test('changed notes reach mail, SMS and the point of sale of a store once each, and a console shows them', async (t) => {
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const channels = { email: 'kitchen@example.com', sms: '+12125550123', webhook: `${receiver.url}/pos`, console: true };
  const shop = await givenShopWith(t, channels);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const mails = shop.smtp.received.length;
  for (const _ of ['first', 'again']) {
    const changes = { user_dropoff_notes: 'Side door', user_name: 'Jo Doe' };
    const { status, text } = await shop.client.post('/order/update', { order_id: orderId, ...changes });
    assert.equal(status, 200, text);
    await shop.app.advance({ seconds: 1 });
  }
  const [mail, ...more] = shop.smtp.received.slice(mails);
  assert.match(mail?.mail.subject ?? '', /^Order \w+ has changed · Delivery/);
  assert.match(mail?.mail.text ?? '', /Side door/);
  assert.deepEqual(more, []);
  const sms = shop.texts.filter(({ to, body }) => to === '+12125550123' && /changed order/.test(body));
  assert.equal(sms.length, 1);
  const calls = receiver.calls.filter(({ path }) => path === '/pos').map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    calls.map(({ type, data }) => [type, data.order.user_dropoff_notes]),
    [
      ['order.offered', ''],
      ['order.updated', 'Side door'],
    ],
  );
  const console = await givenConsole(shop.app, shop.storeId);
  assert.equal((await console.get('/store/orders')).body.orders[0].user_dropoff_notes, 'Side door');
});

test('with auto-confirm the first channel that has the order confirms it, with those minutes', async (t) => {
  const shop = await givenShopWith(t, { email: 'kitchen@example.com', autoConfirmMinutes: 25 });
  const orderId = await shop.place({ pickup: true });
  assert.equal((await orderOf(shop, orderId)).status, 'awaiting_confirmation');
  await shop.app.advance({ seconds: 1 });
  const order = await orderOf(shop, orderId);
  assert.equal(order.status, 'in_progress');
  const minutes = order.receivedAt?.until(order.readyBy ?? order.createdAt).total('minutes') ?? 0;
  assert.ok(minutes >= 25 && minutes < 26, String(minutes));
});

test('a console has an order when it was sent there, and acknowledges it when somebody answers', async (t) => {
  const shop = await givenShopWith(t, { console: true });
  const console = await givenConsole(shop.app, shop.storeId);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  assert.equal((await offersOf(shop, orderId))[0]?.state, 'waiting');
  assert.equal((await orderOf(shop, orderId)).receivedAt, null);
  assert.equal((await console.get('/store/orders')).body.orders[0].order_id, orderId);
  assert.equal((await offersOf(shop, orderId))[0]?.state, 'sent');
  assert.notEqual((await orderOf(shop, orderId)).receivedAt, null);
  assert.equal((await console.post(`/store/orders/${orderId}/acknowledge`, {})).status, 200);
  assert.equal((await offersOf(shop, orderId))[0]?.state, 'acknowledged');
});
