import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { CARD, givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { setPermissions } from '../../access/budgets/account-limits.db.ts';
import { takeStep } from '../money/take-step.flow.ts';

let app: App;
let storeId = '';
let card = '';
let tokens: Record<string, string>;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  tokens = await productTokens(app, storeId);
  card = await givenPaymentMethod(app, CARD.card_number);
});

type Item = { product_id: string | undefined; quantity?: number; product_marked_price?: number };

/** Sodas cost 250 cents, and the store takes orders from 500 cents. */
const soda = (product_marked_price?: number, quantity = 1): Item => ({
  product_id: tokens.Soda,
  quantity,
  ...(product_marked_price === undefined ? {} : { product_marked_price }),
});

function markedBody(items: Item[], changes: object = {}, payment = card) {
  const email_receipt_specifications = { prices_marked: true };
  return orderBody(undefined, payment, { items, email_receipt_specifications, ...changes });
}

const order = (items: Item[], changes: object = {}, client: Client = app) =>
  client.post('/order/order/v2', markedBody(items, changes));

test('a cart below the store price is refused wherever it is priced, and names the difference', async (t) => {
  const below = [soda(150, 4)];
  await t.test('quoted and placed: 422 markup_not_allowed, and nothing is stored', async () => {
    for (const place_order of [false, true]) {
      const { status, body } = await order(below, { place_order });
      assert.deepEqual([status, body.code], [422, 'markup_not_allowed']);
      assert.match(body.detail, /400 cents below/);
    }
    for (const status of ['', 'unplaced']) {
      const { body } = await app.get('/account/orders', { status, include_order_count: true });
      assert.equal(body.order_count, 0);
    }
  });

  await t.test('a total of nothing for a cart that costs the store something is refused', async () => {
    const { body } = await order([soda(0, 16)], { pickup: true, place_order: false });
    assert.equal(body.code, 'markup_not_allowed');
  });

  await t.test('an unplaced order is not replaced by such a cart, and stays as it was', async () => {
    const quoted = await order([soda(300, 4)], { place_order: false });
    assert.equal(quoted.status, 200, quoted.text);
    const { order_id } = quoted.body;
    assert.equal((await order(below, { order_id, place_order: false })).body.code, 'markup_not_allowed');
    const { body } = await app.get('/account/orders', { order_id });
    assert.equal(body.orders[0].total_with_tip, readTotal(quoted.body));
    assert.equal((await app.post('/order/finalize', { order_id })).status, 200);
  });

  await t.test('marks without prices_marked are no mark-up', async () => {
    const specifications = { email_receipt_specifications: { prices_marked: false } };
    assert.equal((await order(below, { ...specifications, place_order: false })).status, 200);
  });

  await t.test('another fault of the order is first, and the mark-up is among the errors', async () => {
    const { body } = await order([soda(100, 1)], { place_order: false });
    assert.equal(body.code, 'order_minimum_not_met');
    assert.equal(body.errors.length, 2);
  });
});

test('the permission of an account is its own, works at once and ends at once', async () => {
  const { db } = app.service.deps;
  const other = await app.givenClient();
  const below = [soda(150, 4)];
  await setPermissions(db, other.accountId, { negativeMarkup: true });
  const quoted = await order(below, { place_order: false, payment_method_id: undefined }, other);
  assert.equal(quoted.status, 200, quoted.text);
  assert.equal((await order(below, { place_order: false })).body.code, 'markup_not_allowed');
  await setPermissions(db, other.accountId, { negativeMarkup: false });
  // Quoted without a guaranteed price, so the order is repriced when it is finalized.
  const method = await givenPaymentMethod(other);
  const body = { ...markedBody(below, { place_order: false }, method), order_id: quoted.body.order_id };
  assert.equal((await other.post('/order/order/v2', body)).body.code, 'markup_not_allowed');
  await setPermissions(db, other.accountId, { negativeMarkup: true });
  assert.equal((await other.post('/order/order/v2', body)).status, 200);
  await setPermissions(db, other.accountId, { negativeMarkup: false });
  const finalized = await other.post('/order/finalize', { order_id: quoted.body.order_id });
  assert.deepEqual([finalized.status, finalized.body.code], [422, 'markup_not_allowed']);
});

test('a missing item never turns an agreed order into a refusal, though the rest is below the store price', async () => {
  // The first item's markup offsets the second's; the store runs out of the first.
  const placed = await order([soda(750, 2), soda(0, 4)]);
  assert.equal(placed.status, 200, placed.text);
  const { order_id } = placed.body;
  await takeStep(app.service.deps, order_id, { event: 'confirm' });
  const store = await givenStoreKey(app, storeId, app.accountId);
  const reply = await store.post(`/store/orders/${order_id}/items/0`, { quantity: 1 });
  assert.equal(reply.status, 200, reply.text);
  const { body } = await app.get('/account/orders', { order_id });
  assert.equal(body.orders[0].status, 'in_progress');
  assert.ok(body.orders[0].adjusted_amount >= 750);
});

test('no cart that is accepted without the permission charges less than the same cart without marks', async () => {
  const mark = fc.option(fc.integer({ min: 0, max: 700 }), { nil: undefined });
  const item = fc.record({ mark, quantity: fc.integer({ min: 1, max: 4 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), fc.boolean(), async (items, pickup) => {
      const marked = items.map(({ mark: cents, quantity }) => soda(cents, quantity));
      const plain = items.map(({ quantity }) => soda(undefined, quantity));
      const markup = items.reduce((sum, { mark: cents = 250, quantity }) => sum + (cents - 250) * quantity, 0);
      const changes = { place_order: false, pickup, driver_tip_cents: 0 };
      const [own, markedUp] = [await order(plain, changes), await order(marked, changes)];
      if (own.status !== 200) return assert.equal(markedUp.status, own.status);
      assert.deepEqual(
        [markedUp.status, markedUp.body.code],
        markup < 0 ? [422, 'markup_not_allowed'] : [200, undefined],
      );
      if (markedUp.status === 200) assert.ok(readTotal(markedUp.body) >= readTotal(own.body));
    }),
    { numRuns: runs(60) },
  );
});

const readTotal = (answer: { final_quote: { total_with_tip: number } }) => answer.final_quote.total_with_tip;
