import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createStripeGateway } from '../../../plugins/stripe/gateway.ts';
import { startStripeDouble } from '../../../test/fakes/stripe-double.ts';
import { type App, type Client, givenApp, type Reply } from '../../../test/harness.ts';

const USER = { user_id: 'u1', user_email: 'u1@example.com' };
const CARD = { card_number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '123' };

const app = await givenApp();
const strict = await givenApp({ env: { ACCEPT_RAW_CARDS: 'false' } });
const stripe = await startStripeDouble(undefined);
for (const { service } of [app, strict]) {
  service.deps.gateways.live = createStripeGateway({
    pagesUrl: 'https://api.example.com',
    secretKey: 'sk_live_secret',
    baseUrl: stripe.baseUrl,
  });
}
after(async () => {
  await app.close();
  await strict.close();
  await stripe.close();
});

const create = (client: Client, body: object, headers: Record<string, string> = {}) =>
  client.post('/payment/create', { ...USER, ...body }, headers);
const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const faultNames = (reply: Reply) => reply.body.errors.map(({ name }: { name: string }) => name);
const listed = async (client: Client) => (await client.get('/payment/list', { user_id: 'u1' })).body.payment_methods;

/** The response to a request from another machine, or from a proxy on this one. */
async function createFrom(target: App, key: string, remoteAddress: string, headers: object, body: object) {
  const request = { method: 'POST', url: '/payment/create', payload: { ...USER, ...body } } as const;
  const reply = await target.service.http.inject({
    ...request,
    headers: { 'id-token': key, ...headers },
    remoteAddress,
  });
  return [reply.statusCode, reply.json().code];
}

test('a gateway token becomes a listed payment method', async () => {
  const client = await app.givenClient();
  const reply = await create(client, { payment_token: 'tok_visa' });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(await listed(client), [
    {
      payment_method_id: reply.body.payment_method_id,
      brand: 'visa',
      last4: '4242',
      expiration_month: 12,
      expiration_year: 2029,
    },
  ]);
});

test('a sandbox token makes a payment method each time, for any user', async () => {
  const client = await app.givenClient();
  const made = new Set<string>();
  for (const user_id of ['u1', 'u1', 'u2'])
    made.add((await create(client, { payment_token: 'tok_visa', user_id })).body.payment_method_id);
  assert.ok(made.size === 3 && !made.has('undefined'), [...made].join());
});

test('an unknown token returns 422 payment_token_not_accepted, and stores nothing', async () => {
  const client = await app.givenClient();
  for (const payment_token of ['tok_unknown', 'pm_unknown', 'constructor', 'x-y-z']) {
    const reply = await create(client, { payment_token });
    assert.deepEqual(
      [...statusAndCode(reply), ...faultNames(reply)],
      [422, 'payment_token_not_accepted', 'payment_token'],
    );
    assert.ok(!reply.text.includes(payment_token));
  }
  assert.deepEqual(await listed(client), []);
});

test('exactly one of payment_method and payment_token is taken, and a card number is no token', async () => {
  const bodies = [
    {},
    { payment_method: CARD, payment_token: 'tok_visa' },
    { payment_token: '4242424242424242' },
    { payment_token: 4242424242424242 },
    { payment_token: 'tok visa' },
    { payment_token: ['tok_visa'] },
    { payment_token: `tok_${'x'.repeat(300)}` },
  ];
  for (const body of bodies) {
    const reply = await create(app, body);
    assert.deepEqual(statusAndCode(reply), [400, 'invalid_request'], JSON.stringify(body));
    assert.doesNotMatch(reply.text, /4242424242424242/);
  }
  assert.deepEqual(faultNames(await create(app, {})), ['payment_method']);
  assert.equal((await create(app, { payment_method: null, payment_token: 'tok_visa' })).status, 200);
  assert.equal((await create(app, { payment_method: CARD, payment_token: '' })).status, 200);
});

test('a live token is one payment method of one user: the same user gets it again, another user and account are refused', async () => {
  const client = await app.givenClient('live');
  const payment_token = stripe.givenToken('pm');
  const first = await create(client, { payment_token });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual((await create(client, { payment_token })).body, first.body);
  assert.deepEqual(statusAndCode(await create(client, { payment_token, user_id: 'u2' })), [
    422,
    'payment_token_not_accepted',
  ]);
  assert.deepEqual(statusAndCode(await create(await app.givenClient('live'), { payment_token })), [
    422,
    'payment_token_not_accepted',
  ]);
  assert.equal((await listed(client)).length, 1);
});

test('ACCEPT_RAW_CARDS=false: a live card number returns 422, a live token and a sandbox card number are accepted', async () => {
  const live = await strict.givenClient('live');
  const earlier = stripe.requests.length;
  assert.deepEqual(statusAndCode(await create(live, { payment_method: CARD })), [422, 'card_numbers_not_accepted']);
  assert.deepEqual(statusAndCode(await create(live, { payment_method: { card_number: 'x' } })), [
    422,
    'card_numbers_not_accepted',
  ]);
  assert.equal(stripe.requests.length, earlier);
  assert.equal((await create(live, { payment_token: stripe.givenToken('tok') })).status, 200);
  assert.equal((await create(strict, { payment_method: CARD })).status, 200);
});

test('a live card number over plain HTTP from another machine returns 403 tls_required, and reaches no gateway', async () => {
  const { key } = await app.givenClient('live');
  const https = { 'x-forwarded-proto': 'https' };
  const raw = { payment_method: CARD };
  const earlier = stripe.requests.length;
  const refused = [403, 'tls_required'];
  assert.deepEqual(await createFrom(app, key, '203.0.113.9', {}, raw), refused);
  assert.deepEqual(await createFrom(app, key, '203.0.113.9', https, raw), refused, 'any client can write this header');
  assert.deepEqual(await createFrom(app, key, '127.0.0.1', { 'x-forwarded-proto': 'http' }, raw), refused);
  assert.equal(stripe.requests.length, earlier);
  assert.deepEqual(await createFrom(app, key, '127.0.0.1', https, raw), [200, undefined]);
  assert.deepEqual(await createFrom(app, key, '::1', {}, raw), [200, undefined]);
  const token = { payment_token: stripe.givenToken('tok') };
  assert.deepEqual(await createFrom(app, key, '203.0.113.9', {}, token), [200, undefined]);
  assert.deepEqual(
    await createFrom(app, app.key, '203.0.113.9', {}, raw),
    [200, undefined],
    'a sandbox card is no secret',
  );
});
