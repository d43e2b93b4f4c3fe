import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { OutsideError } from '../../src/lib/outside-error.ts';
import { randomId } from '../../src/lib/random-id.ts';
import type { PaymentGateway } from '../../src/payments/payment-gateway.ts';

/** A charge of an order in the gateway's own books. */
export type Booked = { chargeId: string; amountCents: number; status: 'succeeded' | 'declined' };
export type Subject = { gateway: PaymentGateway; booksOf(orderId: string): Promise<Booked[]> };

const DECLINES = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
};

/** The contract of the port: every gateway and every double must keep it. */
export async function keepsGatewayContract(t: TestContext, { gateway, booksOf }: Subject): Promise<void> {
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

  await t.test('a charge whose answer is lost stands, is found, and is not made twice', async () => {
    const request = requestFor(await givenCard('4000000000000259'));
    await isUnanswered(() => gateway.charge(request));
    const found = await gateway.findCharge(request);
    assert.equal(found?.status, 'succeeded');
    assert.deepEqual(await gateway.charge(request), found);
    assert.equal((await booksOf(request.orderId)).length, 1);
  });

  await t.test('an amount of nothing, or less, is refused', async () => {
    for (const amountCents of [0, -1])
      await isRefused(async () => gateway.charge(requestFor(await givenCard(), amountCents)));
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
}

async function isRefused(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof OutsideError && !error.retryable && isSilent(error));
}

async function isUnanswered(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof OutsideError && error.retryable && isSilent(error));
}

/** Whether no part of an error holds data of a card. */
function isSilent(error: OutsideError): boolean {
  const told = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join(' ');
  assert.equal(error.party, 'payment gateway');
  assert.doesNotMatch(told, /\d{12,19}|sk_live/);
  return true;
}
