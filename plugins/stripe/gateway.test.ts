import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CardDeclined } from '../../src/ordering/payments/payment-gateway.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { type Booked, keepsGatewayContract } from '../../test/contracts/gateway-contract.ts';
import { nestForm, readStripeContract } from '../../test/contracts/stripe-contract.ts';
import type { Intent } from '../../test/fakes/stripe-books.ts';
import { REFUSED_WHEN_SAVED } from '../../test/fakes/stripe-card-books.ts';
import { receivedOf } from '../../test/fakes/stripe-charge-books.ts';
import { startStripeDouble, type Trouble } from '../../test/fakes/stripe-double.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { until } from '../../test/until.ts';
import { createStripeGateway } from './gateway.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../shared/data/contracts/stripe-openapi.json'));
const CARD = { number: '4242424242424242', expirationMonth: 7, expirationYear: 2031, cvc: '012' };

/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;

const stripe = await startStripeDouble(contract);
const gateway = createStripeGateway({
  pagesUrl: 'https://api.example.com',
  secretKey: 'sk_live_secret',
  baseUrl: stripe.baseUrl,
  timeoutMs: TIMEOUT_MS,
});
after(() => stripe.close());

const requestFor = (cardToken: string, orderId: string) =>
  ({ cardToken, amountCents: 700, currency: 'cad', key: `${orderId}:1`, orderId }) as const;
const readBooks = async (orderId: string) =>
  stripe
    .intents()
    .filter(({ metadata }) => metadata.order_id === orderId)
    .map((intent) => ({
      chargeId: intent.id,
      amountCents: receivedOf(intent) || intent.amount,
      status: statusOf(intent),
    }));
const statusOf = ({ status, capture_method }: Intent): Booked['status'] => {
  if (status === 'succeeded') return status;
  if (status === 'requires_capture') return 'authorized';
  return status === 'canceled' && capture_method === 'manual' ? 'voided' : 'declined';
};

test('Stripe keeps the contract of a payment gateway', (t) =>
  keepsGatewayContract(t, {
    gateway,
    booksOf: readBooks,
    token: () => stripe.givenToken('tok'),
    answer: async ({ chargeId }, isApproved) => stripe.authenticate(chargeId, isApproved),
  }));

test('of two confirmations of an approved charge at once, both have its outcome', async () => {
  for (const take of ['charge', 'authorize'] as const) {
    const { token: cardToken } = await gateway.saveCard({ ...CARD, number: '4000002500003155' });
    const request = { ...requestFor(cardToken, `both-${take}`), returnUrl: 'https://shop.example/' };
    const waiting = await gateway[take]?.(request);
    assert.equal(waiting?.status, 'waiting');
    stripe.authenticate(waiting.chargeId, true);
    const again = { ...request, waitingChargeId: waiting.chargeId };
    const ended = await Promise.all([gateway[take]?.(again), gateway[take]?.(again)]);
    const status = take === 'charge' ? 'succeeded' : 'authorized';
    assert.deepEqual(
      ended.map((one) => [one?.chargeId, one?.status]),
      [1, 2].map(() => [waiting.chargeId, status]),
    );
  }
});

test('the card is sent to Stripe digit for digit, in that one form only', async () => {
  const from = stripe.requests.length;
  const { token } = await gateway.saveCard(CARD);
  const [method, customer] = stripe.requests.slice(from);
  assert.deepEqual(method?.form, {
    type: 'card',
    card: { number: '4242424242424242', exp_month: '7', exp_year: '2031', cvc: '012' },
  });
  assert.equal(token, `cus_${token.match(/cus_(\d+)/)?.[1]}/${customer?.form.payment_method}`);
});

test('a card that Stripe refuses to save is a decline with its code', async () => {
  await assert.rejects(
    gateway.saveCard({ ...CARD, number: REFUSED_WHEN_SAVED }),
    (error) => error instanceof CardDeclined && error.declineCode === 'incorrect_number',
  );
});

const TROUBLES: Trouble[] = ['lose_answer', 'hang', 'drip', 500, 429, 409];
for (const trouble of TROUBLES) {
  test(`a charge that meets ${trouble} is sent once, can be resolved, and is never made twice`, {
    timeout: 120_000,
  }, async (t) => {
    const { token } = await gateway.saveCard(CARD);
    const request = requestFor(token, `ord_trouble_${trouble}`);
    stripe.trouble('/v1/payment_intents', trouble);
    const earlier = stripe.requests.length;
    const timeOuts = holdTimeOuts(t);
    const failing = assert.rejects(
      gateway.charge(request),
      (error) => error instanceof OutsideError && error.retryable,
    );
    if (trouble === 'hang' || trouble === 'drip') {
      await until('the charge arrives', () => stripe.requests.length > earlier);
      timeOuts.pass(TIMEOUT_MS);
    }
    await failing;
    assert.equal(stripe.requests.length - earlier, 1);
    const found = await gateway.findCharge(request);
    assert.equal(found?.status, trouble === 'lose_answer' ? 'succeeded' : undefined);
    const resolved = await gateway.charge(request);
    assert.equal(resolved.status, 'succeeded');
    assert.equal((await readBooks(request.orderId)).length, 1);
  });
}

for (const trouble of TROUBLES) {
  test(`a part refund that meets ${trouble} is repeated under its key and made once`, {
    timeout: 120_000,
  }, async (t) => {
    const { token } = await gateway.saveCard(CARD);
    const request = requestFor(token, `ord_refund_${trouble}`);
    const { chargeId } = await gateway.charge(request);
    const part = { chargeId, amountCents: 300, key: `${request.key}:part` };
    const earlier = stripe.requests.length;
    // The list request that looks up the key comes first, so the error affects the second call.
    const isCreating = () => stripe.requests.slice(earlier).some(({ method }) => method === 'POST');
    stripe.trouble('/v1/refunds', trouble, 'POST');
    const timeOuts = holdTimeOuts(t);
    const failing = assert.rejects(gateway.refund(part), (error) => error instanceof OutsideError && error.retryable);
    if (trouble === 'hang' || trouble === 'drip') {
      await until('the refund arrives', isCreating);
      timeOuts.pass(TIMEOUT_MS);
    }
    await failing;
    await gateway.refund(part);
    await gateway.refund({ ...part, amountCents: 400, key: `${request.key}:rest` });
    const amounts = (await gateway.readCharge(chargeId))?.refunds.map(({ amountCents }) => amountCents);
    assert.deepEqual(amounts, [400, 300]);
  });
}

for (const kind of ['tok', 'pm'] as const) {
  test(`a ${kind}_ token whose answer was lost is taken when it is sent again, and makes one card`, async () => {
    const paymentToken = stripe.givenToken(kind);
    for (const path of [...(kind === 'tok' ? ['/v1/payment_methods'] : []), '/v1/customers']) {
      stripe.trouble(path, 'lose_answer');
      await assert.rejects(gateway.acceptToken(paymentToken), { retryable: true });
    }
    const saved = await gateway.acceptToken(paymentToken);
    assert.deepEqual(await gateway.acceptToken(paymentToken), saved);
    assert.deepEqual(
      [saved.brand, saved.last4, saved.expirationMonth, saved.expirationYear],
      ['visa', '4242', 7, 2031],
    );
  });
}

test('a used token and a rejected card’s token make no card', async () => {
  const used = stripe.givenToken('pm');
  await gateway.acceptToken(used);
  stripe.forgetKeys();
  await assert.rejects(gateway.acceptToken(used), { code: 'payment_token_not_accepted' });
  const wrong = stripe.givenToken('tok', REFUSED_WHEN_SAVED);
  await assert.rejects(gateway.acceptToken(wrong), (error) => error instanceof CardDeclined);
});

test('a card page whose answer was lost is opened once, and is over when Stripe has ended it', async () => {
  const expiresAt = Temporal.Instant.from('2026-06-10T18:00:00Z');
  const language = 'fr' as const;
  const request = {
    setupId: 'set_1',
    userEmail: 'a@example.com',
    returnUrl: 'https://shop.example/',
    expiresAt,
    language,
  };
  stripe.trouble('/v1/checkout/sessions', 'lose_answer');
  await assert.rejects(gateway.openCardPage(request), { retryable: true });
  const page = await gateway.openCardPage(request);
  const [opened, ...others] = stripe.sessions();
  assert.deepEqual([opened?.id, others.length], [page.session, 0]);
  assert.deepEqual([opened?.client_reference_id, opened?.expires_at], ['set_1', 1_781_114_400]);
  const sessionRequest = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions');
  assert.equal(sessionRequest?.form.locale, 'fr-CA');
  assert.deepEqual(await gateway.readCardPage(page.session), { state: 'open' });
  Object.assign(opened ?? {}, { status: 'expired' });
  assert.deepEqual(await gateway.readCardPage(page.session), { state: 'over' });
});

test('once Stripe has forgotten its keys, a charge is still found and a refund still made once', async () => {
  const { token } = await gateway.saveCard(CARD);
  const request = requestFor(token, 'ord_old');
  const charge = await gateway.charge(request);
  const back = { chargeId: charge.chargeId, amountCents: 300, key: 'ord_old:refund' };
  const refund = await gateway.refund(back);
  stripe.forgetKeys();
  assert.deepEqual(await gateway.findCharge(request), charge);
  assert.deepEqual(await gateway.refund(back), refund);
});

for (const status of ['processing', 'requires_confirmation']) {
  test(`a charge that is still ${status} is no answer yet, neither a charge nor none`, async () => {
    const { token } = await gateway.saveCard(CARD);
    const request = requestFor(token, `ord_${status}`);
    const { chargeId } = await gateway.charge(request);
    Object.assign(stripe.intents().find(({ id }) => id === chargeId) ?? {}, { status });
    await assert.rejects(gateway.findCharge(request), (error) => error instanceof OutsideError && error.retryable);
  });
}

test('a wrong secret key is no reason to try again, and is not repeated', async () => {
  const wrong = createStripeGateway({
    pagesUrl: 'https://api.example.com',
    secretKey: 'wrong',
    baseUrl: stripe.baseUrl,
  });
  await assert.rejects(
    wrong.saveCard(CARD),
    (error) => error instanceof OutsideError && !error.retryable && !/wrong|4242/.test(`${error.stack}${error.cause}`),
  );
});

test('a refused connection is retryable', async () => {
  const double = await startStripeDouble(undefined);
  await double.close();
  const absent = createStripeGateway({
    pagesUrl: 'https://api.example.com',
    secretKey: 'sk_live_secret',
    baseUrl: double.baseUrl,
  });
  await assert.rejects(absent.saveCard(CARD), (error) => error instanceof OutsideError && error.retryable);
});

const skip = contract ? false : '../shared/data/contracts/stripe-openapi.json is not here';
test('the judge finds a wrong name, a wrong type, a missing member and a wrong word', { skip }, () => {
  const formFaults = (form: string) =>
    contract?.checkRequest('POST', '/v1/payment_intents', nestForm(new URLSearchParams(form))).length;
  assert.equal(formFaults('amount=1&currency=usd&metadata[a]=b&allowed_payment_method_types[0]=card'), 0);
  assert.equal(formFaults('amount=1&currency=usd&payment_method_types[0]=card'), 1);
  assert.equal(formFaults('amount=1&currency=usd&allowed_payment_method_types=card'), 1);
  assert.equal(formFaults('amount=1.5&currency=usd'), 1);
  assert.equal(formFaults('amount=1'), 1);
  assert.equal(formFaults('amount=1&currency=usd&payment_methods=x&off_session=maybe'), 2);
  const intent = { ...stripe.requests[0], object: 'payment_intent', status: 'paid' };
  assert.ok((contract?.checkAnswer('POST', '/v1/payment_intents', 200, intent).length ?? 0) > 5);
});

test("every request and every answer of the double fits Stripe's published contract", { skip }, () => {
  assert.ok(stripe.requests.length > 50);
  assert.deepEqual([...new Set(stripe.faults)], []);
});
