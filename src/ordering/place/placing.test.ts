import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import type { Order } from '../order/order.ts';
import { insertOrders, placeOrders } from '../order/order-statements.db.ts';
import { findAnyOrder } from '../order/orders.db.ts';

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const product = (await productTokens(app, storeId)).Soda;
const cards = {
  pays: await givenPaymentMethod(app),
  declines: await givenPaymentMethod(app, 4000000000000002),
  losesAnswer: await givenPaymentMethod(app, 4000000000000259),
};
after(() => app.close());

const place = (card: string, headers: Record<string, string> = {}) =>
  app.post('/order/order/v2', orderBody(product, card, { items: [{ product_id: product, quantity: 9 }] }), headers);
const readCharges = async (orderId: string) =>
  (await app.get('/sandbox/charges', { order_id: orderId })).body.charges.map(
    ({ amount }: { amount: number }) => amount,
  );

test('of orders placed at once each is charged, declined or refused by itself', async () => {
  const replies = await Promise.all([
    place(cards.pays),
    place(cards.declines),
    place(cards.pays),
    place(cards.losesAnswer),
    place('pm_unknown'),
    place(cards.pays),
  ]);
  const outcome = ({ status, body }: (typeof replies)[number]) => body.code ?? status;
  assert.deepEqual(replies.map(outcome), [...[200, 'payment_declined', 200, 200, 'payment_method_not_found', 200]]);
  const placed = replies.filter(({ status }) => status === 200);
  assert.equal(new Set(placed.map(({ body }) => body.order_id)).size, 4);
  for (const { body } of placed) {
    assert.deepEqual(await readCharges(body.order_id), [body.final_quote.total_with_tip]);
  }
});

test('one Idempotency-Key sent many times at once is one order, charged once', async () => {
  const replies = await Promise.all(Array.from({ length: 6 }, () => place(cards.pays, { 'idempotency-key': 'same' })));
  const ids = new Set(replies.map(({ body }) => body.order_id));
  assert.deepEqual([replies.map(({ status }) => status), ids.size], [Array(6).fill(200), 1]);
  assert.equal((await readCharges([...ids][0])).length, 1);
});

async function givenOrder(): Promise<Order> {
  const order = await findAnyOrder(app.service.deps.db, (await place(cards.pays)).body.order_id);
  return order ?? assert.fail();
}

test('of new orders stored at once, only the one with a taken key is left out', async () => {
  const { db } = app.service.deps;
  const template = await givenOrder();
  const given = (orderId: string, idempotencyKey: string | null): Order => ({ ...template, orderId, idempotencyKey });
  assert.deepEqual([...(await insertOrders(db, [given('ord_first', 'taken')]))], ['ord_first']);
  const stored = await insertOrders(db, [given('ord_a', null), given('ord_b', 'taken'), given('ord_c', null)]);
  assert.deepEqual([...stored].sort(), ['ord_a', 'ord_c']);
  assert.equal(await findAnyOrder(db, 'ord_b'), undefined);
});

test('new orders with the same keys stored at once in opposite order don’t deadlock', async () => {
  const { db } = app.service.deps;
  const template = await givenOrder();
  const given = (node: string, keys: string[]): Order[] =>
    keys.map((key) => ({ ...template, orderId: `ord_${node}_${key}`, idempotencyKey: `circle-${key}` }));
  const [inserted, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Another transaction holds the middle key, so both statements are blocked when it is released.
  const holder = db.transaction().execute(async (tx) => {
    await insertOrders(tx, given('holder', ['m']));
    inserted.resolve();
    await leave.promise;
    throw new Error('rolled back');
  });
  await inserted.promise;
  const both = [insertOrders(db, given('one', ['a', 'm', 'z'])), insertOrders(db, given('two', ['z', 'm', 'a']))];
  const stored = Promise.all(both);
  stored.catch(() => {});
  await until('both wait', async () => (await countWaiting()) === 2);
  leave.resolve();
  await assert.rejects(holder, /rolled back/);
  const keys = (await stored).flatMap((orderIds) => [...orderIds]).map((orderId) => orderId.slice(-1));
  assert.deepEqual(keys.sort(), ['a', 'm', 'z']);
});

/** Statements in this test's schema that wait for another transaction. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where pid in (
      select waiting.pid from pg_locks waiting, pg_locks held
      where not waiting.granted and held.relation = 'orders'::regclass and held.granted and held.pid = waiting.pid
    )`.execute(app.service.deps.db);
  return rows[0]?.count ?? 0;
}

test('of attempts ended at once, those already ended and unrelated ones stay unchanged', async () => {
  const { db } = app.service.deps;
  const template = await givenOrder();
  const waiting = (orderId: string): Order => ({
    ...template,
    orderId,
    status: 'unplaced',
    chargeState: 'pending',
    chargeAttempt: 2,
    lastSequence: 0,
  });
  await insertOrders(db, [waiting('ord_open'), waiting('ord_other')]);
  const at = app.now();
  const event = { type: 'order.placed' as const, data: {} };
  const step = (order: Order) => ({ order, event, at, chargeState: 'pending' as const });
  const placed = (orderId: string): Order => ({ ...template, orderId, chargeAttempt: 2 });
  const steps = [step(placed('ord_open')), step({ ...placed('ord_other'), chargeAttempt: 1 }), step(template)];
  assert.deepEqual([...(await placeOrders(db, steps)).keys()], ['ord_open']);
  assert.deepEqual([...(await placeOrders(db, steps)).keys()], []);
  assert.equal((await findAnyOrder(db, 'ord_open'))?.status, 'awaiting_confirmation');
  assert.equal((await findAnyOrder(db, 'ord_other'))?.chargeState, 'pending');
});

test('no connection but those to the books of the sandbox gateway leaves its commits unsynced', async () => {
  const { db, gatewayDb } = app.service.deps;
  const text = sql<{ setting: string; source: string }>`
    select setting, source from pg_settings where name = 'synchronous_commit'`;
  const [ofBooks, ofService] = [(await text.execute(gatewayDb)).rows[0], (await text.execute(db)).rows[0]];
  assert.deepEqual([ofBooks, ofService?.source === 'session'], [{ setting: 'off', source: 'session' }, false]);
});
