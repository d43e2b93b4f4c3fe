import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { withBrokenGateway } from '../fakes/broken-gateway.ts';
import { givenHeldShop, type HeldShop } from '../given/held-orders.ts';
import { givenOperator, givenStoreKey } from '../given/merchant.ts';
import { inCash } from '../given/orders.ts';
import { type App, type Client, done, givenApp } from '../harness.ts';

/** An order by weight over HTTP alone: from the scale to the final receipt, the store's sales, refunds, and once more. */

let app: App;
let shop: HeldShop;
let store: Client;
let operator: Client;
before(async () => {
  app = await givenApp();
  shop = await givenHeldShop(app);
  const { accountId } = await app.service.deps.db.selectFrom('accounts').select('accountId').executeTakeFirstOrThrow();
  store = await givenStoreKey(app, shop.storeId, accountId);
  operator = await givenOperator(app);
});
after(() => app.close());

/** The order's total in the operator's list and file. */
async function listedTotal(orderId: string): Promise<number> {
  const { orders } = await done(operator.get('/operator/orders', { mode: 'sandbox' }));
  const listed = orders.find(({ order_id: id }: { order_id: string }) => id === orderId);
  const rows = (await operator.get('/operator/orders.csv', { mode: 'sandbox' })).text.split('\r\n');
  const row = rows.find((line) => line.startsWith(orderId))?.split(',') ?? [];
  assert.equal(Number(row[rows[0]?.split(',').indexOf('total_with_tip') ?? -1]), listed.total_with_tip);
  return listed.total_with_tip;
}

const orderOf = async (orderId: string) => (await done(app.get('/account/orders', { order_id: orderId }))).orders[0];

/** A pickup of 1.5 lb at $8.99/lb and a soda of $2.50, weighed and handed off. */
async function handedOver(weight: number, changes = {}): Promise<string> {
  const orderId = await shop.placed(changes);
  await shop.advance(orderId, 'confirm');
  await done(store.post(`/store/orders/${orderId}/items/0`, { weight }));
  await shop.advance(orderId, 'ready', 'complete');
  await app.advance({ seconds: 2 });
  return orderId;
}

async function mailOf(orderId: string, wanted = 'final_receipt'): Promise<string> {
  const { messages } = await done(app.get('/sandbox/messages', { order_id: orderId }));
  const mails = (messages as { kind: string; text: string }[]).filter(({ kind }) => kind === wanted);
  assert.equal(mails.length, 1);
  return mails[0]?.text.replaceAll(/\s+/g, ' ') ?? '';
}

async function pageOf(orderId: string): Promise<string> {
  const { pathname, search } = new URL((await orderOf(orderId)).tracking_link);
  return (await app.get(pathname + search)).text;
}

const today = () => app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
const linesOf = (csv: string) => csv.replace('\uFEFF', '').trim().split('\r\n');
const chicken = async () =>
  (await done(store.get('/store/sales', { from: today(), to: today() }))).dishes.find(
    ({ name }: { name: string }) => name === 'Chicken',
  );

test('the scale’s weight appears in the final receipt, sales and tables, as do its refunds', async () => {
  const orderId = await handedOver(1.62);
  const order = await orderOf(orderId);
  assert.deepEqual([order.total_with_tip, order.captured_cents, order.authorized_cents], [1706, 1706, 1733]);
  assert.equal(await listedTotal(orderId), 1706);
  const receipt = await mailOf(orderId);
  assert.match(receipt, /Your order came to \$17\.06/);
  assert.match(receipt, /estimated at \$15\.99 and came to \$17\.06/);
  assert.match(receipt, /Held on your card:? \$17\.33/);
  assert.match(receipt, /1\.62 lb.*Chicken.*\$14\.56/);
  const noted = /<p class="item-notes">Ordered 1\.5 lb, weighed 1\.62 lb<\/p>/;
  assert.match(await pageOf(orderId), noted, 'is no failure of the store');
  assert.deepEqual(await chicken(), { name: 'Chicken', units: 1, weight: 1.62, unit: 'lb', revenue: 1456 });
  const range = { from: today(), to: today() };
  const dishes = linesOf((await store.get('/store/sales.csv', { ...range, by: 'dish' })).text);
  assert.deepEqual(dishes, ['dish,units,revenue,weight,unit', 'Chicken,1,14.56,1.62,lb', 'Soda,1,2.50,,']);
  const [, row = ''] = linesOf((await store.get('/store/orders.csv', range)).text);
  assert.match(row, /,completed,,2,17\.06,17\.06,0\.00,17\.06,0\.00,0\.00$/);

  const refund = { items: [{ index: 0, weight: 0.5 }], reason: 'Bones' };
  const { preview } = await done(operator.post(`/operator/orders/${orderId}/refund`, { ...refund, preview: true }));
  assert.deepEqual(preview.items, [{ index: 0, quantity: 500, unit: 'lb', amount: 449, tax: 0 }]);
  const made = operator.post(`/operator/orders/${orderId}/refund`, { ...refund, preview_id: preview.preview_id });
  assert.equal((await done(made)).refund_amount, 449);
  assert.deepEqual(await chicken(), { name: 'Chicken', units: 1, weight: 1.62, unit: 'lb', revenue: 1007 });
  const rest = { items: [{ index: 0 }], reason: 'The rest', preview: true };
  assert.equal((await done(operator.post(`/operator/orders/${orderId}/refund`, rest))).refund_amount, 1007);
});

test('items that ran out after weighing are shown as unavailable', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  for (const change of [{ weight: 1.62 }, { quantity: 0 }]) {
    await done(store.post(`/store/orders/${orderId}/items/0`, change));
  }
  assert.match(await pageOf(orderId), /<p class="item-change">Not available<\/p>/);
});

test('the mail on a missing item states the amount paid of the hold, and no refund', async () => {
  const mailAfter = async (...changes: [number, object][]) => {
    const orderId = await shop.placed();
    await shop.advance(orderId, 'confirm');
    for (const [index, change] of changes) await done(store.post(`/store/orders/${orderId}/items/${index}`, change));
    await app.advance({ seconds: 2 });
    return mailOf(orderId, 'order_item_changed');
  };
  const estimated = await mailAfter([1, { quantity: 0 }]);
  assert.match(estimated, /everything you ordered\. Estimated \$13\.49\. Sold by weight: you’ll pay up to \$17\.33\./);
  assert.match(estimated, /Estimated total \(USD\) \.+ \$13\.49 Estimated \$13\.49\./);
  const weighed = await mailAfter([0, { weight: 1.62 }], [1, { quantity: 0 }]);
  assert.match(weighed, /everything you ordered\. You’ll pay \$14\.56 instead\./);
});

test('a lower weight isn’t a store refund where the maximum was charged at placing', async () => {
  const before = await chicken();
  await withBrokenGateway(
    app,
    () => ({ authorize: undefined, capture: undefined }) as object,
    async () => {
      const orderId = await handedOver(1.4);
      assert.equal((await orderOf(orderId)).refunded_amount, 0);
      assert.equal(await listedTotal(orderId), 1509);
      const after = await chicken();
      assert.deepEqual([after.revenue - before.revenue, after.weight - before.weight], [1259, 1.4]);
      const { orders } = await done(store.get('/store/orders', { status: 'completed' }));
      const own = orders.find(({ order_id: id }: { order_id: string }) => id === orderId);
      assert.deepEqual([own.refunds, own.store_part.total], [[], 1509]);
      const receipt = await mailOf(orderId);
      assert.match(receipt, /came to \$15\.09\. We’re refunding \$2\.24 to /);
      assert.match(receipt, /Paid:? \$17\.33 with Visa/);
      assert.doesNotMatch(receipt, /hold|held/i);
    },
  );
});

test('an order without a hold gets one final receipt too when it leaves the store, without mention of a hold', async () => {
  for (const payment of [await inCash(app), { charge_user: false }]) {
    const receipt = await mailOf(await handedOver(1.62, payment));
    assert.match(receipt, /estimated at \$15\.99 and came to \$17\.06\. \w/);
    assert.match(receipt, /1\.62 lb.*Chicken.*\$14\.56/);
    assert.doesNotMatch(receipt, /hold|held|refund/i);
    if (!('charge_user' in payment)) assert.match(receipt, /Paid in cash:? \$17\.06/);
  }
  const orderId = await shop.placed({ ...(await inCash(app)), pickup: false });
  await shop.advance(orderId, 'confirm');
  await done(store.post(`/store/orders/${orderId}/items/0`, { weight: 1.62 }));
  await shop.advance(orderId, 'assign_driver', 'pick_up');
  assert.match(await mailOf(orderId), /To pay in cash:? \$17\.06/);
  await shop.advance(orderId, 'approach', 'complete');
  await mailOf(orderId);
});

/** The page on which a handed off order is ordered again, or why it cannot be. */
async function orderedAgain(orderId: string): Promise<string> {
  const { searchParams } = new URL((await orderOf(orderId)).tracking_link);
  const reply = await app.service.http.inject({
    method: 'POST',
    url: '/checkout/again',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(app.config.trackingUrl).origin },
    payload: searchParams.toString(),
  });
  if (reply.statusCode === 409) return reply.body;
  assert.equal(reply.statusCode, 303, reply.body);
  return (await app.get(new URL(String(reply.headers.location)).pathname, {}, { 'id-token': '' })).text;
}

test('ordered again it is the ordered weight; goods that are sold in other steps by now are left out', async () => {
  const [first, second] = [await handedOver(1.62), await handedOver(1.62)];
  const page = await orderedAgain(first);
  assert.match(page, /1\.5 lb<\/span> Chicken<\/span><span class="price">\$13\.49/);
  assert.match(page, /Estimated \$15\.99\. Sold by weight: you’ll pay up to \$17\.33\./);
  const { db } = app.service.deps;
  const restep = (step: number) =>
    sql`update products set weight = jsonb_set(weight, '{step}', ${JSON.stringify(step)}) where weight is not null`.execute(
      db,
    );
  await restep(1000);
  const without = await orderedAgain(second);
  const changed = await orderedAgain(first);
  await restep(250);
  assert.match(without, /Left out of this order \(not available right now\): Chicken\./);
  assert.doesNotMatch(without, /1\.5 lb/);
  assert.match(changed, /Chicken is no longer available/);
});

test('the account’s share equals the payout statement’s for the goods handed off', async () => {
  const { promotion_id: id } = await done(
    app.post('/account/promotions', { kind: 'percent', percent: 10, max_uses: 9 }),
  );
  const orderId = await shop.placed();
  assert.equal((await orderOf(orderId)).profit, -160);
  await shop.advance(orderId, 'confirm');
  await done(store.post(`/store/orders/${orderId}/items/0`, { weight: 1.62 }));
  await shop.advance(orderId, 'ready', 'complete');
  await app.advance({ seconds: 2 });
  const path = `/operator/stores/${shop.storeId}/statement`;
  const { lines } = await done(operator.get(path, { month: today().slice(0, 7), sandbox_account_id: app.accountId }));
  const sale = lines.find((line: { order_id: string }) => line.order_id === orderId);
  assert.deepEqual([(await orderOf(orderId)).profit, sale.shares.account], [-171, -171]);
  await done(app.post(`/account/promotions/${id}/end`, {}));
});
