import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { followLink } from '../../../test/given/short-link.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, givenApp } from '../../../test/harness.ts';
import type { ExtraChannels } from '../../access/accounts/branding.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { setOptOut } from '../../notify/messages/sms-opt-outs.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

type Shown = { kind: string; channel: string; to: string; text: string; html: string | null; [name: string]: unknown };

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const tokens = await productTokens(app, storeId);
const pickupTokens = await productTokens(app, storeId, true);
const card = await givenPaymentMethod(app);
after(() => app.close());

async function placed(changes: object = {}): Promise<string> {
  const isPickup = 'pickup' in changes && changes.pickup === true;
  const token = (isPickup ? pickupTokens : tokens).Soda;
  const body = orderBody(token, card, { items: [{ product_id: token, quantity: 4 }], ...changes });
  const reply = await app.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

async function advance(orderId: string, ...events: string[]): Promise<void> {
  for (const event of events) {
    const reply = await app.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(reply.status, 200, reply.text);
  }
}

async function readMessages(orderId: string, client: Client = app): Promise<Shown[]> {
  const reply = await client.get('/sandbox/messages', { order_id: orderId });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.messages;
}

const messageKinds = async (orderId: string) =>
  (await readMessages(orderId)).map(({ channel, kind }) => `${channel} ${kind}`);
const AT_ONCE = ['sms order_placed', 'email order_confirmation'];
const DELIVERED = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];

test('a delivery brings SMS 1, the receipt, SMS 2 and SMS 4, each once and in that order', async () => {
  const orderId = await placed();
  assert.deepEqual(await messageKinds(orderId), AT_ONCE);
  const seen: number[] = [];
  for (const event of DELIVERED) {
    await advance(orderId, event);
    seen.push((await readMessages(orderId)).length);
  }
  assert.deepEqual(seen, [3, 3, 3, 3, 4, 4]);
  assert.deepEqual(await messageKinds(orderId), [...AT_ONCE, 'sms store_confirmed', 'sms driver_nearby']);
});

test('a pickup brings SMS 1, the receipt, SMS 2 and SMS 3, each once and in that order', async () => {
  const orderId = await placed({ pickup: true });
  await advance(orderId, 'confirm', 'ready', 'complete');
  assert.deepEqual(await messageKinds(orderId), [...AT_ONCE, 'sms store_confirmed', 'sms ready_for_pickup']);
});

test('an order that is only priced brings no message until it is placed', async () => {
  const orderId = await placed({ place_order: false });
  assert.deepEqual(await readMessages(orderId), []);
  assert.equal((await app.post('/order/finalize', { order_id: orderId })).status, 200);
  assert.deepEqual(await messageKinds(orderId), AT_ONCE);
});

test('disable_sms stops every SMS and no email', async () => {
  const orderId = await placed({ disable_sms: true });
  await advance(orderId, 'confirm', 'assign_driver', 'pick_up', 'approach');
  assert.deepEqual(await messageKinds(orderId), ['email order_confirmation']);
  const pickup = await placed({ pickup: true, disable_sms: true });
  await advance(pickup, 'confirm', 'ready', 'cancel');
  assert.deepEqual(await messageKinds(pickup), ['email order_confirmation', 'email order_canceled']);
});

test('disable_email stops the receipt and the cancelation email, and no SMS', async () => {
  const orderId = await placed({ email_receipt_specifications: { disable_email: true } });
  await advance(orderId, 'confirm', 'cancel');
  assert.deepEqual(await messageKinds(orderId), ['sms order_placed', 'sms store_confirmed']);
});

for (const [whose, changes] of [
  ['charged', {}],
  ['uncharged', { charge_user: false, payment_method_id: undefined }],
] as const) {
  test(`canceling a ${whose} order sends one email with the refund`, async () => {
    const orderId = await placed(changes);
    await advance(orderId, 'cancel');
    await app.advance({ seconds: 1 });
    assert.deepEqual(await messageKinds(orderId), [...AT_ONCE, 'email order_canceled']);
    const mail = (await readMessages(orderId)).at(-1);
    const total = (await app.get('/account/orders', { order_id: orderId })).body.orders[0].total_with_tip;
    const refund = whose === 'charged' ? `$${(total / 100).toFixed(2)}` : '$0.00';
    assert.match(mail?.text ?? '', new RegExp(`Refund\n {2}\\${refund}\n`));
    assert.match(
      mail?.text ?? '',
      whose === 'charged' ? /We’re refunding the full \$\S+ to your Visa ending in 4242\./ : /We didn’t charge a card/,
    );
    assert.match(mail?.html ?? '', /The store canceled it\./);
  });
}

test('a store that does not confirm in time brings the cancelation email with that reason', async () => {
  const orderId = await placed();
  await app.advance({ minutes: 16 });
  const mails = (await readMessages(orderId)).filter(({ kind }) => kind === 'order_canceled');
  assert.equal(mails.length, 1);
  assert.match(mails[0]?.text ?? '', /didn’t confirm it in time/);
});

test('a message shows every member of its element', async () => {
  const orderId = await placed();
  const [sms, mail] = await readMessages(orderId);
  const timestamp = Math.floor(app.now().epochMilliseconds / 1000);
  const [element] = (await app.get('/account/orders', { order_id: orderId })).body.orders;
  const { tracking_link: link, order_number: number } = element;
  assert.match(number, /^A\d+$/);
  assert.deepEqual(
    { ...sms, id: '', text: '' },
    {
      id: '',
      order_id: orderId,
      channel: 'sms',
      kind: 'order_placed',
      to: '+12125550199',
      bcc: null,
      from: 'Doorstep',
      subject: null,
      text: '',
      html: null,
      timestamp,
    },
  );
  const { origin } = new URL(link);
  const words = `Doorstep: We got your order ${number} from Test Pizzeria. Track it: ${origin}/t/`;
  const text = String(sms?.text);
  assert.ok(text.startsWith(words), text);
  assert.ok(link.endsWith(await followLink(app, text)), text);
  assert.deepEqual(
    { ...mail, id: '', text: '', html: '' },
    {
      id: '',
      order_id: orderId,
      channel: 'email',
      kind: 'order_confirmation',
      to: 'u1@example.com',
      bcc: null,
      ...{
        from: 'Doorstep <doorstep@localhost>',
        subject: 'Your order from Test Pizzeria',
        text: '',
        html: '',
        timestamp,
      },
    },
  );
  assert.ok(mail?.text.includes(link) && mail.html?.includes(`href="${link.replaceAll('&', '&amp;')}"`));
  assert.ok(mail?.text.includes(`Order\n  ${number}\n  ${orderId}`));
  assert.match(mail?.text ?? '', /4 x Soda \.+ \$10\.00\n {4}\$2\.50 each/);
  assert.match(mail?.text ?? '', /Paid\n {2}\$[\d.]+ with Visa ending in 4242/);
});

test('another account’s order and an unknown one have no messages', async () => {
  const orderId = await placed();
  await readMessages(orderId);
  assert.deepEqual(await readMessages(orderId, await app.givenClient()), []);
  assert.deepEqual(await readMessages('ord_unknown'), []);
});

test('a sandbox message never leaves, whatever is configured', async () => {
  const { messaging } = app.service.deps;
  const left: unknown[] = [];
  messaging.mailer = { sendMail: async (mail) => void left.push(mail), close: () => {} };
  messaging.smsSender = { sendText: async (text) => void left.push(text) };
  const orderId = await placed();
  await app.advance({ minutes: 1 });
  assert.equal((await readMessages(orderId)).length, 2);
  assert.deepEqual(left, []);
});

test('an account adds that an order is on its way and delivered; orders without a driver have neither', async () => {
  const { db } = app.service.deps;
  const [delivery, pickup] = [await placed(), await placed({ pickup: true })];
  await advance(delivery, ...DELIVERED);
  await advance(pickup, 'confirm', 'complete');
  const added = async (onItsWay: ExtraChannels, delivered: ExtraChannels) => {
    await saveBranding(db, app.accountId, { onItsWay, delivered }, app.now());
    return (await messageKinds(delivery)).filter((kind) => / (on_its_way|delivered)$/.test(kind));
  };
  assert.deepEqual(await added('off', 'off'), []);
  assert.deepEqual(await added('sms', 'email'), ['sms on_its_way', 'email delivered']);
  assert.deepEqual(await added('both', 'both'), [
    ...['sms on_its_way', 'email on_its_way', 'sms delivered', 'email delivered'],
  ]);
  const ids = (await readMessages(delivery)).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(await messageKinds(pickup), [...AT_ONCE, 'sms store_confirmed']);
  await added('off', 'off');
});

type Listed = { channel: string; kind: string; to: string; state: string; reason?: string; sent_at?: number };
const brief = ({ kind, to, state, reason }: Listed) => [kind, to, state, reason];

test('include=messages says what was sent and why the rest was not, with masked recipients', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, place } = shop;
  const { db, messaging } = app.service.deps;
  const { accountId } = client;
  const messagesOf = async (orderId: string): Promise<Listed[]> => {
    const { orders } = (await client.get('/account/orders', { order_id: orderId, include: 'messages' })).body;
    return orders[0].messages;
  };
  const placed = async (changes: object = {}) => {
    const orderId = await place(changes);
    await app.advance({ seconds: 1 });
    return messagesOf(orderId);
  };
  const [sms, mail, ...more] = await placed();
  const [phone, address] = [sms?.to ?? '', mail?.to ?? ''];
  assert.match(phone, /^…\d{4}$/);
  assert.match(address, /^\w…@[\w.]+$/);
  assert.deepEqual(sms && brief(sms), ['order_placed', phone, 'sent', undefined]);
  assert.deepEqual(mail && brief(mail), ['order_confirmation', address, 'sent', undefined]);
  assert.ok(more.length === 0 && typeof sms?.sent_at === 'number');

  const [far] = await placed({ user_phone: 18765551234 });
  assert.deepEqual(far && brief(far), ['order_placed', '…1234', 'not_sent', 'out_of_reach']);
  await setOptOut(db, '+12125550177', true, app.now());
  const [out] = await placed({ user_phone: 12125550177 });
  assert.deepEqual(out && brief(out), ['order_placed', '…0177', 'not_sent', 'opted_out']);
  const refusal = new OutsideError('SMS', 'refused', { retryable: false });
  messaging.smsSender = { sendText: () => Promise.reject(refusal) };
  const [refused] = await placed();
  assert.deepEqual(refused && brief(refused), ['order_placed', phone, 'not_sent', 'failed']);
  const again = new OutsideError('SMS', 'busy', { retryable: true });
  messaging.smsSender = { sendText: () => Promise.reject(again) };
  const [waiting] = await placed();
  assert.deepEqual(waiting && brief(waiting), ['order_placed', phone, 'pending', undefined]);
  await setAccountLimit(db, { accountId, kind: 'sms', max: 0 });
  const [over] = await placed();
  assert.deepEqual(over && brief(over), ['order_placed', phone, 'not_sent', 'over_budget']);

  const { orders } = (await client.get('/account/orders', { include: 'messages' })).body;
  assert.deepEqual(
    orders.map(({ messages }: { messages: unknown[] }) => messages.length),
    [2, 2, 2, 2, 2, 2],
  );
  assert.doesNotMatch(JSON.stringify(orders.map(({ messages }: { messages: unknown }) => messages)), /550177|busy/);
  const { orders: plain } = (await client.get('/account/orders')).body;
  assert.ok(plain.every((order: object) => !('messages' in order)));
  await step(shop, orders[0].order_id, 'confirm');
  assert.equal((await messagesOf(orders[0].order_id)).length, 3);
});

test('include=messages lists the messages a sandbox order would have sent', async () => {
  const orderId = await placed();
  const { orders } = (await app.get('/account/orders', { order_id: orderId, include: 'messages' })).body;
  const messages: Listed[] = orders[0].messages;
  assert.deepEqual(
    messages.map(({ kind, state, reason }) => [kind, state, reason]),
    [
      ['order_placed', 'not_sent', 'sandbox'],
      ['order_confirmation', 'not_sent', 'sandbox'],
    ],
  );
});
