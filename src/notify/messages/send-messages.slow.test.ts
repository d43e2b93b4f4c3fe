import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, mailOf, rowsOf, step } from '../../../test/given/live-shop.ts';
import { givenSmtp } from '../../../test/given/smtp.ts';
import { holdTimeOuts } from '../../../test/time-outs.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { withTexts } from './write-messages.flow.ts';

test('a live order’s messages leave once each, with its account’s brand', async (t) => {
  const shop = await givenLiveShop(t);
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
  const [read] = await withTexts(app.service.deps, [row]);
  assert.deepEqual(mail.text?.replaceAll('\r\n', '\n').trim(), read?.text.trim());
});

test('an account adds that an order is on its way and delivered, once each, by the channels that it names', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, smtp, texts, place } = shop;
  const { db } = app.service.deps;
  await saveBranding(db, client.accountId, { onItsWay: 'both', delivered: 'email' }, app.now());
  const orderId = await place();
  await step(shop, orderId, 'confirm', 'assign_driver', 'pick_up', 'complete');
  await app.advance({ minutes: 1 });
  // Dispatching an event twice has no further effect.
  await db.updateTable('orderEvents').set({ dispatched: false }).where('orderId', '=', orderId).execute();
  await app.advance({ minutes: 1 });
  assert.deepEqual(
    texts.map(({ body }) => /(got your order|confirmed|on the way|was delivered|received)/.exec(body)?.[0]).sort(),
    ['confirmed', 'got your order', 'on the way'],
  );
  assert.deepEqual(smtp.received.map(({ mail }) => mail.subject).sort(), [
    'Your order from Test Pizzeria',
    'Your order from Test Pizzeria is on the way',
    'Your order from Test Pizzeria was delivered',
  ]);
  const quiet = await place({ disable_sms: true, email_receipt_specifications: { disable_email: true } });
  await step(shop, quiet, 'confirm', 'assign_driver', 'pick_up', 'complete');
  assert.deepEqual(await rowsOf(shop, quiet), []);
});

test('the cancelation email is sent only to the customer', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, smtp, place } = shop;
  await saveBranding(app.service.deps.db, client.accountId, { bccAddress: 'bcc@grocer.example' }, app.now());
  await step(shop, await place(), 'cancel');
  assert.deepEqual(smtp.received.map(({ envelope, mail }) => [envelope.to.length, mail.subject]).sort(), [
    [1, 'Your order from Test Pizzeria was canceled'],
    [2, 'Your order from Test Pizzeria'],
  ]);
});

test('a mail server that is down delays a mail and neither loses nor doubles it, and no SMS waits for it', async (t) => {
  const shop = await givenLiveShop(t);
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

/** Timeout of a send without a response. */
const LONGEST_SEND_MS = 20_000;
const TROUBLES = [
  { at: 'rcpt', code: 451 },
  { at: 'data', hang: 'silence' },
] as const;
for (const trouble of TROUBLES) {
  const what = 'hang' in trouble ? trouble.hang : trouble.code;
  test(`${what} at ${trouble.at}, three times, delays a mail, which then arrives once`, async (t) => {
    const shop = await givenLiveShop(t);
    const orderId = await shop.place();
    const timeOuts = holdTimeOuts(t);
    const hang = () => timeOuts.pass(LONGEST_SEND_MS);
    shop.smtp.trouble('hang' in trouble ? { ...trouble, hang } : trouble, 3);
    for (let minute = 0; minute < 5; minute += 1) await shop.app.advance({ minutes: 1 });
    await shop.app.advance({ hours: 20 });
    assert.equal(shop.smtp.received.length, 1);
    const { state, attempts } = await mailOf(shop, orderId);
    assert.deepEqual([state, attempts], ['sent', 4]);
  });
}

test('a permanently refused recipient fails at once, and the others are still sent', async (t) => {
  const shop = await givenLiveShop(t);
  shop.smtp.trouble({ at: 'rcpt', code: 550 });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  await shop.app.advance({ hours: 3 });
  const { state, attempts, lastError } = await mailOf(shop, orderId);
  assert.deepEqual([state, attempts, lastError], ['dead', 1, 'the SMTP server: 550 to RCPT TO']);
  await step(shop, orderId, 'cancel');
  assert.equal(shop.smtp.received.length, 1);
});

test('a message that cannot be written is dead at once and says why, and holds up no other', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp, texts, place } = shop;
  const { db } = app.service.deps;
  const broken = await place({ disable_sms: true });
  await db.updateTable('orders').set({ quote: '{}' }).where('orderId', '=', broken).execute();
  await place();
  await app.advance({ seconds: 1 });
  const [dead] = await rowsOf(shop, broken);
  assert.deepEqual([dead?.state, dead?.attempts, dead?.lastError], ['dead', 1, 'could not be written']);
  assert.deepEqual([smtp.received.length, texts.length], [1, 1]);
  const [read] = await withTexts(app.service.deps, dead ? [dead] : []);
  assert.deepEqual([read?.messageId, read?.text, read?.html], [dead?.messageId, '', null]);
});

test('failed messages are retried for a day at growing intervals, then dropped', async (t) => {
  let calls = 0;
  const sendText = async () => {
    calls += 1;
    throw new OutsideError('SMS', 'is down', { retryable: true });
  };
  const shop = await givenLiveShop(t, { sendText });
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
  const shop = await givenLiveShop(t);
  const { messaging } = shop.app.service.deps;
  const { mailer, smsSender } = messaging;
  Object.assign(messaging, { mailer: undefined, smsSender: undefined });
  const first = await shop.place();
  await shop.app.advance({ hours: 2 });
  assert.deepEqual(
    (await rowsOf(shop, first)).map(({ state, lastError }) => [state, lastError]),
    [
      ['pending', 'not configured'],
      ['pending', 'not configured'],
    ],
  );
  Object.assign(messaging, { mailer, smsSender });
  await shop.app.advance({ minutes: 20 });
  assert.deepEqual([shop.smtp.received.length, shop.texts.length], [1, 1]);
  Object.assign(messaging, { mailer: undefined, smsSender: undefined });
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
