import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  CASH_TOKEN,
  type ChargeRequest,
  type PaymentGateway,
  type WaitingCharge,
} from '../../src/ordering/payments/payment-gateway.ts';
import { Refusal } from '../../src/platform/http/refusal.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { randomId } from '../../src/platform/lib/random-id.ts';

/** An order's charge in the gateway's records. */
export type Booked = {
  chargeId: string;
  /** The captured or expected amount; for a hold, the held amount. */
  amountCents: number;
  status: 'succeeded' | 'declined' | 'to_collect' | 'authorized' | 'voided';
};
export type Subject = {
  gateway: PaymentGateway;
  booksOf(orderId: string): Promise<Booked[]>;
  /** The customer approves or declines a pending charge. */
  answer(charge: WaitingCharge, isApproved: boolean): Promise<void>;
  /** A token from the gateway's client library for a card that can be charged. */
  token(): string;
};

const DECLINES = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
};

/** The port's contract, for every gateway and every fake. */
export async function keepsGatewayContract(t: TestContext, subject: Subject): Promise<void> {
  const { gateway, booksOf } = subject;
  const givenCard = async (number = '4242424242424242') => {
    const { token } = await gateway.saveCard({ number, expirationMonth: 12, expirationYear: 2031, cvc: '012' });
    assert.ok(!token.includes(number), 'a token holds no card number');
    return token;
  };
  const requestFor = (cardToken: string, amountCents = 1234) => {
    const orderId = randomId('ord_');
    return { cardToken, amountCents, currency: 'usd' as const, key: `${orderId}:1`, orderId };
  };

  await t.test('a charge repeated with its key is made once and answered alike', async () => {
    const request = requestFor(await givenCard());
    const first = await gateway.charge(request);
    assert.equal(first.status, 'succeeded');
    assert.deepEqual(await gateway.charge(request), first);
    assert.deepEqual(await gateway.findCharge(request), first);
    assert.deepEqual(await booksOf(request.orderId), [
      { chargeId: first.chargeId, amountCents: 1234, status: 'succeeded' },
    ]);
  });

  await t.test('a card is charged again and again, once a key', async () => {
    const card = await givenCard();
    const attempts = Array.from({ length: 8 }, () => requestFor(card));
    const charges = [];
    for (const attempt of attempts) charges.push(await gateway.charge(attempt));
    assert.equal(new Set(charges.map(({ chargeId }) => chargeId)).size, attempts.length);
    for (const [at, attempt] of attempts.entries()) assert.deepEqual(await gateway.findCharge(attempt), charges[at]);
  });

  await t.test('charges racing under one key take the money once', async () => {
    const request = requestFor(await givenCard());
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => gateway.charge(request)));
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof OutsideError && result.reason.retryable);
    }
    assert.equal((await booksOf(request.orderId)).length, 1);
  });

  await t.test('a key used with another amount, currency or card is refused, and takes nothing', async () => {
    const request = requestFor(await givenCard());
    await gateway.charge(request);
    const others = [{ amountCents: 1235 }, { currency: 'cad' as const }, { cardToken: await givenCard() }];
    for (const other of others) await isRefused(() => gateway.charge({ ...request, ...other }));
    assert.equal((await booksOf(request.orderId)).length, 1);
  });

  for (const [number, declineCode] of Object.entries(DECLINES)) {
    await t.test(`a ${declineCode} card is saved and declined at charge time, under its key for good`, async () => {
      const request = requestFor(await givenCard(number));
      const charge = await gateway.charge(request);
      assert.deepEqual(charge, { chargeId: charge.chargeId, status: 'declined', declineCode });
      assert.deepEqual(await gateway.charge(request), charge);
      assert.deepEqual(await gateway.findCharge(request), charge);
      assert.deepEqual(
        (await booksOf(request.orderId)).map(({ status }) => status),
        ['declined'],
      );
    });
  }

  await t.test('a key that was never used has no charge', async () => {
    assert.equal(await gateway.findCharge(requestFor(await givenCard())), undefined);
  });

  await t.test('a charge with a lost answer exists, is found, and is not repeated', async () => {
    const request = requestFor(await givenCard('4000000000000259'));
    await isUnanswered(() => gateway.charge(request));
    const found = await gateway.findCharge(request);
    assert.equal(found?.status, 'succeeded');
    assert.deepEqual(await gateway.charge(request), found);
    assert.equal((await booksOf(request.orderId)).length, 1);
  });

  await t.test('amounts below the minimum are refused, and the minimum is charged', async () => {
    const { minimumCents = 1 } = gateway;
    for (const take of [gateway.charge, ...(gateway.authorize ? [gateway.authorize] : [])]) {
      for (const amountCents of new Set([minimumCents - 1, 1 - minimumCents, 0, -1]))
        await isRefused(async () => take(requestFor(await givenCard(), amountCents)));
      const { status } = await take(requestFor(await givenCard(), minimumCents));
      assert.equal(status, take === gateway.charge ? 'succeeded' : 'authorized');
    }
  });

  await t.test('refunds are made once a key, in parts, and never above the amount', async () => {
    const { chargeId } = await gateway.charge(requestFor(await givenCard()));
    const part = { chargeId, amountCents: 1000, key: `${chargeId}:part` };
    const first = await gateway.refund(part);
    assert.deepEqual(await gateway.refund(part), first);
    await isRefused(() => gateway.refund({ ...part, amountCents: 999 }));
    await isRefused(() => gateway.refund({ ...part, amountCents: 235, key: `${chargeId}:too-much` }));
    const rest = await gateway.refund({ ...part, amountCents: 234, key: `${chargeId}:rest` });
    assert.notEqual(rest.refundId, first.refundId);
    await isRefused(() => gateway.refund({ ...part, amountCents: 1, key: `${chargeId}:more` }));
  });

  await t.test('a declined charge, or none, has nothing to refund', async () => {
    const { chargeId } = await gateway.charge(requestFor(await givenCard('4000000000000002')));
    for (const id of [chargeId, 'ch_none']) {
      await isRefused(() => gateway.refund({ chargeId: id, amountCents: 1, key: `${id}:${chargeId}` }));
    }
  });

  await t.test('a deleted card is charged no more, its charges are still found and refunded', async () => {
    const request = requestFor(await givenCard());
    const charge = await gateway.charge(request);
    await gateway.deleteCard(request.cardToken);
    await gateway.deleteCard(request.cardToken);
    await isRefused(() => gateway.charge(requestFor(request.cardToken)));
    assert.deepEqual(await gateway.findCharge(request), charge);
    await gateway.refund({ chargeId: charge.chargeId, amountCents: 1234, key: request.key });
  });

  await t.test(
    'refunds in parts are in the books of their charge, and a part repeated while it runs is made once',
    async () => {
      const request = requestFor(await givenCard());
      const { chargeId } = await gateway.charge(request);
      const part = { chargeId, amountCents: 400, key: `${chargeId}:part` };
      await gateway.refund({ ...part, amountCents: 100, key: `${chargeId}:first` });
      await Promise.allSettled(Array.from({ length: 4 }, () => gateway.refund(part)));
      await gateway.refund(part);
      const booked = await gateway.readCharge(chargeId);
      const { refunds = [], ...charge } = booked ?? {};
      const outcome = { chargeId, status: 'succeeded' };
      assert.deepEqual(charge, { key: request.key, orderId: request.orderId, amountCents: 1234, outcome });
      assert.deepEqual(refunds.map(({ amountCents }) => amountCents).sort(), [100, 400]);
      assert.ok(refunds.every(({ isOurs, hasFailed }) => isOurs && !hasFailed));
      assert.equal(await gateway.readCharge('pi_none'), undefined);
    },
  );

  await t.test('a token of the client library becomes a charged card; an unknown one is rejected', async () => {
    const { token, ...shown } = await gateway.acceptToken(subject.token());
    assert.deepEqual([shown.brand, shown.last4], ['visa', '4242']);
    assert.equal((await gateway.charge(requestFor(token))).status, 'succeeded');
    for (const unknown of ['tok_unknown', 'pm_unknown', 'other']) {
      const isRefusal = (error: unknown) => error instanceof Refusal && error.code === 'payment_token_not_accepted';
      await assert.rejects(gateway.acceptToken(unknown), isRefusal);
    }
  });

  await waitsForItsCustomer(t, subject, async () => requestFor(await givenCard('4000002500003155')));
  await holdsMoney(t, subject, async (number) => requestFor(await givenCard(number)));
}

/** The contract of a gateway whose customers may pay in cash: nothing is taken, ever. */
export async function keepsCashContract(t: TestContext, gateway: PaymentGateway): Promise<void> {
  const requestFor = (cardToken: string): Request => {
    const orderId = randomId('ord_');
    return { cardToken, amountCents: 1234, currency: 'usd', key: `${orderId}:1`, orderId };
  };
  await t.test('its token is a payment method of its own each time, which shows no card', async () => {
    const [one, other] = [await gateway.acceptToken(CASH_TOKEN), await gateway.acceptToken(CASH_TOKEN)];
    assert.deepEqual([one.brand, one.last4, one.token === other.token], ['cash', '', false]);
    const isRefusal = (error: unknown) => error instanceof Refusal && error.code === 'payment_token_not_accepted';
    await assert.rejects(gateway.acceptToken('other'), isRefusal);
  });

  await t.test('a charge is to be collected, however often its key comes, also at the same time', async () => {
    const request = requestFor((await gateway.acceptToken(CASH_TOKEN)).token);
    const first = await gateway.charge(request);
    assert.deepEqual(first, { chargeId: first.chargeId, status: 'to_collect' });
    const again = await Promise.all(Array.from({ length: 5 }, () => gateway.charge(request)));
    assert.deepEqual(again, Array(5).fill(first));
    // A gateway without books finds nothing, and answers the repeated charge alike.
    assert.deepEqual((await gateway.findCharge(request)) ?? first, first);
    const other = await gateway.charge(requestFor(request.cardToken));
    assert.notEqual(other.chargeId, first.chargeId);
  });

  await t.test('a refund is a note, once a key, and a payment method is deleted more than once', async () => {
    const request = requestFor((await gateway.acceptToken(CASH_TOKEN)).token);
    const { chargeId } = await gateway.charge(request);
    const note = { chargeId, amountCents: 500, key: `${chargeId}:note` };
    const first = await gateway.refund(note);
    assert.deepEqual(await gateway.refund(note), first);
    assert.notDeepEqual(await gateway.refund({ ...note, amountCents: 734, key: `${chargeId}:rest` }), first);
    await gateway.deleteCard(request.cardToken);
    await gateway.deleteCard(request.cardToken);
  });
}

type Request = ChargeRequest;

/** The contract of a charge that needs the customer's approval. */
async function waitsForItsCustomer(t: TestContext, subject: Subject, givenRequest: () => Promise<Request>) {
  const { gateway, booksOf, answer } = subject;
  const takenFor = async ({ orderId }: Request) =>
    (await booksOf(orderId)).filter(({ status }) => status === 'succeeded').length;
  const givenWaiting = async () => {
    const request = await givenRequest();
    const charge = await gateway.charge(request);
    if (charge.status !== 'waiting') return assert.fail(`the charge is ${charge.status}`);
    assert.ok(charge.authenticationUrl);
    return { request: { ...request, waitingChargeId: charge.chargeId }, charge };
  };

  await t.test(
    'a charge that waits for its customer takes nothing until it is approved and asked for again',
    async () => {
      const { request, charge } = await givenWaiting();
      assert.deepEqual(await gateway.charge(request), charge);
      assert.deepEqual(await gateway.findCharge(request), charge);
      await answer(charge, true);
      assert.deepEqual(await gateway.findCharge(request), { ...charge, authenticationUrl: null });
      assert.equal(await takenFor(request), 0);
      const done = { chargeId: charge.chargeId, status: 'succeeded' };
      assert.deepEqual(await gateway.charge(request), done);
      assert.deepEqual([await gateway.charge(request), await gateway.findCharge(request)], [done, done]);
      assert.equal(await takenFor(request), 1);
      await isUnanswered(() => gateway.cancelCharge(charge.chargeId));
      await gateway.refund({ chargeId: charge.chargeId, amountCents: 1234, key: `${charge.chargeId}:back` });
    },
  );

  await t.test('a customer who fails the check declines the charge for good', async () => {
    const { request, charge } = await givenWaiting();
    await answer(charge, false);
    const declined = { chargeId: charge.chargeId, status: 'declined', declineCode: 'authentication_failed' };
    assert.deepEqual([await gateway.charge(request), await gateway.findCharge(request)], [declined, declined]);
    assert.equal(await takenFor(request), 0);
  });

  for (const when of ['before', 'after'] as const) {
    await t.test(`a charge that is ended ${when} its customer has approved takes nothing, ever`, async () => {
      const { request, charge } = await givenWaiting();
      if (when === 'after') await answer(charge, true);
      await gateway.cancelCharge(charge.chargeId);
      await gateway.cancelCharge(charge.chargeId);
      const ended = await gateway.charge(request);
      assert.equal(ended.status, 'declined');
      assert.deepEqual(await gateway.findCharge(request), ended);
      assert.equal(await takenFor(request), 0);
    });
  }

  await t.test('an approved charge completed by many at once is taken once', async () => {
    const { request, charge } = await givenWaiting();
    await answer(charge, true);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => gateway.charge(request)));
    for (const result of results) {
      if (result.status === 'fulfilled') assert.equal(result.value.status, 'succeeded');
    }
    assert.equal((await gateway.charge(request)).status, 'succeeded');
    assert.equal(await takenFor(request), 1);
  });
}

/** The contract of a gateway that holds money, and takes it later. */
async function holdsMoney(
  t: TestContext,
  { gateway, booksOf, answer }: Subject,
  givenRequest: (number?: string) => Promise<Request>,
) {
  const { authorize, capture } = gateway;
  if (!authorize || !capture) return;
  const booked = async ({ orderId }: Request) =>
    (await booksOf(orderId)).map(({ status, amountCents }) => [status, amountCents]);
  const givenHold = async () => {
    const request = await givenRequest();
    const hold = await authorize(request);
    if (hold.status !== 'authorized') return assert.fail(`the charge is ${hold.status}`);
    return { request, hold, chargeId: hold.chargeId, key: request.key };
  };
  const isAtMost = async ({ chargeId }: { chargeId: string }) => (await gateway.readCharge(chargeId))?.amountCents;

  await t.test('a hold repeated with its key is made once, answered alike, and takes nothing', async () => {
    const { request, hold } = await givenHold();
    assert.deepEqual([await authorize(request), await gateway.findCharge(request)], [hold, hold]);
    const { outcome, amountCents } = (await gateway.readCharge(hold.chargeId)) ?? {};
    assert.deepEqual([outcome, amountCents, await booked(request)], [hold, 1234, [['authorized', 1234]]]);
    await isRefused(() => gateway.refund({ chargeId: hold.chargeId, amountCents: 1, key: `${hold.chargeId}:back` }));
    await isRefused(() => authorize({ ...request, amountCents: 1235 }));
  });

  await t.test('a capture takes its amount once a hold, and frees the rest', async () => {
    const { request, chargeId, key } = await givenHold();
    for (const amountCents of [1235, 0])
      await isRefused(() => capture({ chargeId, amountCents, key: `${key}:${amountCents}` }));
    const racing = Array.from({ length: 4 }, () => capture({ chargeId, amountCents: 1000, key }));
    for (const { status, reason } of (await Promise.allSettled(racing)) as PromiseRejectedResult[])
      assert.ok(status === ('fulfilled' as string) || (reason instanceof OutsideError && reason.retryable));
    await capture({ chargeId, amountCents: 1000, key });
    await isRefused(() => capture({ chargeId, amountCents: 999, key }));
    assert.deepEqual(await gateway.findCharge(request), { chargeId, status: 'succeeded' });
    assert.deepEqual([await booked(request), await isAtMost({ chargeId })], [[['succeeded', 1000]], 1000]);
    await isUnanswered(() => gateway.cancelCharge(chargeId));
    await isRefused(() => gateway.refund({ chargeId, amountCents: 1001, key: `${chargeId}:too-much` }));
    await gateway.refund({ chargeId, amountCents: 1000, key: `${chargeId}:back` });
  });

  await t.test('an ended hold captures nothing, ever', async () => {
    const { request, chargeId, key } = await givenHold();
    await gateway.cancelCharge(chargeId);
    await gateway.cancelCharge(chargeId);
    await isRefused(() => capture({ chargeId, amountCents: 1000, key }));
    assert.equal((await gateway.findCharge(request))?.status, 'declined');
    assert.equal((await gateway.readCharge(chargeId))?.outcome?.status, 'declined');
    assert.deepEqual(await booked(request), [['voided', 1234]]);
  });

  await t.test('a capture and a cancelation of one hold at the same time have one outcome', async () => {
    const { request, chargeId, key } = await givenHold();
    await Promise.allSettled([capture({ chargeId, amountCents: 1000, key }), gateway.cancelCharge(chargeId)]);
    const [[status] = []] = await booked(request);
    assert.equal((await gateway.findCharge(request))?.status, status === 'succeeded' ? 'succeeded' : 'declined');
  });

  await t.test('a hold is declined as a charge is, and one with a lost answer is found', async () => {
    const declined = await authorize(await givenRequest('4000000000009995'));
    assert.deepEqual(declined, { chargeId: declined.chargeId, status: 'declined', declineCode: 'insufficient_funds' });
    const lost = await givenRequest('4000000000000259');
    await isUnanswered(() => authorize(lost));
    assert.equal((await gateway.findCharge(lost))?.status, 'authorized');
  });

  await t.test('a hold that its customer approves holds once it is asked for again', async () => {
    const request = await givenRequest('4000002500003155');
    const charge = await authorize(request);
    if (charge.status !== 'waiting') return assert.fail(`the charge is ${charge.status}`);
    await answer(charge, true);
    const again = { ...request, waitingChargeId: charge.chargeId };
    assert.deepEqual(await gateway.findCharge(again), { ...charge, authenticationUrl: null });
    assert.equal((await authorize(again)).status, 'authorized');
    await capture({ chargeId: charge.chargeId, amountCents: 1234, key: request.key });
    assert.deepEqual(await booked(request), [['succeeded', 1234]]);
  });
}

async function isRefused(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof OutsideError && !error.retryable && isSilent(error));
}

async function isUnanswered(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof OutsideError && error.retryable && isSilent(error));
}

/** True if no part of an error contains card data. */
function isSilent(error: OutsideError): boolean {
  const exposed = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join(' ');
  assert.equal(error.party, 'payment gateway');
  assert.doesNotMatch(exposed, /\d{12,19}|sk_live/);
  return true;
}
