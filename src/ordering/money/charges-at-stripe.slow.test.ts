import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { givenStripeShop } from '../../../test/given/stripe-shop.ts';
import { lockOrder } from '../order/orders.db.ts';
import { bookRefund } from './book-refund.flow.ts';
import { findPendingParts, findRefunds } from './refunds.db.ts';
import { reconcileCharge, resolveUnsettledCharges } from './resolve-charges.job.ts';
import { takeStep } from './take-step.flow.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const CARD_REQUIRING_3DS = '4000002500003155';

const shop = await givenStripeShop(contract);
after(() => shop.close());

const ofOrder = (orderId: string) => shop.stripe.intents().filter(({ metadata }) => metadata.order_id === orderId);
const findIntent = (orderId: string) =>
  shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId) ?? assert.fail('no charge');

test('a customer who approves at the bank: the order is finalized with that charge, and late events change nothing', async () => {
  const challenged = await shop.order(CARD_REQUIRING_3DS);
  assert.deepEqual(
    [challenged.status, challenged.body.decline_code],
    [402, 'authentication_required'],
    challenged.text,
  );
  const orderId = challenged.body.order_id;
  const { id, amount } = findIntent(orderId);
  assert.equal(challenged.body.authentication_url, `https://hooks.stripe.test/authenticate/${id}`);
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
  const orderId = (await shop.order(CARD_REQUIRING_3DS)).body.order_id;
  const intent = findIntent(orderId);
  await shop.app.advance({ minutes: 61 });
  assert.equal(intent.status, 'canceled');
  await shop.tell('payment_intent.canceled', { id: intent.id });
  assert.equal((await shop.finalize(orderId)).body.decline_code, 'authentication_required');
  assert.deepEqual([shop.kept(orderId), (await shop.stateOf(orderId))[1]], [0, 'waiting']);
});

const PLACED = ['awaiting_confirmation', 'charged'];
const WAITING = ['unplaced', 'waiting'];
const progressOf = async (orderId: string) => (await shop.stateOf(orderId)).slice(0, 2);

/** An order whose charge its customer approves in the bank's app, without coming back. */
async function givenApproved(changes: object = {}) {
  const challenged = await shop.order(CARD_REQUIRING_3DS, changes);
  const orderId: string = challenged.body.order_id;
  const intent = findIntent(orderId);
  return { orderId, intent, approve: () => shop.stripe.authenticate(intent.id, true) };
}

test('a charge approved in the bank’s app after the customer left places the order when Stripe reports it', async () => {
  const { orderId, intent, approve } = await givenApproved();
  await shop.tell('payment_intent.succeeded', { id: intent.id });
  assert.deepEqual(await progressOf(orderId), WAITING, 'not approved yet');
  approve();
  await shop.tell('payment_intent.succeeded', { id: intent.id });
  await shop.tell('payment_intent.succeeded', { id: intent.id });
  assert.deepEqual([await progressOf(orderId), shop.kept(orderId)], [PLACED, intent.amount]);
  const finalized = await shop.finalize(orderId);
  assert.deepEqual([finalized.status, finalized.body.status], [200, 'awaiting_confirmation'], finalized.text);
  assert.equal(ofOrder(orderId).length, 1);
});

test('a charge that Stripe has already taken places the order when Stripe reports it', async () => {
  const { orderId, intent } = await givenApproved();
  intent.status = 'succeeded';
  await shop.tell('payment_intent.succeeded', { id: intent.id });
  assert.deepEqual([await progressOf(orderId), shop.kept(orderId)], [PLACED, intent.amount]);
});

test('an approval that Stripe never reports is found by time', async () => {
  const { orderId, intent, approve } = await givenApproved();
  approve();
  await shop.app.advance({ minutes: 4 });
  assert.deepEqual([await progressOf(orderId), shop.kept(orderId)], [PLACED, intent.amount]);
});

test('an approval racing the customer’s own retries ends as one order with one charge', async () => {
  const { orderId, intent, approve } = await givenApproved();
  approve();
  const replies = await Promise.all([
    shop.finalize(orderId),
    shop.tell('payment_intent.succeeded', { id: intent.id }),
    shop.finalize(orderId),
    shop.finalize(orderId),
  ]);
  for (const reply of replies) assert.ok(!reply || [200, 409].includes(reply.status), JSON.stringify(reply));
  await shop.app.advance({ minutes: 70 });
  assert.deepEqual([await progressOf(orderId), shop.kept(orderId)], [PLACED, intent.amount]);
  assert.equal(ofOrder(orderId).length, 1);
});

for (const isTaken of [false, true]) {
  const outcome = isTaken ? 'money that Stripe took is given back' : 'nothing is taken';
  test(`approved at a total that has changed since, the order stays unplaced at its quote; ${outcome}`, async () => {
    const { orderId, intent, approve } = await givenApproved();
    const { db } = shop.app.service.deps;
    await sql`update products set price = price + 100`.execute(db);
    if (isTaken) intent.status = 'succeeded';
    else approve();
    await shop.tell('payment_intent.succeeded', { id: intent.id });
    assert.deepEqual(await progressOf(orderId), WAITING);
    await shop.app.advance({ minutes: 61 });
    assert.deepEqual([await progressOf(orderId), shop.kept(orderId)], [['unplaced', 'declined'], 0]);
    // The customer has not seen the new total yet.
    assert.equal((await shop.finalize(orderId)).body.code, 'quote_changed');
    await sql`update products set price = price - 100`.execute(db);
  });
}

for (const trouble of ['lose_answer', 500, 409, 429] as const) {
  test(`completing an approved charge meets ${trouble}: the order ends with one charge`, {
    timeout: 120_000,
  }, async () => {
    const orderId = (await shop.order(CARD_REQUIRING_3DS)).body.order_id;
    const { id, amount } = findIntent(orderId);
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

test('a part is refunded at Stripe under a key of its own, and a tip is a charge of its own, whatever events say', async () => {
  const orderId = (await shop.order()).body.order_id;
  const { amount } = findIntent(orderId);
  const { db } = shop.app.service.deps;
  await takeStep(shop.app.service.deps, orderId, { event: 'confirm' });
  const back = await shop.client.post('/order/refund', { order_id: orderId, amount: 300 });
  assert.deepEqual([back.status, back.body.refunded_amount], [200, 300], back.text);
  const tipped = await shop.client.post('/order/tip', { order_id: orderId, driver_tip_cents: 1200 });
  assert.deepEqual([tipped.status, tipped.body.total_with_tip], [200, amount + 1000], tipped.text);
  for (const { id } of ofOrder(orderId)) await shop.tell('payment_intent.succeeded', { id });
  for (const refund of shop.stripe.refunds()) await shop.tell('refund.updated', { ...refund });
  assert.deepEqual(await shop.stateOf(orderId), ['in_progress', 'charged', amount + 1000, 300]);
  // Part of the tip is refunded directly at Stripe.
  const tip = ofOrder(orderId).find((one) => one.amount === 1000) ?? assert.fail('no charge of the tip');
  await shop.tell('refund.created', { ...shop.stripe.refundByHand(tip.id, 400) });
  await shop.client.post('/order/cancel', { order_id: orderId });
  assert.deepEqual(await shop.stateOf(orderId), ['canceled', 'refunded', amount + 1000, amount + 1000]);
  assert.equal(shop.kept(orderId), 0);
  const ledger = await findRefunds(db, [orderId]);
  assert.deepEqual(
    ledger.map(({ kind, refundedCents }) => [kind, refundedCents]),
    [
      ['requested', 300],
      ['at_gateway', 400],
      ['canceled', amount + 300],
    ],
  );
});

for (const trouble of ['lose_answer', 500] as const) {
  test(`a partial refund meets ${trouble} at Stripe: it is made once`, async () => {
    const orderId = (await shop.order()).body.order_id;
    const { amount } = findIntent(orderId);
    await takeStep(shop.app.service.deps, orderId, { event: 'confirm' });
    shop.stripe.trouble('/v1/refunds', trouble);
    const reply = await shop.client.post('/order/refund', { order_id: orderId, amount: 300 });
    assert.equal(reply.status, 200, reply.text);
    await shop.app.advance({ minutes: 1 });
    await resolveUnsettledCharges(shop.app.service.deps).run({}, new AbortController().signal);
    assert.deepEqual(
      [shop.kept(orderId), await shop.stateOf(orderId)],
      [amount - 300, ['in_progress', 'charged', amount, 300]],
    );
  });
}

test('a refund made at Stripe counts against a pending cancelation: the rest is refunded, each cent once', async () => {
  const orderId = (await shop.order()).body.order_id;
  const { id, amount } = findIntent(orderId);
  // The cancelation is committed, but its refund has not reached Stripe.
  const { db } = shop.app.service.deps;
  await takeStep(shop.app.service.deps, orderId, { event: 'cancel' });
  const refund = shop.stripe.refundByHand(id, 300);
  await reconcileCharge(shop.app.service.deps, { chargeId: id });
  assert.equal(refund.amount, 300);
  await shop.app.advance({ minutes: 1 });
  assert.deepEqual(await shop.stateOf(orderId), ['canceled', 'refunded', amount, amount]);
  assert.equal(shop.kept(orderId), 0);
  const cents = (await findRefunds(db, [orderId])).map(({ kind, refundedCents }) => [kind, refundedCents]);
  assert.deepEqual(cents, [
    ['at_gateway', 300],
    ['canceled', amount - 300],
    ['canceled', 0],
  ]);
});

test('a refund at Stripe settles one open promise, and a promise that can no longer be kept ends', async () => {
  const orderId = (await shop.order()).body.order_id;
  const { id, amount } = findIntent(orderId);
  const { gateways, db } = shop.app.service.deps;
  await takeStep(shop.app.service.deps, orderId, { event: 'confirm' });
  const book = (key: string) =>
    db.transaction().execute(async (tx) => {
      const locked = (await lockOrder(tx, orderId)) ?? assert.fail('no order');
      return bookRefund(tx, locked, { cents: 300, kind: 'requested', key }, shop.app.now());
    });
  // The first refund was made, but its process died before recording it; the second has not reached Stripe.
  await book('made');
  const [part] = await findPendingParts(db, orderId);
  await gateways.live?.refund({ chargeId: id, amountCents: 300, key: part?.gatewayKey ?? '' });
  await book('waits');
  await shop.tell('refund.created', { ...shop.stripe.refundByHand(id, amount - 400) });
  assert.deepEqual(await shop.stateOf(orderId), ['in_progress', 'charged', amount, amount - 100]);
  assert.equal(shop.kept(orderId), 100);
  const ledger = await findRefunds(db, [orderId]);
  const promised = ledger.filter(({ kind }) => kind === 'requested');
  assert.deepEqual(
    new Map(promised.map(({ key, refundedCents }) => [key, refundedCents])),
    new Map([
      ['made', 300],
      ['waits', 0],
    ]),
  );
});

const skip = contract ? false : '../shared/data/contracts/stripe-openapi.json is not here';
test("every request of these tests, and every answer of the double, fits Stripe's published contract", { skip }, () => {
  assert.ok(shop.stripe.requests.length > 30);
  assert.deepEqual([...new Set(shop.stripe.faults)], []);
});
