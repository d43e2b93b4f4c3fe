import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { type SignedCall, signedCall, stripeEvent } from '../../../test/fakes/stripe-events.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { givenStripeShop, WEBHOOK_SECRET } from '../../../test/given/stripe-shop.ts';
import { givenApp } from '../../../test/harness.ts';
import { takeStep } from '../money/take-step.flow.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const USER = { user_id: 'u9', user_email: 'u9@example.com' };

const shop = await givenStripeShop(contract);
after(() => shop.close());

const call = ({ payload, headers }: SignedCall) =>
  shop.app.service.http.inject({ method: 'POST', url: '/payment/stripe/webhook', payload, headers });
const findIntent = (orderId: string) =>
  shop.stripe.intents().find(({ metadata }) => metadata.order_id === orderId) ?? assert.fail('no charge');
async function placed(): Promise<{ orderId: string; chargeId: string; cents: number }> {
  const reply = await shop.order();
  assert.equal(reply.body.order_placed, true, reply.text);
  const { id, amount } = findIntent(reply.body.order_id);
  return { orderId: reply.body.order_id, chargeId: id, cents: amount };
}
/** No store confirms a live order here, so it is canceled and refunded a day later. */
async function untilCanceled(): Promise<void> {
  await shop.app.advance({ hours: 25 });
  await shop.app.advance({ seconds: 1 });
}
async function countEvents(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gateway_events`.execute(shop.app.service.deps.db);
  return rows[0]?.count ?? -1;
}

test('a dispute is one operator event with its order, however often it is delivered', async () => {
  const { orderId, chargeId } = await placed();
  const dispute = { id: 'dp_1', payment_intent: chargeId, amount: 700, status: 'needs_response', reason: 'fraudulent' };
  const { now } = shop.app;
  const signed = await signedCall(stripeEvent('charge.dispute.created', dispute, now()), WEBHOOK_SECRET, now());
  for (let time = 0; time < 3; time += 1) assert.equal((await call(signed)).statusCode, 200);
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual(await shop.events(), [['dispute', orderId, 700]]);
  await shop.tell('charge.dispute.closed', { ...dispute, status: 'lost' });
  assert.equal((await shop.events()).length, 2);
});

test('forged, altered, old, unsigned and garbled calls return 400, and nothing is written', async () => {
  const { chargeId } = await placed();
  const now = shop.app.now();
  const event = stripeEvent('charge.dispute.created', { payment_intent: chargeId, amount: 1 }, now);
  const good = await signedCall(event, WEBHOOK_SECRET, now);
  const earlier = await countEvents();
  const calls: SignedCall[] = [
    await signedCall(event, 'whsec_of_another', now),
    { ...good, payload: good.payload.replace('"amount":1', '"amount":2') },
    await signedCall(event, WEBHOOK_SECRET, now.subtract({ seconds: 301 })),
    { ...good, headers: { 'content-type': 'application/json' } },
    { ...good, headers: { ...good.headers, 'stripe-signature': 't=1,v1=00' } },
    { ...good, headers: { ...good.headers, 'stripe-signature': '' } },
    { payload: '', headers: good.headers },
    { payload: '{', headers: { 'content-type': 'application/json' } },
    await signedCall('{"not json', WEBHOOK_SECRET, now),
    await signedCall('[]', WEBHOOK_SECRET, now),
    { ...good, payload: `${good.payload} ` },
  ];
  for (const one of calls) {
    const reply = await call(one);
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 'invalid_request'], one.payload);
    assert.ok(!reply.body.includes('whsec'));
  }
  assert.equal(await countEvents(), earlier);
});

test('events of no concern, and of objects that are not as expected, change nothing; a dispute among them is counted', async () => {
  const { chargeId } = await placed();
  const earlier = await shop.events();
  await shop.tell('customer.created', { id: 'cus_1' });
  await shop.tell('charge.dispute.created', { id: 'dp_2' });
  await shop.tell('charge.dispute.created', { payment_intent: chargeId, amount: 'all' });
  await shop.tell('checkout.session.completed', { id: 'cs_1', mode: 'payment' });
  await shop.tell('payment_intent.succeeded', {});
  await shop.tell('payment_intent.succeeded', { id: 'pi_unknown' });
  assert.deepEqual(await shop.events(), earlier);
  assert.match(await shop.app.service.deps.metrics.text(), /^doorstep_left_out_total\{kind="gateway_event"\} 1$/m);
});

test('a refund made at Stripe itself is counted once, whatever reports it and how often', async () => {
  const { orderId, chargeId, cents } = await placed();
  const first = shop.stripe.refundByHand(chargeId, 300);
  for (const type of ['refund.updated', 'charge.refunded', 'refund.created', 'refund.created']) {
    await shop.tell(type, { ...first });
  }
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', cents, 300]);
  shop.stripe.refundByHand(chargeId, cents - 300);
  await shop.tell('charge.refunded', { id: 'ch_1', payment_intent: chargeId });
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'refunded', cents, cents]);
  const own = (await shop.events()).filter(([, id]) => id === orderId);
  assert.deepEqual(own, [
    ['refund_outside', orderId, 300],
    ['refund_outside', orderId, cents - 300],
  ]);
});

test('an order that is canceled after a part was refunded at Stripe gets the rest back, not more', async () => {
  const { orderId, chargeId, cents } = await placed();
  const refund = shop.stripe.refundByHand(chargeId, 300);
  await shop.tell('refund.created', { ...refund });
  await untilCanceled();
  assert.deepEqual(await shop.stateOf(orderId), ['canceled', 'refunded', cents, cents]);
  assert.equal(shop.kept(orderId), 0);
  for (const own of shop.stripe.refunds()) await shop.tell('refund.updated', { ...own });
  assert.deepEqual(await shop.stateOf(orderId), ['canceled', 'refunded', cents, cents], 'our own refunds count once');
});

test('a refund that failed is an event for the operator', async () => {
  const { orderId, chargeId, cents } = await placed();
  await untilCanceled();
  const refund = shop.stripe.refunds().find((one) => one.payment_intent === chargeId) ?? assert.fail('no refund');
  refund.status = 'failed';
  await shop.tell('refund.failed', { ...refund });
  await shop.tell('refund.updated', { ...refund });
  assert.deepEqual(
    (await shop.events()).filter(([, id]) => id === orderId),
    [['refund_failed', orderId, cents]],
  );
});

test('a success delivered before, after or while its order is placed places it once, with one charge', async () => {
  const { orderId, chargeId, cents } = await placed();
  for (const type of ['payment_intent.payment_failed', 'payment_intent.succeeded', 'payment_intent.canceled']) {
    await shop.tell(type, { id: chargeId });
  }
  assert.deepEqual(await shop.stateOf(orderId), ['awaiting_confirmation', 'charged', cents, 0]);
  assert.equal(shop.kept(orderId), cents);
});

test('a charge whose attempt had timed out is refunded, once', async () => {
  const reply = await shop.order('4000000000000002');
  assert.equal(reply.status, 402);
  const intent = shop.stripe.intents()[0] ?? assert.fail('no charge');
  const orderId = String(intent.metadata.order_id);
  Object.assign(intent, { status: 'succeeded', last_payment_error: null });
  for (let time = 0; time < 3; time += 1) await shop.tell('payment_intent.succeeded', { id: intent.id });
  assert.equal(shop.kept(orderId), 0);
  assert.equal(shop.stripe.refunds().filter((refund) => refund.payment_intent === intent.id).length, 1);
});

for (const type of ['payment_intent.canceled', 'charge.expired']) {
  test(`a hold that is gone, which ${type} reports, is made again once, and that one is captured`, async () => {
    const { app, client } = shop;
    const held = await givenHeldShop(app, { client, line: { external_id: 'butcher', name: 'Butcher' } });
    await givenChannel(app, held.storeId);
    const orderId = await held.placed();
    const statuses = () =>
      shop.stripe.intents().flatMap(({ metadata, status }) => (metadata.order_id === orderId ? [status] : []));
    assert.deepEqual(statuses(), ['requires_capture']);
    await takeStep(app.service.deps, orderId, { event: 'confirm' });
    const hold = findIntent(orderId);
    hold.status = 'canceled';
    const object = type === 'charge.expired' ? { id: `ch_${hold.id}`, payment_intent: hold.id } : { id: hold.id };
    for (let time = 0; time < 2; time += 1) await shop.tell(type, object);
    assert.deepEqual(statuses(), ['requires_capture', 'canceled']);
    await held.weigh(orderId, 1620);
    for (const event of ['ready', 'complete'] as const) await takeStep(app.service.deps, orderId, { event });
    await app.advance({ minutes: 2 });
    assert.deepEqual([statuses(), shop.kept(orderId)], [['succeeded', 'canceled'], 1706]);
  });
}

test('a success of an order that is not known here is left alone: another service may share the account', async () => {
  const { chargeId } = await placed();
  const foreign = { ...chargeOfId(chargeId), id: 'pi_foreign', metadata: { charge_key: 'ord_x:1', order_id: 'ord_x' } };
  shop.stripe.intents().unshift(foreign);
  await shop.tell('payment_intent.succeeded', { id: 'pi_foreign' });
  assert.equal(shop.stripe.refunds().filter((refund) => refund.payment_intent === 'pi_foreign').length, 0);
});
const chargeOfId = (id: string) => shop.stripe.intents().find((one) => one.id === id) ?? assert.fail('no charge');

test("Stripe's page: the card is listed after the webhook, even if the customer never returns", async () => {
  const opened = await shop.client.post('/payment/setup', { ...USER, return_url: 'https://shop.example/back' });
  assert.equal(opened.status, 200, opened.text);
  const session = shop.stripe.sessions().at(-1) ?? assert.fail('no page');
  assert.equal(opened.body.url, `https://checkout.stripe.test/${session.id}`);
  const { pathname } = new URL(session.success_url);
  const back = () => shop.app.service.http.inject({ url: pathname });
  assert.equal((await back()).headers.location, 'https://shop.example/back?status=canceled');
  shop.stripe.completePage(session.id);
  const object = { id: session.id, mode: 'setup', client_reference_id: session.client_reference_id };
  await shop.tell('checkout.session.completed', object);
  await shop.tell('checkout.session.completed', object);
  const listed = async () => (await shop.client.get('/payment/list', { user_id: 'u9' })).body.payment_methods;
  assert.deepEqual(
    (await listed()).map(({ last4 }: { last4: string }) => last4),
    ['4242'],
  );
  assert.equal((await back()).headers.location, 'https://shop.example/back?status=success');
  assert.equal((await listed()).length, 1);
});

test("Stripe's page: the card is listed when the customer returns before the webhook; a silent Stripe is pending", async () => {
  await shop.client.post('/payment/setup', { ...USER, user_id: 'u10', return_url: 'https://shop.example/back' });
  const session = shop.stripe.sessions().at(-1) ?? assert.fail('no page');
  shop.stripe.completePage(session.id, '5555555555554444');
  const { pathname } = new URL(session.success_url);
  shop.stripe.trouble(`/v1/checkout/sessions/${session.id}`, 500);
  const returns = await Promise.all([1, 2].map(() => shop.app.service.http.inject({ url: pathname })));
  const words = returns.map(({ headers }) => String(headers.location).split('status=')[1]).sort();
  assert.deepEqual(words, ['pending', 'success']);
  await shop.tell('checkout.session.completed', {
    id: session.id,
    mode: 'setup',
    client_reference_id: session.client_reference_id,
  });
  assert.equal((await shop.client.get('/payment/list', { user_id: 'u10' })).body.payment_methods.length, 1);
  const page = await shop.app.service.http.inject({ url: pathname.replace('/return', '') });
  assert.equal(page.statusCode, 404, "the sandbox's page is none of a live setup");
});

test('a card of the page pays an order', async () => {
  const { payment_methods } = (await shop.client.get('/payment/list', { user_id: 'u9' })).body;
  const { token } = await savedToken(payment_methods[0].payment_method_id);
  const { live } = shop.app.service.deps.gateways;
  const charge = await live?.charge({
    cardToken: token,
    amountCents: 500,
    currency: 'usd',
    key: 'page:1',
    orderId: 'page',
  });
  assert.equal(charge?.status, 'succeeded');
});

async function savedToken(id: string): Promise<{ token: string }> {
  const { rows } = await sql<{ token: string }>`
    select gateway_token as token from payment_methods where payment_method_id = ${id}`.execute(
    shop.app.service.deps.db,
  );
  return rows[0] ?? assert.fail('no card');
}

test('without a signing secret the webhook returns 503, and other endpoints still accept only JSON', async (t) => {
  const app = await givenApp({ env: { STRIPE_SECRET_KEY: 'sk_live_secret' } });
  t.after(() => app.close());
  const signed = await signedCall(stripeEvent('x', {}, app.now()), WEBHOOK_SECRET, app.now());
  const reply = await app.service.http.inject({ method: 'POST', url: '/payment/stripe/webhook', ...signed });
  assert.deepEqual([reply.statusCode, reply.json().code], [503, 'payment_gateway_not_configured']);
  assert.equal((await app.post('/order/finalize', 'x', { 'content-type': 'text/plain' })).status, 415);
});

const skip = contract ? false : '../shared/data/contracts/stripe-openapi.json is not here';
test("every request of these tests, and every answer of the double, fits Stripe's published contract", { skip }, () => {
  assert.ok(shop.stripe.requests.length > 50);
  assert.deepEqual([...new Set(shop.stripe.faults)], []);
});
