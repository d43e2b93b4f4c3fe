import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { CardDeclined } from '../../src/ordering/payments/payment-gateway.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { REFUSED_WHEN_SAVED } from '../../test/fakes/stripe-card-books.ts';
import { type ForeignAnswer, startStripeDouble, type Trouble } from '../../test/fakes/stripe-double.ts';
import { createStripeGateway } from './gateway.ts';

const CARD = { number: '4242424242424242', expirationMonth: 7, expirationYear: 2031, cvc: '012' };
const INTENTS = '/v1/payment_intents';

const gatewayWith = (secretKey: string) =>
  createStripeGateway({ pagesUrl: 'https://api.example.com', secretKey, baseUrl: stripe.baseUrl, timeoutMs: 600_000 });
const stripe = await startStripeDouble(undefined);
const gateway = gatewayWith('sk_live_secret');
after(() => stripe.close());

const requestFor = (cardToken: string, orderId: string) =>
  ({ cardToken, amountCents: 700, currency: 'usd', key: `${orderId}:1`, orderId }) as const;

async function awaitError(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => assert.fail('must fail'),
    (reason) => reason,
  );
  assert.ok(error instanceof Error);
  return error;
}

async function assertRetryable(work: Promise<unknown>): Promise<void> {
  const error = await awaitError(work);
  assert.ok(error instanceof OutsideError && error.retryable, inspect(error));
}

test('every request names the pinned API version and the service, and nothing of its machine or its earlier calls', async () => {
  const from = stripe.requests.length;
  const { token } = await gateway.saveCard(CARD);
  const request = requestFor(token, 'ord_headers');
  const { chargeId } = await gateway.charge(request);
  await gateway.findCharge(request);
  await gateway.refund({ chargeId, amountCents: 1, key: request.key });
  await gateway.deleteCard(token);
  const sent = stripe.requests.slice(from);
  assert.equal(sent.length, 8);
  for (const { headers } of sent) {
    assert.equal(headers['stripe-version'], '2026-10-28.endive');
    assert.equal(headers['x-stripe-client-telemetry'], undefined);
    const clientInfo = JSON.parse(String(headers['x-stripe-client-user-agent']));
    assert.deepEqual([clientInfo.application, clientInfo.platform], [{ name: 'Doorstep' }, undefined]);
  }
});

test('a charge and a refund carry the key of the caller as their idempotency key', async () => {
  const { token } = await gateway.saveCard(CARD);
  const request = requestFor(token, 'ord_keys');
  const { chargeId } = await gateway.charge(request);
  const charged = stripe.requests.at(-1);
  await gateway.refund({ chargeId, amountCents: 1, key: 'ord_keys:refund' });
  const refunded = stripe.requests.at(-1);
  assert.equal(charged?.headers['idempotency-key'], 'charge:ord_keys:1');
  assert.equal(refunded?.headers['idempotency-key'], 'refund:ord_keys:refund');
});

const FOREIGN: [string, ForeignAnswer][] = [
  ['a 503 in JSON that is no error of Stripe', { status: 503, text: '{"message":"Service Unavailable"}' }],
  ['a 502 in JSON that is no object', { status: 502, text: '"Bad gateway"' }],
  ['a 502 that is a page', { status: 502, text: '<h1>Bad gateway</h1>' }],
  ['a 200 that is a page', { status: 200, text: '<h1>Sign in</h1>' }],
  ['a 200 that is no object', { status: 200, text: '"ok"' }],
  ['a 200 that is a bare list', { status: 200, text: '[]' }],
  ['a 200 without members', { status: 200, text: '{}' }],
  ['a 200 with an error', { status: 200, text: '{"error":{"type":"api_error"}}' }],
  ['a list without its data', { status: 200, text: '{"object":"list","has_more":false}' }],
  ['an empty page with more behind it', { status: 200, text: '{"object":"list","data":[],"has_more":true}' }],
  ['a list of nothing', { status: 200, text: '{"object":"list","data":[null],"has_more":false}' }],
  ['an answer above the limit', { status: 200, text: `{"object":"list","data":[${' '.repeat(4 * 1024 * 1024)}]}` }],
];
for (const [what, trouble] of FOREIGN) {
  test(`${what} says neither that there is a charge nor that there is none`, async () => {
    const { token } = await gateway.saveCard(CARD);
    const request = requestFor(token, `ord_${what}`);
    stripe.trouble(INTENTS, trouble);
    await assertRetryable(gateway.charge(request));
    const charge = await gateway.charge(request);
    stripe.trouble(INTENTS, trouble);
    await assertRetryable(gateway.findCharge(request));
    assert.deepEqual(await gateway.findCharge(request), charge);
  });
}

test('a refusal by a proxy, before Stripe was reached, is final', async () => {
  stripe.trouble('/v1/payment_methods', { status: 403, text: '{"message":"Forbidden"}' });
  const error = await awaitError(gateway.saveCard(CARD));
  assert.ok(error instanceof OutsideError && !error.retryable, inspect(error));
});

test('a card does not follow a redirect', async () => {
  const elsewhere = await startStripeDouble(undefined);
  const location = `${elsewhere.baseUrl}/v1/payment_methods`;
  stripe.trouble('/v1/payment_methods', { status: 307, text: '', headers: { location } });
  await assertRetryable(gateway.saveCard(CARD));
  await elsewhere.close();
  assert.deepEqual(elsewhere.requests, []);
});

const ECHO = JSON.stringify({
  error: { type: 'invalid_request_error', code: CARD.number, param: 'card[number]', message: CARD.number, raw: CARD },
});
const TROUBLES: [string, Trouble | undefined, string, typeof OutsideError | typeof CardDeclined][] = [
  ['a refused card', undefined, REFUSED_WHEN_SAVED, CardDeclined],
  ['a refused request', { status: 400, text: ECHO }, CARD.number, OutsideError],
  ['a refusal by a proxy', { status: 403, text: `{"message":"no ${CARD.number}"}` }, CARD.number, OutsideError],
  ['a breakdown', 500, CARD.number, OutsideError],
  ['a lost answer', 'lose_answer', CARD.number, OutsideError],
];
for (const [what, trouble, number, kind] of TROUBLES) {
  test(`the error of ${what} holds nothing of the card, however deep one looks`, async () => {
    if (trouble) stripe.trouble('/v1/payment_methods', trouble);
    const error = await awaitError(gateway.saveCard({ ...CARD, number }));
    assert.ok(error instanceof kind, inspect(error));
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /\d{12,19}|'012'|sk_live|Bearer/);
  });
}

for (const secretKey of ['wrong_secret', 'sk_live_two\nlines']) {
  test(`the error of the key ${JSON.stringify(secretKey)} does not repeat it`, async () => {
    const error = await awaitError(gatewayWith(secretKey).saveCard(CARD));
    assert.ok(error instanceof OutsideError, inspect(error));
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /wrong_secret|two|4242/);
  });
}

test('a card with more than 5,000 charges is not looked through without end', { timeout: 120_000 }, async () => {
  const { token } = await gateway.saveCard(CARD);
  const request = requestFor(token, 'ord_many');
  await gateway.charge(request);
  const [first] = stripe.intents();
  assert.ok(first);
  const copies = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...first,
      id: `pi_copy_${stripe.intents().length}_${at}`,
      metadata: {},
    }));
  stripe.intents().unshift(...copies(4999));
  assert.equal((await gateway.findCharge(request))?.chargeId, first.id);
  stripe.intents().unshift(...copies(2));
  const error = await awaitError(gateway.findCharge(request));
  assert.ok(error instanceof OutsideError && !error.retryable, inspect(error));
});
