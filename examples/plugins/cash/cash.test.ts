import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsCashContract } from 'doorstep/plugin-testing';
import { createCash } from './cash.ts';

const gateway = createCash({ limitCents: 5000 });

test('cash keeps the contract of a gateway that charges nothing', (t) => keepsCashContract(t, gateway));

test('a total above the limit is declined, one at the limit is not', async () => {
  const { token: cardToken } = await gateway.acceptToken('cash');
  const order = { cardToken, currency: 'usd', orderId: 'ord_1' } as const;
  assert.equal((await gateway.charge({ ...order, key: 'a', amountCents: 5000 })).status, 'to_collect');
  const above = await gateway.charge({ ...order, key: 'b', amountCents: 5001 });
  assert.deepEqual(above, { chargeId: 'cash_b', status: 'declined', declineCode: 'cash_not_accepted' });
});

test('no card is taken', async () => {
  const card = { number: '4242424242424242', expirationMonth: 12, expirationYear: 2031, cvc: '123' };
  await assert.rejects(gateway.saveCard(card), { code: 'payment_declined' });
});
