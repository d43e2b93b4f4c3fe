import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { type CountedShop, givenCountedShop, silent } from '../../../test/given/counted-shop.ts';
import { givenConsole, givenStaff, givenStoreKey, givenStoreLink } from '../../../test/given/merchant.ts';
import { type Client, clientOf, type Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';

let shop: CountedShop;
let store: Client;
let operator: Client;
let storeId = '';
before(async () => {
  shop = await givenCountedShop();
  [storeId = ''] = (await shop.service.deps.db.selectFrom('stores').select('storeId').execute()).map(
    (row) => row.storeId,
  );
  store = await givenStoreKey(shop, storeId, shop.accountId);
  operator = await givenConsole(shop, null);
});
after(() => shop.close());

const codeOf = ({ status, body }: Reply) => [status, body.code];
const refund = (orderId: string, body: object, headers = {}) =>
  store.post(`/store/orders/${orderId}/refund`, { reason: 'cold', ...body }, headers);
const step = (orderId: string, event: string) => shop.post(`/sandbox/orders/${orderId}/advance`, { event });
const seen = async (orderId: string) => {
  const { body } = await store.get('/store/orders', { since: 0 });
  return body.orders.find((one: { order_id: string }) => one.order_id === orderId) ?? assert.fail('no order');
};
const backOf = async (orderId: string) => (await shop.books(orderId)).reduce((sum, [, refunded]) => sum + refunded, 0);
const setLimit = (refundLimitCents: number | null) =>
  updateStorePreferences(shop.service.deps.db, storeId, { refundLimitCents });

async function givenOrder(quantity = 3, events: readonly string[] = ['confirm'], more: object = {}) {
  const placed = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity }], ...more });
  assert.equal(placed.status, 200, placed.text);
  for (const event of events) assert.equal((await step(placed.body.order_id, event)).status, 200, event);
  return placed.body.order_id as string;
}
const DELIVERED = ['confirm', 'assign_driver', 'pick_up', 'complete'];
/** The store's items, its delivery fee, and the tax on its items. */
const PART = 4500 + 299 + 399;

test('a preview changes nothing, and its amounts reach the customer, taxes and statement once', async () => {
  const orderId = await givenOrder(3, DELIVERED);
  const items = [{ index: 0, quantity: 1 }];
  const previewed = await refund(orderId, { items, preview: true });
  assert.equal(previewed.status, 200, previewed.text);
  const { preview_id: id, ...stated } = previewed.body;
  assert.deepEqual(stated, { order_id: orderId, state: 'preview', amount: 1633, taxes: 133, payout: -1500 });
  assert.deepEqual([await backOf(orderId), (await seen(orderId)).refunds], [0, []]);
  const clicks = await Promise.all([1, 2, 3].map(() => refund(orderId, { items, preview_id: id })));
  for (const click of clicks) {
    assert.deepEqual([click.status, click.body.amount, click.body.refund_id], [200, 1633, clicks[0]?.body.refund_id]);
  }
  assert.equal((await refund(orderId, { items, preview_id: id })).body.state, 'done');
  assert.equal(await backOf(orderId), 1633);
  await shop.advance({ seconds: 2 });
  const { rows } = await statementOf(orderId);
  assert.deepEqual(rows.at(-1), {
    kind: 'refund',
    salesCents: -1500,
    taxesCents: -133,
    storeCents: -1500,
    payoutCents: -1500,
  });
  const { events } = (await operator.get(`/operator/orders/${orderId}`)).body;
  const event = events.find((one: { type: string }) => one.type === 'order.refunded');
  assert.deepEqual([event.data.by, event.data.reason, event.data.refund_cents], ['store', 'cold', 1633]);
});

async function statementOf(orderId: string) {
  const rows = await shop.service.deps.db
    .selectFrom('ledgerEntries')
    .select(['kind', 'salesCents', 'taxesCents', 'storeCents', 'payoutCents'])
    .where('orderId', '=', orderId)
    .orderBy('sequence')
    .execute();
  return { rows };
}

test('a preview that is out of date is refused, and so is one of another amount', async () => {
  const orderId = await givenOrder();
  const { preview_id: id } = (await refund(orderId, { amount: 500, preview: true })).body;
  assert.deepEqual(codeOf(await refund(orderId, { amount: 501, preview_id: id })), [409, 'preview_outdated']);
  await shop.post('/order/refund', { order_id: orderId, amount: 100 });
  assert.deepEqual(codeOf(await refund(orderId, { amount: 500, preview_id: id })), [409, 'preview_outdated']);
  assert.equal(await backOf(orderId), 100);
});

test('a repeated request with its Idempotency-Key is one refund, apart from one of the account with that key', async () => {
  const orderId = await givenOrder();
  const headers = { 'idempotency-key': 'twice' };
  await shop.post('/order/refund', { order_id: orderId, amount: 100 }, headers);
  for (const _ of ['first', 'again']) assert.equal((await refund(orderId, { amount: 200 }, headers)).body.amount, 200);
  assert.equal(await backOf(orderId), 300);
  await refund(orderId, { amount: 1 });
  await refund(orderId, { amount: 1 });
  assert.equal(await backOf(orderId), 302, 'without a key each request is a refund');
});

test('the store gives back its items, its delivery fee and their taxes, and neither tip nor other fees', async () => {
  const orderId = await givenOrder(3, DELIVERED);
  assert.deepEqual(codeOf(await refund(orderId, { amount: PART + 1, preview: true })), [422, 'refund_not_allowed']);
  assert.equal((await refund(orderId, { amount: PART })).status, 200);
  assert.deepEqual(codeOf(await refund(orderId, { amount: 1 })), [422, 'refund_not_allowed']);
  assert.equal(await backOf(orderId), PART);
  const { total_with_tip: total, refunded_amount: refunded } = await seen(orderId);
  assert.ok(refunded === PART && total > PART + 200, `${total}`);
});

test('refunds by account, operator or store appear on the store’s order with who, how much and why', async () => {
  const orderId = await givenOrder();
  await shop.post('/order/refund', { order_id: orderId, amount: 100, reason: 'late' });
  const { preview } = (await operator.post(`/operator/orders/${orderId}/refund`, { amount: 200, preview: true })).body;
  await operator.post(`/operator/orders/${orderId}/refund`, {
    amount: 200,
    reason: 'goodwill',
    preview_id: preview.preview_id,
  });
  await withBrokenGateway(
    shop,
    () => ({ refund: silent }),
    () => refund(orderId, { amount: 300 }),
  );
  const at = Math.floor(shop.now().epochMilliseconds / 1000);
  assert.deepEqual((await seen(orderId)).refunds, [
    { amount: 100, by: 'account', reason: 'late', at, is_done: true },
    { amount: 200, by: 'operator', reason: 'goodwill', at, is_done: true },
    { amount: 300, by: 'store', reason: 'cold', at, is_done: false },
  ]);
  await shop.advance({ minutes: 5 });
  await shop.runLeftOrders();
  assert.deepEqual([(await seen(orderId)).refunds[2].is_done, await backOf(orderId)], [true, 600]);
});

test('until seven days after completion, and only an order of the store that is under way or completed', async () => {
  const orderId = await givenOrder(3, DELIVERED);
  await shop.advance({ hours: 24 * 7 });
  assert.equal((await refund(orderId, { amount: 1, preview: true })).status, 200);
  await shop.advance({ seconds: 1 });
  assert.deepEqual(codeOf(await refund(orderId, { amount: 1, preview: true })), [422, 'refund_not_allowed']);
  assert.equal(
    (await shop.post('/order/refund', { order_id: orderId, amount: 1 })).status,
    200,
    'the account still can',
  );
  const waiting = await givenOrder(1, []);
  assert.deepEqual(codeOf(await refund(waiting, { amount: 1, preview: true })), [422, 'refund_not_allowed']);
  for (const body of [{ amount: 1, reason: ' ' }, { reason: 'x' }, { amount: 1, items: [{ index: 0, quantity: 1 }] }]) {
    assert.deepEqual(codeOf(await refund(waiting, body)), [400, 'invalid_request']);
  }
});

test('the owner and store keys may refund; staff, one-order links, other stores and accounts’ keys may not', async () => {
  const orderId = await givenOrder();
  const path = `/store/orders/${orderId}/refund`;
  const body = { amount: 1, reason: 'cold' };
  const owner = await givenConsole(shop, storeId, shop.accountId);
  assert.equal((await owner.post(path, body)).status, 200);
  const staff = await givenStaff(shop, storeId, 'Luis');
  assert.deepEqual(codeOf(await staff.post(path, body)), [403, 'role_not_allowed']);
  const link = clientOf(shop.service, '', `ds_link_${await givenStoreLink(shop, orderId)}`);
  const byLink = await link.post(path, body);
  assert.ok([401, 403].includes(byLink.status), byLink.text);
  const live = await givenStoreKey(shop, storeId);
  assert.deepEqual(codeOf(await live.post(path, body)), [404, 'order_not_found']);
  assert.equal((await shop.post(path, body)).status, 401);
  assert.equal(await backOf(orderId), 1);
});

test('a day’s limit holds for races of refunds, is whole again the next local day, and 0 is off', async (t) => {
  t.after(() => setLimit(null));
  await shop.advance({ hours: 24 });
  await setLimit(1000);
  const orders = await Promise.all([1, 2, 3, 4].map(() => givenOrder()));
  const tries = await Promise.all([...orders, ...orders].map((orderId) => refund(orderId, { amount: 300 })));
  assert.deepEqual(tries.map(({ status }) => status).toSorted(), [200, 200, 200, 422, 422, 422, 422, 422]);
  const [first = ''] = orders;
  assert.deepEqual(codeOf(await refund(first, { amount: 101, preview: true })), [422, 'refund_not_allowed']);
  assert.equal((await refund(first, { amount: 100 })).status, 200);
  await shop.advance({ hours: 24 });
  assert.equal((await refund(first, { amount: 1000, preview: true })).status, 200);
  await setLimit(0);
  const off = await refund(first, { amount: 1, preview: true });
  assert.deepEqual(
    [...codeOf(off), off.body.detail],
    [422, 'refund_not_allowed', 'The store can refund up to $0.00 more today. The operator sets the daily limit.'],
  );
});

test('a refund that the gateway refuses takes nothing of the day', async (t) => {
  t.after(() => setLimit(null));
  await shop.advance({ hours: 24 });
  await setLimit(500);
  const orderId = await givenOrder();
  const refuses = async () => {
    throw new OutsideError('payment gateway', 'refused', { retryable: false });
  };
  const refused = await withBrokenGateway(
    shop,
    () => ({ refund: refuses }),
    () => refund(orderId, { amount: 500 }),
  );
  assert.deepEqual(codeOf(refused), [422, 'refund_not_allowed']);
  assert.equal((await refund(orderId, { amount: 500 })).status, 200);
});

test('whatever store and account refund at the same time, neither part, charge nor day is exceeded', async (t) => {
  t.after(() => setLimit(null));
  const one = fc.record({
    byStore: fc.boolean(),
    amount: fc.integer({ min: 1, max: 3000 }),
    order: fc.nat({ max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 0, max: 6000 }),
      async (tries, limit) => {
        await shop.advance({ hours: 24 });
        await setLimit(limit);
        const orders = await Promise.all([1, 2, 3].map(() => givenOrder(2)));
        const made = await Promise.all(
          tries.map(async ({ byStore, amount, order }) => {
            const orderId = orders[order] ?? '';
            const reply = byStore
              ? await refund(orderId, { amount })
              : await shop.post('/order/refund', { order_id: orderId, amount });
            return { byStore, orderId, cents: reply.status === 200 ? amount : 0 };
          }),
        );
        const sumOf = (some: typeof made) => some.reduce((sum, { cents }) => sum + cents, 0);
        assert.ok(sumOf(made.filter(({ byStore }) => byStore)) <= limit);
        for (const orderId of orders) {
          const own = made.filter((each) => each.orderId === orderId);
          assert.equal(await backOf(orderId), sumOf(own));
          assert.ok(sumOf(own.filter(({ byStore }) => byStore)) <= 3000 + 299 + 266);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});
