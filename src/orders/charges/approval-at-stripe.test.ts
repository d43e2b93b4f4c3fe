import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { givenStripeShop, type StripeShop } from '../../../test/given-stripe-shop.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const ASKS_CUSTOMER = '4000002500003155';

let shop: StripeShop;
before(async () => {
  shop = await givenStripeShop(contract);
});
after(() => shop.close());

const chargeOf = (orderId: string) =>
  shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId) ?? assert.fail('no charge');

test('a customer who approves at the bank: the order is finalized with that charge, and late events change nothing', async () => {
  const asked = await shop.order(ASKS_CUSTOMER);
  assert.deepEqual([asked.status, asked.body.decline_code], [402, 'authentication_required'], asked.text);
  const orderId = asked.body.order_id;
  const { id, amount } = chargeOf(orderId);
  assert.equal(asked.body.authentication_url, `https://hooks.stripe.test/authenticate/${id}`);
  assert.equal((await shop.finalize(orderId)).status, 402);
  shop.stripe.authenticate(id, true);
  assert.equal(shop.kept(orderId), 0);
  const reply = await shop.finalize(orderId);
  assert.deepEqual([reply.status, reply.body.order_placed], [200, true], reply.text);
  await shop.tell('payment_intent.succeeded', { id });
  await shop.app.advance({ minutes: 70 });
  assert.deepEqual(
    [shop.kept(orderId), await shop.stateOf(orderId)],
    [amount, ['awaiting_confirmation', 'charged', amount, 0]],
  );
});

test('a customer who never approves: Stripe ends the charge after an hour, and a later approval takes nothing', async () => {
  const orderId = (await shop.order(ASKS_CUSTOMER)).body.order_id;
  const intent = chargeOf(orderId);
  await shop.app.advance({ minutes: 61 });
  assert.equal(intent.status, 'canceled');
  await shop.tell('payment_intent.canceled', { id: intent.id });
  assert.equal((await shop.finalize(orderId)).body.decline_code, 'authentication_required');
  assert.deepEqual([shop.kept(orderId), (await shop.stateOf(orderId))[1]], [0, 'waiting']);
});

test('a customer who approved but never came back: the approved charge is ended too', async () => {
  const orderId = (await shop.order(ASKS_CUSTOMER)).body.order_id;
  const intent = chargeOf(orderId);
  shop.stripe.authenticate(intent.id, true);
  await shop.app.advance({ minutes: 61 });
  assert.deepEqual([intent.status, shop.kept(orderId)], ['canceled', 0]);
});

for (const trouble of ['lose_answer', 500, 409, 429] as const) {
  test(`completing an approved charge meets ${trouble}: the order ends with one charge`, {
    timeout: 120_000,
  }, async () => {
    const orderId = (await shop.order(ASKS_CUSTOMER)).body.order_id;
    const { id, amount } = chargeOf(orderId);
    shop.stripe.authenticate(id, true);
    shop.stripe.trouble(`/v1/payment_intents/${id}/confirm`, trouble);
    const reply = await shop.finalize(orderId);
    if (reply.status !== 200) {
      await shop.app.advance({ seconds: 30 });
      await shop.finalize(orderId);
    }
    assert.deepEqual([(await shop.stateOf(orderId))[1], shop.kept(orderId)], ['charged', amount]);
    assert.equal(shop.stripe.intents().filter(({ metadata }) => metadata.order_id === orderId).length, 1);
  });
}

const skip = contract ? false : '../shared/data/contracts/stripe-openapi.json is not here';
test("every request of these tests, and every answer of the double, fits Stripe's published contract", { skip }, () => {
  assert.ok(shop.stripe.requests.length > 30);
  assert.deepEqual([...new Set(shop.stripe.faults)], []);
});
