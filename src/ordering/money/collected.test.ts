import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenAssigned } from '../../../test/given/driver.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { inCash } from '../../../test/given/orders.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { type App, type Client, givenApp, type Reply } from '../../../test/harness.ts';
import { dispatchAllEvents } from '../order/dispatch-events.flow.ts';

let app: App;
let storeId: string;
let store: Client;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
  store = await givenStoreKey(app, storeId, app.accountId);
});
after(() => app.close());

const HTML = { 'id-token': '', accept: 'text/html' };
const is = (reply: Reply, status: number, code?: string) =>
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);

const givenPickup = async (): Promise<Tracked> => givenTracked(app, storeId, { pickup: true, ...(await inCash(app)) });
const readOrder = async (orderId: string) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const charges = async (orderId: string) => (await app.get('/sandbox/charges', { order_id: orderId })).body.charges;

/** The order's members about its money. */
async function moneyOf(orderId: string) {
  const { to_collect_cents, collected_cents, collected_by, refunded_amount } = await readOrder(orderId);
  return { to_collect_cents, collected_cents, collected_by, refunded_amount };
}
const COLLECTED = { to_collect_cents: undefined, refunded_amount: 0 };

async function linesOf(orderId: string) {
  await dispatchAllEvents(app.service.deps);
  const { lines } = (await store.get('/store/statements', { month: '2026-06' })).body;
  return lines.filter((line: { order_id: string }) => line.order_id === orderId);
}

test('an order in cash is placed uncharged, and every view shows the amount to collect', async () => {
  const { orderId, link, path } = await givenAssigned(app, storeId, await inCash(app));
  const { total_with_tip: total } = await readOrder(orderId);
  const due = { to_collect_cents: total, collected_cents: undefined, collected_by: undefined, refunded_amount: 0 };
  assert.deepEqual(await moneyOf(orderId), due);
  const [charge, ...others] = await charges(orderId);
  assert.deepEqual([charge.status, charge.amount, others.length], ['to_collect', total, 0]);
  const amount = `\\$${(total / 100).toFixed(2)}`;
  assert.match((await app.get(path, {}, HTML)).text, new RegExp(`Collect ${amount} in cash`));
  assert.match((await app.get(link, {}, HTML)).text, new RegExp(`To pay in cash</th><td>${amount}`));
  const { orders } = (await store.get('/store/orders')).body;
  assert.equal(orders.find((one: { order_id: string }) => one.order_id === orderId)?.to_collect_cents, total);
  assert.deepEqual(await linesOf(orderId), [], 'nothing is sold before it is paid');
});

test("the driver's completion records the collected amount, and then the store owes the rest of the order", async () => {
  const { orderId, call } = await givenAssigned(app, storeId, await inCash(app));
  const { total_with_tip: total } = await readOrder(orderId);
  await call('pick_up', {});
  assert.equal((await call('complete', {})).body.stage, 'delivered');
  assert.deepEqual(await moneyOf(orderId), { ...COLLECTED, collected_cents: total, collected_by: 'driver' });
  const [sale, ...others] = await linesOf(orderId);
  const { sales, delivery_fees: delivery, tips_to_pass_on: tip, commission } = sale;
  assert.deepEqual([sale.kind, sale.collected, sale.collected_elsewhere, others.length], ['sale', total, 0, 0]);
  assert.equal(sale.payout, sales + delivery + tip - commission - total);
});

test('a differing amount is recorded, shown to the operator, and changes no statement', async () => {
  const { orderId, advance } = await givenPickup();
  const { total_with_tip: total } = await readOrder(orderId);
  await advance('confirm');
  is(await store.post(`/store/orders/${orderId}/complete`, { collected_cents: total - 50 }), 200);
  is(await store.post(`/store/orders/${orderId}/complete`, { collected_cents: total }), 200);
  assert.deepEqual(await moneyOf(orderId), { ...COLLECTED, collected_cents: total - 50, collected_by: 'store' });
  const [sale] = await linesOf(orderId);
  assert.equal(sale.collected, total);
});

test('missing items and tips before the handoff change the cash to collect; a cancellation clears it', async () => {
  const { orderId } = await givenAssigned(app, storeId, await inCash(app));
  const { total_with_tip: total } = await readOrder(orderId);
  is(await app.post('/order/tip', { order_id: orderId, driver_tip_cents: 500 }), 200);
  assert.equal((await moneyOf(orderId)).to_collect_cents, total + 300);
  is(await store.post(`/store/orders/${orderId}/items/1`, { quantity: 0 }), 200);
  const { adjusted_amount: less } = await readOrder(orderId);
  assert.ok(less > 0);
  assert.equal((await moneyOf(orderId)).to_collect_cents, total + 300 - less);
  is(await app.post('/order/refund', { order_id: orderId, amount: 100 }), 422, 'refund_not_allowed');
  is(await store.post(`/store/orders/${orderId}/cancel`, { reason: 'closed' }), 200);
  assert.deepEqual(await moneyOf(orderId), { ...COLLECTED, collected_cents: undefined, collected_by: undefined });
  assert.deepEqual(await linesOf(orderId), []);
  assert.equal((await charges(orderId)).length, 1);
});

test('a refund of a collected order is a note: the store has that much less of the money', async () => {
  const { orderId, advance, link } = await givenPickup();
  const { total_with_tip: total } = await readOrder(orderId);
  for (const event of ['confirm', 'complete']) await advance(event);
  const refund = await app.post('/order/refund', { order_id: orderId, amount: 300, reason: 'cold' });
  assert.deepEqual([refund.body.state, refund.body.refunded_amount], ['done', 300], refund.text);
  is(await app.post('/order/refund', { order_id: orderId, amount: total - 299 }), 422, 'refund_not_allowed');
  assert.deepEqual((await charges(orderId))[0].refunded_amount, 0, 'no money went through the gateway');
  const [sale, back] = await linesOf(orderId);
  assert.deepEqual([sale.collected, back.collected, back.kind], [total, -300, 'refund']);
  assert.match((await app.get(link, {}, HTML)).text, /will refund you \$3\.00\./);
});

test('no card pays a later tip of an order that was paid in cash', async () => {
  const { orderId, call } = await givenAssigned(app, storeId, await inCash(app));
  await call('pick_up', {});
  await call('complete', { collected_cents: 9900 });
  is(await app.post('/order/tip', { order_id: orderId, driver_tip_cents: 5000 }), 422, 'tip_not_allowed');
});
