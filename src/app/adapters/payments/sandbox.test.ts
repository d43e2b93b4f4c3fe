import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { keepsCashContract, keepsGatewayContract } from '../../../../test/contracts/gateway-contract.ts';
import { givenOwnApp } from '../../../../test/harness.ts';

const app = await givenOwnApp();
const gateway = app.service.deps.gateways.sandbox;
after(() => app.close());

const CARD = { number: '4242424242424242', expirationMonth: 7, expirationYear: 2031, cvc: '012' };
const readBooks = async (orderId: string) =>
  (await gateway.listCharges({ orderId })).map(({ chargeId, amountCents, status }) => ({
    chargeId,
    amountCents,
    status,
  }));

test('the sandbox keeps the contract of a payment gateway', (t) =>
  keepsGatewayContract(t, {
    gateway,
    booksOf: readBooks,
    token: () => 'tok_visa',
    answer: async ({ authenticationUrl }, isApproved) => {
      const link = String(authenticationUrl).split('/').at(-1) ?? '';
      await gateway.answerPendingApproval(link, isApproved);
    },
  }));

test('the sandbox keeps the contract of cash', (t) => keepsCashContract(t, gateway));

test('its record survives a rollback of the surrounding transaction', async () => {
  const { token } = await gateway.saveCard(CARD);
  const request = { cardToken: token, amountCents: 50, currency: 'cad', key: 'undone:1', orderId: 'undone' } as const;
  await assert.rejects(
    app.service.deps.db.transaction().execute(async () => {
      await gateway.charge(request);
      throw new Error('undo');
    }),
  );
  assert.equal((await readBooks('undone')).length, 1);
});

test('racing refunds under different keys never give back more than was charged', async () => {
  const { token } = await gateway.saveCard(CARD);
  const { chargeId } = await gateway.charge({
    cardToken: token,
    amountCents: 100,
    currency: 'usd',
    key: 'race:1',
    orderId: 'race',
  });
  await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => gateway.refund({ chargeId, amountCents: 30, key: `race:refund:${at}` })),
  );
  assert.equal((await gateway.listCharges({ orderId: 'race' }))[0]?.refundedCents, 90);
});

test('a database that is gone is a gateway that does not answer', async () => {
  const other = await givenOwnApp();
  await sql`drop schema ${sql.id(other.schema)} cascade`.execute(other.service.deps.db);
  await assert.rejects(other.service.deps.gateways.sandbox.saveCard(CARD), { name: 'OutsideError', retryable: true });
  await other.close();
});
