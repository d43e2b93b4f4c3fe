import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenStripeShop } from '../../../test/given/stripe-shop.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { endCardSetup, insertCardSetup } from '../payments/card-setups.db.ts';
import { holdWithCustomer } from './hold-again.flow.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const CARD_REQUIRING_3DS = '4000002500003155';

const shop = await givenStripeShop(contract);
const held = await givenHeldShop(shop.app, { client: shop.client });
await givenChannel(shop.app, held.storeId);
after(() => shop.close());

const read = async (orderId: string) =>
  (await findAnyOrder(shop.app.service.deps.db, orderId)) ?? assert.fail('no order');
const hold = async (orderId: string) =>
  holdWithCustomer(shop.app.service.deps, await read(orderId), { keyId: 'checkout' });
const intentsOf = (orderId: string) => shop.stripe.intents().filter(({ metadata }) => metadata.order_id === orderId);
const statesOf = (orderId: string) =>
  intentsOf(orderId)
    .map(({ status }) => status)
    .toSorted();

/** An order whose hold ends in 20 hours, and whose new card waits for the customer's approval. */
async function givenWaitingHold() {
  const { app, stripe } = shop;
  const { db } = app.service.deps;
  stripe.holdUntil(app.now().add({ hours: 7 * 24 }));
  const orderId = await held.placed();
  assert.deepEqual(statesOf(orderId), ['requires_capture']);
  await app.advance({ seconds: 1 });
  const { accountId, mode, request } = await read(orderId);
  const { userId, email: userEmail } = request.customer;
  const paymentMethodId = await givenPaymentMethod(shop.client, CARD_REQUIRING_3DS);
  const setupId = `set_${orderId}`;
  const setup = { setupId, accountId, mode, userId, userEmail, orderId, returnUrl: 'https://shop.example.com/' };
  const page = { gatewaySession: null, state: 'open', paymentMethodId: null, expiresAt: app.now() } as const;
  await insertCardSetup(db, { ...setup, ...page }, app.now());
  await endCardSetup(db, setupId, { state: 'completed', paymentMethodId });
  const until = app.now().add({ hours: 20 }).toString();
  await sql`update orders set hold_until = ${until} where order_id = ${orderId}`.execute(db);
  const isWaiting = (error: { extras: { members: object } }) => 'authentication_url' in error.extras.members;
  await assert.rejects(hold(orderId), isWaiting);
  const { waitingChargeId } = await read(orderId);
  return { orderId, paymentMethodId, waitingChargeId: waitingChargeId ?? assert.fail('no charge waits') };
}

async function assertHeldBy({
  orderId,
  paymentMethodId,
  waitingChargeId,
}: Awaited<ReturnType<typeof givenWaitingHold>>) {
  const { chargeId, holdAttempt, chargeAttempt, request } = await read(orderId);
  assert.deepEqual([chargeId, request.paymentMethodId, chargeAttempt], [waitingChargeId, paymentMethodId, holdAttempt]);
}

test('another card that needs an approval holds once it has it, and the first card is given free by its charge', async () => {
  const { app, stripe } = shop;
  const waiting = await givenWaitingHold();
  const { orderId, waitingChargeId } = waiting;
  await app.advance({ minutes: 6 });
  stripe.authenticate(waitingChargeId, true);
  await Promise.all([hold(orderId), hold(orderId)]);
  await assertHeldBy(waiting);
  await app.advance({ minutes: 70 });
  assert.deepEqual(statesOf(orderId), ['canceled', 'requires_capture']);
  const customers = new Set(intentsOf(orderId).map(({ customer }) => customer));
  assert.equal(customers.size, 2, 'each card is of a customer of its own');
});

test('a customer who approves in the bank’s app and does not come back has the card hold within minutes', async () => {
  const { app, stripe } = shop;
  const waiting = await givenWaitingHold();
  await app.advance({ minutes: 4 });
  const { chargeId } = await read(waiting.orderId);
  assert.notEqual(chargeId, waiting.waitingChargeId, 'a look-up before the approval ends nothing');
  stripe.authenticate(waiting.waitingChargeId, true);
  await app.advance({ minutes: 4 });
  await assertHeldBy(waiting);
  await app.advance({ minutes: 70 });
  assert.deepEqual(statesOf(waiting.orderId), ['canceled', 'requires_capture']);
});

test('a notice of the gateway about the waiting charge has an approval used at once', async () => {
  const waiting = await givenWaitingHold();
  shop.stripe.authenticate(waiting.waitingChargeId, true);
  await shop.tell('payment_intent.payment_failed', { id: waiting.waitingChargeId });
  await assertHeldBy(waiting);
});
