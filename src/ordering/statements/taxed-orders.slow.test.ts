import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readStripeContract } from '../../../test/contracts/stripe-contract.ts';
import { leftOf } from '../../../test/fakes/stripe-tax-books.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenStripeShop, type StripeShop } from '../../../test/given/stripe-shop.ts';
import { adjustOrderItem } from '../money/adjust-item.flow.ts';
import { takeStep } from '../money/take-step.flow.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { recordTaxes } from './record-taxes.job.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../../shared/data/contracts/stripe-openapi.json'));
const CALCULATIONS = '/v1/tax/calculations';
const RECORD = '/v1/tax/transactions/create_from_calculation';
const REVERSE = '/v1/tax/transactions/create_reversal';

const shop = await givenStripeShop(contract, { TAX: 'stripe' });
after(async () => {
  assert.deepEqual([...new Set(shop.stripe.faults)], []);
  await shop.close();
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
const calls = (path: string) => shop.stripe.requests.filter((one) => one.path === path).length;
const callsOf = (path: string, from: number) => calls(path) - from;
const orderOf = async (orderId: string) =>
  (await findAnyOrder(shop.app.service.deps.db, orderId)) ?? assert.fail(`no order ${orderId}`);
/** Runs everything due, and the job that records. */
async function settle(on: StripeShop = shop): Promise<void> {
  await on.app.advance({ seconds: 1 });
  await recordTaxes(on.app.service.deps).run({}, new AbortController().signal);
}
/** An order's tax at Stripe less reversals, with the numbers of records and reversals. */
function bookedAt(on: StripeShop, orderId: string): [taxCents: number, baseCents: number, made: number] {
  const all = on.stripe.transactions();
  const own = all.filter(({ reference }) => reference === orderId || reference.startsWith(`${orderId}:`));
  const sale = own.find(({ type }) => type === 'transaction');
  const left = (sale?.lines ?? []).map(({ id }) => leftOf({ transactions: all }, id));
  return [sum(left.map((line) => line.amount_tax)), sum(left.map(({ amount }) => amount)), own.length];
}
/** An order's taxes in the ledger. */
async function ledgerTax(orderId: string): Promise<number> {
  const { db } = shop.app.service.deps;
  const rows = await db.selectFrom('ledgerEntries').select('taxesCents').where('orderId', '=', orderId).execute();
  return sum(rows.map(({ taxesCents }) => taxesCents));
}
const isRefused = (reply: { status: number; body: { code?: string } }) => [reply.status, reply.body.code];

test('the taxes that Stripe computed are shown, charged, recorded once and in the ledger', async () => {
  const reply = await shop.order();
  assert.equal(reply.status, 200, reply.text);
  const { order_id: orderId, final_quote: shown } = reply.body;
  const [calculation] = shop.stripe.calculations().slice(-1);
  const computed = sum(calculation?.lines.map(({ amount_tax }) => amount_tax) ?? []);
  assert.equal(shown.quote.sales_tax_cents + shown.added_fees.sales_tax_cents, computed);
  assert.deepEqual(shown.quote.taxes, [{ name: 'Sales Tax', amount: shown.quote.sales_tax_cents }]);
  assert.equal(shop.kept(orderId), shown.total_with_tip);
  await settle();
  await settle();
  const [taxCents, , made] = bookedAt(shop, orderId);
  assert.deepEqual([taxCents, made, await ledgerTax(orderId)], [computed, 1, computed]);
});

test('Stripe Tax gets the address of the door, or of the store for a pickup, and nothing else of the customer', async () => {
  await shop.order();
  await shop.order(undefined, { pickup: true });
  const forms = shop.stripe.requests.filter(({ path }) => path.startsWith('/v1/tax')).map(({ form }) => form);
  for (const form of forms) assert.doesNotMatch(JSON.stringify(form), /Customer|"u1"|example\.com|12125550199/);
  const addresses = shop.stripe
    .calculations()
    .map(({ address }) => [address.line1, address.postal_code, address.state]);
  assert.deepEqual(addresses.at(-2), ['10 W 21st St', '10010', 'NY']);
  assert.notEqual(addresses.at(-1)?.[0], '10 W 21st St');
  assert.equal(addresses.at(-1)?.[2], 'NY');
});

test('quotes and carts of stores, and sandbox orders, call nobody', async () => {
  const from = calls(CALCULATIONS);
  const card = await givenPaymentMethod(shop.app);
  const { request, storeId } = await orderOf((await shop.order()).body.order_id);
  const near = { user_latitude: 40.7409, user_longitude: -73.9897, pickup: false };
  for (const [path, query] of [
    ['/details/inventory', { store_id: storeId, include_quote: true, ...near }],
    ['/search/cart', { query: '{"soda":1}', ...near }],
  ] as const) {
    const reply = await shop.client.get(path, query);
    assert.equal(reply.status, 200, reply.text);
  }
  const sandbox = await shop.app.post('/order/order/v2', { ...bodyOf(request), payment_method_id: card });
  assert.equal(sandbox.status, 200, sandbox.text);
  assert.equal(callsOf(CALCULATIONS, from), 1);
});

/** The body that made a request of one product. */
function bodyOf({ items: [item], customer }: Awaited<ReturnType<typeof orderOf>>['request']) {
  const { streetNum, streetName, city, state, zipcode, latitude, longitude } = customer;
  return {
    place_order: true,
    pickup: false,
    autofill_selected_options: true,
    items: [{ product_id: item?.productId }],
    user_latitude: latitude,
    user_longitude: longitude,
    user_street_num: streetNum,
    user_street_name: streetName,
    user_city: city,
    user_state: state,
    user_zipcode: zipcode,
    user_country: 'US',
    user_name: 'N',
    user_email: 'u1@example.com',
    user_phone: 12125550199,
    user_id: 'u1',
  };
}

test('a quoted order is placed at the shown total, by the same calculation, even if Stripe is away then', async () => {
  const quoted = await shop.order(undefined, { place_order: false });
  const { order_id: orderId, final_quote: shown } = quoted.body;
  const from = calls(CALCULATIONS);
  shop.stripe.trouble(CALCULATIONS, 500);
  const placed = await shop.finalize(orderId);
  assert.deepEqual([placed.status, placed.body.order_placed], [200, true], placed.text);
  assert.deepEqual([shop.kept(orderId), callsOf(CALCULATIONS, from)], [shown.total_with_tip, 0]);
  assert.equal((await shop.order()).status, 503);
  await settle();
  assert.equal(bookedAt(shop, orderId)[2], 1);
});

test('after a day a quoted order is computed again, and another address is another question', async () => {
  const orderId = (await shop.order(undefined, { place_order: false })).body.order_id;
  const from = calls(CALCULATIONS);
  await shop.app.advance({ hours: 25 });
  await shop.finalize(orderId);
  await shop.order(undefined, { place_order: false, order_id: orderId, user_zipcode: '10011' });
  assert.ok(callsOf(CALCULATIONS, from) >= 1);
});

for (const trouble of ['lose_answer', 500, 429] as const) {
  test(`without Stripe Tax's response (${trouble}) an order returns 503, and nothing is stored or charged`, async () => {
    const count = async () => (await shop.client.get('/account/orders')).body.orders.length;
    const [before, charges] = [await count(), shop.stripe.intents().length];
    for (const place_order of [true, false]) {
      shop.stripe.trouble(CALCULATIONS, trouble);
      const reply = await shop.order(undefined, { place_order });
      assert.deepEqual(isRefused(reply), [503, 'tax_unavailable'], reply.text);
      assert.ok(reply.headers['retry-after']);
    }
    assert.deepEqual([await count(), shop.stripe.intents().length], [before, charges]);
  });
}

test('TAX_FALLBACK=built-in: an order Stripe can’t compute has its store’s taxes, and no record', async () => {
  const other = await givenStripeShop(contract, { TAX: 'stripe', TAX_FALLBACK: 'built-in' });
  try {
    other.stripe.trouble(CALCULATIONS, 500);
    const reply = await other.order();
    assert.equal(reply.status, 200, reply.text);
    const { order_id: orderId, final_quote: shown } = reply.body;
    assert.equal(other.kept(orderId), shown.total_with_tip);
    const computed = (await other.order()).body;
    await settle(other);
    assert.deepEqual([bookedAt(other, orderId)[2], bookedAt(other, computed.order_id)[2]], [0, 1]);
  } finally {
    await other.close();
  }
});

async function givenConfirmed(): Promise<string> {
  const reply = await shop.order();
  assert.equal(reply.body.order_placed, true, reply.text);
  await takeStep(shop.app.service.deps, reply.body.order_id, { event: 'confirm' });
  return reply.body.order_id;
}

test('partial refunds are reversed once each, also when responses are lost', async () => {
  const orderId = await givenConfirmed();
  shop.stripe.trouble(RECORD, 'lose_answer');
  await settle();
  for (const body of [{ amount: 50 }, { items: [{ index: 0, quantity: 1 }] }]) {
    const reply = await shop.client.post('/order/refund', { order_id: orderId, reason: 'late', ...body });
    assert.equal(reply.status, 200, reply.text);
    shop.stripe.trouble(REVERSE, 'lose_answer');
    await settle();
    await settle();
    assert.equal(bookedAt(shop, orderId)[0], await ledgerTax(orderId));
  }
  assert.equal(bookedAt(shop, orderId)[2], 3);
});

test('missing units and substitutes refund their computed part, a substitute in place of its original', async () => {
  const { storeId } = await orderOf((await shop.order()).body.order_id);
  const tokens = await productTokens(shop.client, storeId);
  const item = { product_id: tokens.Margherita, quantity: 3, substitution: { preference: 'store_choice' } };
  const reply = await shop.order(undefined, { items: [item, { product_id: tokens.Soda }] });
  const orderId = reply.body.order_id;
  await takeStep(shop.app.service.deps, orderId, { event: 'confirm' });
  const command = { by: 'key', guard: async () => {} } as const;
  for (const change of [
    { index: 0, quantity: 2, substitute: null },
    { index: 0, quantity: 2, substitute: tokens.Soda ?? '' },
    { index: 1, quantity: 0, substitute: null },
  ]) {
    const before = await orderOf(orderId);
    await adjustOrderItem(shop.app.service.deps, orderId, { ...command, change });
    await settle();
    await settle();
    const order = await orderOf(orderId);
    assert.ok(order.refundedCents > before.refundedCents, JSON.stringify(change));
    const [taxCents, , made] = bookedAt(shop, orderId);
    assert.equal(taxCents, await ledgerTax(orderId));
    assert.ok(taxCents > 0 && made > 1);
  }
  const { adjustments, quote } = await orderOf(orderId);
  assert.equal(adjustments[0]?.substitute?.taxClass, quote.items[0]?.taxClass);
});

test('items sold by weight are recorded after handoff, with taxes of their final weight', async () => {
  const fees = { delivery_fee: {}, service_fee: {}, small_order_fee: {}, sales_tax_percent: 8 };
  const { app, client } = shop;
  const held = await givenHeldShop(app, { client, line: { external_id: 'butcher', name: 'Butcher', fees } });
  await givenChannel(app, held.storeId);
  for (const milli of [1200, 1500, 1620]) {
    const orderId = await held.placed();
    const { quote } = await orderOf(orderId);
    const most = shop.stripe.calculations().at(-1)?.lines[0] ?? assert.fail();
    const part = Math.round((most.amount_tax * quote.subtotalCents) / most.amount);
    assert.deepEqual([most.amount > quote.subtotalCents, quote.salesTaxCents], [true, part]);
    await settle();
    assert.deepEqual(bookedAt(shop, orderId), [0, 0, 0]);
    await takeStep(app.service.deps, orderId, { event: 'confirm' });
    await held.weigh(orderId, milli);
    for (const event of ['ready', 'complete'] as const) await takeStep(app.service.deps, orderId, { event });
    await app.advance({ minutes: 2 });
    await settle();
    await settle();
    const { capturedCents } = await orderOf(orderId);
    const [taxCents, baseCents] = bookedAt(shop, orderId);
    assert.deepEqual([taxCents + baseCents, taxCents], [capturedCents, await ledgerTax(orderId)], `${milli}`);
    assert.equal(shop.kept(orderId), capturedCents);
  }
});

test('a canceled order leaves nothing at Stripe Tax', async () => {
  const { order_id: orderId } = (await shop.order()).body;
  await settle();
  const reply = await shop.client.post('/order/cancel', { order_id: orderId });
  assert.equal(reply.status, 200, reply.text);
  await settle();
  assert.deepEqual(bookedAt(shop, orderId), [0, 0, 2]);
  assert.equal(await ledgerTax(orderId), 0);
});

test('an order that is paid elsewhere is computed, and not recorded', async () => {
  const from = calls(CALCULATIONS);
  const reply = await shop.order(undefined, { charge_user: false });
  assert.equal(reply.status, 200, reply.text);
  await settle();
  assert.deepEqual([callsOf(CALCULATIONS, from), bookedAt(shop, reply.body.order_id)[2]], [1, 0]);
});

test('health counts orders unrecorded for a day, and lists no store as relying on the built-in taxes', async () => {
  const operator = await givenConsole(shop.app, null);
  const health = async () => (await operator.get('/operator/health')).body;
  const partyNow = async () =>
    (await health()).parties.find(({ party }: { party: string }) => party === 'tax service').last_error;
  const [untaxed = ''] = await givenStores(shop.app, [pizzeria({ external_id: 'untaxed', fees: {} })]);
  await givenChannel(shop.app, untaxed);
  assert.deepEqual((await health()).statewide_tax_stores, []);
  const orderId = await givenConfirmed();
  await settle();
  const { db } = shop.app.service.deps;
  const loseRecord = () => db.updateTable('taxRecords').set({ record: null }).where('orderId', '=', orderId).execute();
  await loseRecord();
  assert.equal(await partyNow(), null, 'it may still be recorded');
  await shop.app.advance({ hours: 25 });
  await loseRecord();
  assert.equal(await partyNow(), 'orders whose taxes have not been recorded for more than a day: 1');
  await settle();
  assert.equal(await partyNow(), null);
});
