import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenOwnApp } from '../harness.ts';

const SIGN_IN = '/console/operator/sign-in';
const SMS_REPLY = '/messages/sms/reply';

let app: App;
const lines: string[] = [];
before(async () => {
  const TWILIO_ACCOUNT_SID = `AC${'0'.repeat(32)}`;
  app = await givenOwnApp({
    env: { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+12125550100', LOG_LEVEL: 'info' },
    onLogLine: (line) => void lines.push(line),
  });
});
after(() => app.close());

async function post(url: string, payload: string, headers: Record<string, string> = {}) {
  const sent = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers };
  const { statusCode, body } = await app.service.http.inject({ method: 'POST', url, payload, headers: sent });
  return { status: statusCode, problem: statusCode === 200 ? undefined : JSON.parse(body) };
}

const fieldsOf = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=`).join('&');

test('a form of more than 64 fields is rejected with the limit named', async () => {
  const email = 'email=nobody%40example.com';
  const headers = { origin: app.config.baseUrl, accept: 'text/html' };
  assert.equal((await post(SIGN_IN, `${email}&${fieldsOf(63)}`, headers)).status, 200);
  const { status, problem } = await post(SIGN_IN, `${email}&${fieldsOf(64)}`);
  assert.equal(status, 400);
  assert.equal(problem.code, 'invalid_request');
  assert.deepEqual(problem.errors, [{ in: 'body', name: 'body', message: 'must have at most 64 fields' }]);
  assert.equal((await post(SIGN_IN, '&'.repeat(4000))).problem.code, 'invalid_request');
});

test('a form has each field once; a repeated one is named', async () => {
  for (const [form, name] of [
    ['email=a%40example.com&email=b%40example.com', 'email'],
    ['email=a%40example.com&f=1&f=1', 'f'],
    ['em%61il=x&email=a%40example.com', 'email'],
    ['%3Cb%3E=1&%3Cb%3E=2', 'body'],
  ] as const) {
    const { status, problem } = await post(SIGN_IN, form);
    assert.deepEqual([status, problem.code], [400, 'invalid_request']);
    assert.deepEqual(problem.errors, [{ in: 'body', name, message: 'was given more than once' }]);
  }
});

test('a probe ignores its query, however long or malformed', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => n.toString(36)).join('&');
  for (const query of [many.slice(0, 15_000), '%ff', 'a=1&a=2', '%00', '__proto__=1']) {
    const { statusCode, body } = await app.service.http.inject(`/healthz?${query}`);
    assert.deepEqual([statusCode, body], [200, '{"status":"ok"}']);
  }
});

test('a query that is not UTF-8 is refused where the query counts', async () => {
  const { statusCode, body } = await app.service.http.inject('/tracking?tracking_id=%ff');
  assert.equal(statusCode, 400, body);
  const { status } = await app.get('/payment/list?user_id=%ff');
  assert.equal(status, 400);
});

test('an SMS reply without a signature is rejected before its fields are parsed, and a false one after up to 64', async () => {
  const faultOf = async (form: string, signature?: string) => {
    const { status, problem } = await post(SMS_REPLY, form, signature ? { 'x-twilio-signature': signature } : {});
    assert.equal(status, 400);
    return problem.errors[0].name;
  };
  const falseSignature = Buffer.alloc(20).toString('base64');
  for (const form of [fieldsOf(2), fieldsOf(65)]) {
    assert.equal(await faultOf(form), 'X-Twilio-Signature');
    assert.equal(await faultOf(form, 'short'), 'X-Twilio-Signature');
  }
  assert.equal(await faultOf(fieldsOf(64), falseSignature), 'X-Twilio-Signature');
  assert.equal(await faultOf(fieldsOf(65), falseSignature), 'body');
});

test('a request refused before its turn is answered in the language of its link, and logged with its order', async () => {
  const pages = [
    '/tracking/cancel',
    '/tracking/tip',
    '/tracking/notes',
    '/tracking/problem',
    '/checkout/none',
    '/payment/authenticate/none',
  ];
  for (const page of pages) {
    for (const query of [
      'lang=fr',
      'lang=fr&order_id=%ff',
      `order_id=ord_1&lang=fr&${fieldsOf(5000).slice(0, 12_000)}`,
    ]) {
      const headers = { 'content-type': 'application/json', 'accept-language': 'es' };
      const url = `${page}?${query}`;
      const answer = await app.service.http.inject({ method: 'POST', url, payload: '{}', headers });
      assert.deepEqual([answer.statusCode, answer.headers['content-language']], [415, 'fr'], url);
    }
  }
  const logged = lines.map((line) => JSON.parse(line)).filter(({ orderId }) => orderId === 'ord_1');
  assert.equal(logged.length, pages.length);
});

test('JSON of an endpoint without a key is limited to 16 KiB', async () => {
  const body = (bytes: number) => JSON.stringify({ code: 'x'.repeat(bytes - '{"code":""}'.length) });
  const headers = { origin: app.config.baseUrl, 'content-type': 'application/json' };
  assert.notEqual((await post('/console/sign-in', body(16 * 1024), headers)).status, 413);
  assert.equal((await post('/console/sign-in', body(16 * 1024 + 1), headers)).status, 413);
});
