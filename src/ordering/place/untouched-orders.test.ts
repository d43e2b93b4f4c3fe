import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { runRetention } from '../../../test/given/expired-rows.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { lockOrder } from '../order/orders.db.ts';

const shop = await givenPizzeria();
after(() => shop.close());

const runJob = () => runRetention(shop);
const quote = (changes: object = {}) => shop.place('Margherita', { items: [shop.bigPie()], ...changes });
async function givenUnplaced(): Promise<string> {
  return (await quote({ place_order: false })).body.order_id;
}
const isThere = async (orderId: string) => (await shop.orderOf(orderId)) !== undefined;
const finalize = (orderId: string) => shop.post('/order/finalize', { order_id: orderId });

test('an unplaced order is kept for 30 days, and its id names none after them', async () => {
  const orderId = await givenUnplaced();
  await shop.advance({ hours: 24 * 30 - 1 });
  await runJob();
  assert.equal((await shop.orderOf(orderId)).status, 'unplaced');
  await shop.advance({ hours: 2 });
  await runJob();
  assert.equal(await isThere(orderId), false);
  const reply = await finalize(orderId);
  assert.deepEqual([reply.status, reply.body.code], [404, 'order_not_found']);
});

test('each way to touch an unplaced order begins the 30 days again', async () => {
  const [replaced, declined, requoted] = [await givenUnplaced(), await givenUnplaced(), await givenUnplaced()];
  const poor = await givenPaymentMethod(shop, '4000000000000002');
  await shop.advance({ hours: 24 * 29 });
  assert.equal((await quote({ place_order: false, order_id: replaced })).status, 200);
  assert.equal((await quote({ order_id: declined, payment_method_id: poor })).body.code, 'payment_declined');
  await sql`update orders set total_with_tip = 1, quote = jsonb_set(quote, '{totalWithTipCents}', '1')
    where order_id = ${requoted}`.execute(shop.service.deps.db);
  assert.equal((await finalize(requoted)).body.code, 'quote_changed');
  await shop.advance({ hours: 24 * 29 });
  await runJob();
  for (const orderId of [replaced, declined, requoted]) assert.ok(await isThere(orderId), orderId);
  await shop.advance({ hours: 25 });
  await runJob();
  for (const orderId of [replaced, declined, requoted]) assert.ok(!(await isThere(orderId)), orderId);
});

test('placed orders are kept in any state, and so is one with an unknown charge', async () => {
  const [open, canceled, completed] = await Promise.all([0, 1, 2].map(async () => (await quote()).body.order_id));
  await shop.step(canceled, 'cancel');
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete']) await shop.step(completed, event);
  const body = orderBody(shop.tokens.Margherita, shop.card, { items: [shop.bigPie()] });
  const killed = () => shop.post('/order/order/v2', body, { 'idempotency-key': 'killed' });
  await withBrokenGateway(shop, killedBeforeCharging, killed);
  const { db } = shop.service.deps;
  await sql`update orders set created_at = created_at - interval '90 days'`.execute(db);
  await runJob();
  for (const orderId of [open, canceled, completed]) assert.ok(await isThere(orderId), orderId);
  const { rows } = await sql`select from orders where idempotency_key = 'killed'`.execute(db);
  assert.equal(rows.length, 1);
});

test('thousands are handled in one run, and a row locked by a request is skipped', async () => {
  const { db } = shop.service.deps;
  const orderId = await givenUnplaced();
  await sql`insert into orders (order_id, account_id, mode, user_id, store_id, status, pickup, request, quote,
      total_with_tip, charge_user, charge_state, created_at)
    select 'old_' || n, account_id, mode, user_id, store_id, status, pickup, request, quote, total_with_tip,
      charge_user, charge_state, created_at
    from orders, generate_series(1, 1700) n where order_id = ${orderId}`.execute(db);
  await sql`update orders set created_at = created_at - interval '31 days'
    where order_id like 'old_%' or order_id = ${orderId}`.execute(db);
  await db.transaction().execute(async (tx) => {
    await lockOrder(tx, orderId);
    await runJob();
  });
  const { rows } = await sql<{ orderId: string }>`
    select order_id from orders where status = 'unplaced' and charge_state = 'none'`.execute(db);
  assert.deepEqual(rows, [{ orderId }]);
});
