import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pizzeria } from '../../test/feed-lines.ts';
import { orderBody, productTokens } from '../../test/given-orders.ts';
import { givenSmtp, type SmtpReceiver } from '../../test/given-smtp.ts';
import { givenStores } from '../../test/given-stores.ts';
import { type App, type Client, givenApp } from '../../test/harness.ts';
import { saveBranding } from '../accounts/brandings.db.ts';
import { createSmtpMailer } from '../adapters/mail/smtp.ts';
import { OutsideError } from '../lib/errors.ts';
import type { AdvanceEvent } from '../orders/order-events.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import type { Message } from './message.ts';
import { listMessages, takeDueMessages } from './messages.db.ts';
import type { Texter } from './texter.ts';

const TIMEOUT_MS = 150;

type Shop = {
  app: App;
  client: Client;
  smtp: SmtpReceiver;
  texts: { to: string; body: string }[];
  /** Places a live order, which nobody charges. */
  place(changes?: object): Promise<string>;
};

/** A live account with a mail server of its own and somebody who takes its SMS; `texter` says otherwise. */
async function given(t: TestContext, texter?: Texter): Promise<Shop> {
  const smtp = await givenSmtp();
  // A store that takes its time: no cancelation comes in between.
  const app = await givenApp({ env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' } });
  const texts: Shop['texts'] = [];
  const { messaging } = app.service.deps;
  messaging.mailer = createSmtpMailer({ url: smtp.url, timeoutMs: TIMEOUT_MS });
  messaging.texter = texter ?? { sendText: async (text) => void texts.push(text) };
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const client = await app.givenClient('live');
  const token = (await productTokens(client, storeId)).Soda;
  t.after(async () => {
    await app.close();
    await smtp.close();
  });
  const place = async (changes: object = {}) => {
    const items = [{ product_id: token, quantity: 4 }];
    const reply = await client.post(
      '/order/order/v2',
      orderBody(token, null, { items, charge_user: false, ...changes }),
    );
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id as string;
  };
  return { app, client, smtp, texts, place };
}

async function step({ app }: Shop, orderId: string, ...events: AdvanceEvent[]): Promise<void> {
  for (const event of events) await takeStep(app.service.deps, orderId, { event });
  await app.advance({ seconds: 1 });
}

const rowsOf = ({ app }: Shop, orderId: string) => listMessages(app.service.deps.db, orderId);
const mailOf = async (shop: Shop, orderId: string): Promise<Message> => {
  const row = (await rowsOf(shop, orderId)).find(({ kind }) => kind === 'order_confirmation');
  return row ?? assert.fail('no receipt');
};

test('the messages of a live order leave once each, with the brand of its account', async (t) => {
  const shop = await given(t);
  const { app, client, smtp, texts, place } = shop;
  const changes = {
    displayName: 'Grocer “&” Söhne',
    fromAddress: 'orders@grocer.example',
    bccAddress: 'bcc@grocer.example',
  };
  const logoUrl = 'https://grocer.example/logo.png';
  await saveBranding(app.service.deps.db, client.accountId, { ...changes, logoUrl }, app.now());
  const orderId = await place({ user_phone: 2125550199 });
  await step(shop, orderId, 'confirm', 'assign_driver', 'pick_up', 'approach');
  await app.advance({ hours: 1 });
  assert.deepEqual(
    texts.map(({ to }) => to),
    ['+12125550199', '+12125550199', '+12125550199'],
  );
  for (const { body } of texts) assert.match(body, /^Grocer "&" Söhne: /);
  const [{ mail, envelope } = assert.fail(), ...others] = smtp.received;
  assert.equal(others.length, 0);
  assert.deepEqual(envelope, { from: 'orders@grocer.example', to: ['u1@example.com', 'bcc@grocer.example'] });
  assert.deepEqual([mail.from?.name, mail.from?.address], [changes.displayName, changes.fromAddress]);
  assert.deepEqual([mail.subject, mail.attachments], ['Your order from Test Pizzeria', []]);
  assert.ok(mail.html?.includes(`<img src="${logoUrl}" alt="Grocer “&amp;” Söhne"`));
  const row = await mailOf(shop, orderId);
  assert.equal(mail.messageId, `<${row.messageId}@grocer.example>`);
  assert.deepEqual([row.state, row.attempts, row.nextAttemptAt, row.lastError], ['sent', 1, null, null]);
  assert.deepEqual(mail.text?.replaceAll('\r\n', '\n').trim(), row.text.trim());
});

test('the cancelation e-mail goes to the customer alone', async (t) => {
  const shop = await given(t);
  const { app, client, smtp, place } = shop;
  await saveBranding(app.service.deps.db, client.accountId, { bccAddress: 'bcc@grocer.example' }, app.now());
  await step(shop, await place(), 'cancel');
  assert.deepEqual(smtp.received.map(({ envelope, mail }) => [envelope.to.length, mail.subject]).sort(), [
    [1, 'Your order from Test Pizzeria has been canceled'],
    [2, 'Your order from Test Pizzeria'],
  ]);
});

test('a mail server that is down delays a mail and neither loses nor doubles it, and no SMS waits for it', async (t) => {
  const shop = await given(t);
  const { app, smtp, texts, place } = shop;
  await smtp.close();
  const orderId = await place();
  await app.advance({ seconds: 1 });
  assert.equal(texts.length, 1);
  const failed = await mailOf(shop, orderId);
  assert.deepEqual([failed.state, failed.attempts], ['pending', 1]);
  assert.match(failed.lastError ?? '', /^the SMTP server: E/);
  await app.advance({ minutes: 30 });
  const again = await givenSmtp({ port: smtp.port });
  t.after(() => again.close());
  await app.advance({ minutes: 20 });
  await app.advance({ hours: 2 });
  assert.equal(again.received.length, 1);
  assert.equal((await mailOf(shop, orderId)).state, 'sent');
});

const TROUBLES = [
  { at: 'rcpt', code: 451 },
  { at: 'mail', code: 421 },
  { at: 'data', code: 452 },
  { at: 'data', hang: true },
] as const;
for (const trouble of TROUBLES) {
  const what = 'hang' in trouble ? 'silence' : trouble.code;
  test(`${what} at ${trouble.at}, three times, delays a mail, which then arrives once`, async (t) => {
    const shop = await given(t);
    shop.smtp.trouble(trouble, 3);
    const orderId = await shop.place();
    for (let minute = 0; minute < 5; minute += 1) await shop.app.advance({ minutes: 1 });
    await shop.app.advance({ hours: 20 });
    assert.equal(shop.smtp.received.length, 1);
    const { state, attempts } = await mailOf(shop, orderId);
    assert.deepEqual([state, attempts], ['sent', 4]);
  });
}

test('a recipient whom the server refuses for good is given up at once, and the rest goes on', async (t) => {
  const shop = await given(t);
  shop.smtp.trouble({ at: 'rcpt', code: 550 });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await shop.app.advance({ hours: 3 });
  const { state, attempts, lastError } = await mailOf(shop, orderId);
  assert.deepEqual([state, attempts, lastError], ['dead', 1, 'the SMTP server: 550 to RCPT TO']);
  await step(shop, orderId, 'cancel');
  assert.equal(shop.smtp.received.length, 1);
});

test('what cannot be sent is tried for a day, ever more rarely, and then given up', async (t) => {
  let calls = 0;
  const sendText = async () => {
    calls += 1;
    throw new OutsideError('SMS', 'is down', { retryable: true });
  };
  const shop = await given(t, { sendText });
  const orderId = await shop.place({ email_receipt_specifications: { disable_email: true } });
  for (let hour = 0; hour < 23; hour += 1) await shop.app.advance({ hours: 1 });
  const [waiting] = await rowsOf(shop, orderId);
  assert.equal(waiting?.state, 'pending');
  for (let hour = 0; hour < 4; hour += 1) await shop.app.advance({ hours: 1 });
  const [dead] = await rowsOf(shop, orderId);
  assert.deepEqual([dead?.state, dead?.nextAttemptAt, dead?.lastError], ['dead', null, 'is down']);
  assert.ok(calls >= 20 && calls <= 120, String(calls));
});

test('without a mail server or an SMS provider messages wait for a day and say why', async (t) => {
  const shop = await given(t);
  const { messaging } = shop.app.service.deps;
  const { mailer, texter } = messaging;
  Object.assign(messaging, { mailer: undefined, texter: undefined });
  const first = await shop.place();
  await shop.app.advance({ hours: 2 });
  assert.deepEqual(
    (await rowsOf(shop, first)).map(({ state, lastError }) => [state, lastError]),
    [
      ['pending', 'not configured'],
      ['pending', 'not configured'],
    ],
  );
  Object.assign(messaging, { mailer, texter });
  await shop.app.advance({ minutes: 20 });
  assert.deepEqual([shop.smtp.received.length, shop.texts.length], [1, 1]);
  Object.assign(messaging, { mailer: undefined, texter: undefined });
  const second = await shop.place();
  for (let hour = 0; hour < 26; hour += 1) await shop.app.advance({ hours: 1 });
  assert.deepEqual(
    (await rowsOf(shop, second)).map(({ kind, state }) => [kind, state]),
    [
      ['order_placed', 'dead'],
      ['order_confirmation', 'dead'],
      ['order_canceled', 'pending'],
    ],
  );
});

test("a dead worker's message is sent by another within 30 seconds, not while it might live", async (t) => {
  const shop = await given(t);
  const { app, smtp, place } = shop;
  const { deps } = app.service;
  const loops = deps.loops;
  deps.loops = [];
  const orderId = await place();
  await app.advance({ seconds: 1 });
  const now = app.now();
  const leaseUntil = now.add({ seconds: 25 });
  const taken = await takeDueMessages(deps.db, { channel: 'email', now, leaseUntil, limit: 5 });
  assert.equal(taken.length, 1);
  deps.loops = loops;
  await app.advance({ seconds: 20 });
  assert.equal(smtp.received.length, 0);
  await app.advance({ seconds: 6 });
  assert.equal(smtp.received.length, 1);
  assert.equal((await mailOf(shop, orderId)).attempts, 2);
});

test('a worker that dies between sending and recording sends once more, under the same Message-ID', async (t) => {
  const shop = await given(t);
  const { app, smtp, place } = shop;
  const { deps } = app.service;
  const { mailer } = deps.messaging;
  assert.ok(mailer);
  const dying = {
    close: mailer.close,
    sendMail: async (mail: Parameters<typeof mailer.sendMail>[0]) => {
      await mailer.sendMail(mail);
      deps.messaging.mailer = mailer;
      // Nobody records it: the update finds another attempt's number, as if this process were gone.
      await deps.db.updateTable('messages').set({ attempts: 7 }).where('message_id', '=', mail.messageId).execute();
      throw new OutsideError('mail', 'died', { retryable: true });
    },
  };
  deps.messaging.mailer = dying;
  const orderId = await place();
  await app.advance({ seconds: 1 });
  await app.advance({ seconds: 30 });
  await app.advance({ hours: 1 });
  assert.deepEqual([smtp.received.length, new Set(smtp.received.map(({ mail }) => mail.messageId)).size], [2, 1]);
  assert.equal((await mailOf(shop, orderId)).state, 'sent');
});

test('several workers send a crowd of messages, each once', async (t) => {
  const shop = await given(t);
  const { app, smtp, texts, place } = shop;
  const other = await app.givenNode('worker');
  Object.assign(other.deps.messaging, app.service.deps.messaging);
  const { loops } = app.service.deps;
  app.service.deps.loops = [];
  for (let n = 0; n < 40; n += 1) await place();
  await app.advance({ seconds: 1 });
  const both = [...loops, ...other.deps.loops].filter(({ name }) => name.startsWith('sending'));
  await Promise.all(both.map((loop) => loop.runOnce()));
  await Promise.all(both.map((loop) => loop.idle()));
  assert.deepEqual([smtp.received.length, texts.length], [40, 40]);
  assert.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 40);
});

test('an event that is dispatched twice brings its messages once', async (t) => {
  const shop = await given(t);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const { db } = shop.app.service.deps;
  await db.updateTable('order_events').set({ dispatched: false }).where('order_id', '=', orderId).execute();
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual([shop.smtp.received.length, shop.texts.length], [1, 1]);
});
