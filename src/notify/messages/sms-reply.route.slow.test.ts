import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { givenLiveShop, rowsOf, step } from '../../../test/given/live-shop.ts';
import type { App } from '../../../test/harness.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { optedOut } from '../outbox/messaging.ts';
import { presentOrderMessage } from './message.ts';
import { SMS_REPLY_PATH } from './sms-reply.route.ts';

const TOKEN = 'twilio-token';
const ENV = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+12125550100' };
const CUSTOMER = '+12125550199';

/** Computes Twilio's signature over the URL and the sorted fields with the account's token. */
function signed(app: App, fields: Record<string, string>, token = TOKEN): string {
  const text = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('');
  return createHmac('sha1', token).update(`${app.config.baseUrl}${SMS_REPLY_PATH}${text}`).digest('base64');
}

function reply(app: App, body: string, { from = CUSTOMER, token = TOKEN }: { from?: string; token?: string } = {}) {
  const fields = { From: from, To: ENV.TWILIO_FROM, Body: body, MessageSid: 'SM1' };
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signed(app, fields, token),
  };
  const payload = new URLSearchParams(fields).toString();
  return app.service.http.inject({ method: 'POST', url: SMS_REPLY_PATH, headers, payload });
}

test('the first SMS of an account to a number says how to opt out, and no other', async (t) => {
  const shop = await givenLiveShop(t, undefined, { env: ENV });
  const bodies = async () => {
    await shop.app.advance({ seconds: 2 });
    return shop.texts.splice(0).map(({ body }) => /Reply STOP to opt out\.$/.test(body));
  };
  const orderId = await shop.place();
  assert.deepEqual(await bodies(), [true]);
  await step(shop, orderId, 'confirm');
  assert.deepEqual(await bodies(), [false]);
  await shop.place();
  assert.deepEqual(await bodies(), [false]);
  await shop.place({ user_phone: 12125550188, user_language: 'fr' });
  await shop.app.advance({ seconds: 2 });
  assert.match(shop.texts.at(-1)?.body ?? '', /Répondez STOP pour vous désabonner\.$/);
});

test('the STOP sentence is in the first SMS that the provider accepts, however many fail before', async (t) => {
  const bodies: string[] = [];
  let failing = 0;
  const smsSender = {
    async sendText({ body }: { body: string }) {
      failing -= 1;
      if (failing >= 0) throw new OutsideError('SMS', 'Twilio answered 400, code 21211', { retryable: false });
      bodies.push(body);
    },
  };
  const shop = await givenLiveShop(t, smsSender, { env: ENV });
  for (const fails of [2, 0]) {
    failing = fails;
    for (let placed = 0; placed < fails + 2; placed += 1) {
      await shop.place({ user_phone: fails ? 12125550177 : 12125550166 });
      await shop.app.advance({ seconds: 2 });
    }
    assert.deepEqual(
      bodies.splice(0).map((body) => /Reply STOP to opt out\.$/.test(body)),
      [true, false],
    );
  }
});

test('an SMS that the provider refuses because the number opted out there is `opted_out`, and no failure', async (t) => {
  const sendText = async () => {
    throw optedOut();
  };
  const shop = await givenLiveShop(t, { sendText }, { env: ENV });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 2 });
  const [row] = (await rowsOf(shop, orderId)).filter(({ channel }) => channel === 'sms');
  const order = await findAnyOrder(shop.app.service.deps.db, orderId);
  assert.ok(row && order);
  const { state, reason } = presentOrderMessage(row, order);
  assert.deepEqual([row.state, row.attempts, state, reason], ['not_sent', 1, 'not_sent', 'opted_out']);
});

test('STOP ends every account’s SMS to the number, START resumes them, other replies change nothing', async (t) => {
  const shop = await givenLiveShop(t, undefined, { env: ENV });
  const statesOf = async () => {
    const orderId = await shop.place();
    await shop.app.advance({ seconds: 2 });
    const rows = await rowsOf(shop, orderId);
    return rows.filter(({ channel }) => channel === 'sms').map(({ state, lastError }) => [state, lastError]);
  };
  const answer = await reply(shop.app, 'Where is my order?');
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'text/xml; charset=utf-8']);
  assert.deepEqual(await statesOf(), [['sent', null]]);
  for (const word of [' stop ', 'Stop texting me', 'OPT OUT', 'alto']) {
    assert.equal((await reply(shop.app, word)).statusCode, 200);
    assert.deepEqual(await statesOf(), [['not_sent', 'the number has opted out of SMS']], word);
    assert.equal((await reply(shop.app, 'START')).statusCode, 200);
    assert.deepEqual(await statesOf(), [['sent', null]], word);
  }
});

test('a reply that the provider has not signed, or that is hostile, changes nothing', async (t) => {
  const shop = await givenLiveShop(t, undefined, { env: ENV });
  const forged = await reply(shop.app, 'STOP', { token: 'guessed' });
  assert.deepEqual([forged.statusCode, forged.json().code], [400, 'invalid_request']);
  assert.equal((await reply(shop.app, 'STOP', { from: "'; drop table orders" })).statusCode, 200);
  const { http } = shop.app.service;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const payload of ['', 'From=%2B12125550199&Body=STOP', '__proto__=1&constructor=2']) {
    assert.equal((await http.inject({ method: 'POST', url: SMS_REPLY_PATH, headers, payload })).statusCode, 400);
  }
  const rows = await shop.app.service.deps.db.selectFrom('smsOptOuts').selectAll().execute();
  assert.deepEqual(rows, []);
});

test('without an SMS provider there is no such endpoint', async (t) => {
  const shop = await givenLiveShop(t);
  assert.equal((await reply(shop.app, 'STOP')).statusCode, 404);
});
