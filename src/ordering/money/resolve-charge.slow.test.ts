import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { killedAfterCharging, killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { FREED, GIVEN_BACK, givenCountedShop, LEFT, PLACED, silentBooks } from '../../../test/given/counted-shop.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { dispatchAllEvents } from '../order/dispatch-events.flow.ts';

const shop = await givenCountedShop();
after(() => shop.close());

test('killed before its charge, an order is left alone for ten minutes, then holds nothing and was never charged', async () => {
  const orderId = await shop.givenKilled(killedBeforeCharging, shop.newKey());
  for (const minutes of [0, 1, 8]) {
    await shop.advance({ minutes });
    await shop.runLeftOrders();
    assert.deepEqual(await shop.stateOf(orderId), LEFT);
  }
  await shop.advance({ minutes: 2 });
  await shop.runLeftOrders();
  assert.deepEqual([await shop.stateOf(orderId), await shop.books(orderId)], [FREED, []]);
  assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
});

test('killed after its charge, an order is placed once its request is surely gone, with one charge', async () => {
  const orderId = await shop.givenKilled(killedAfterCharging, shop.newKey());
  await shop.advance({ seconds: 10 });
  await shop.runLeftOrders();
  assert.deepEqual(await shop.stateOf(orderId), LEFT);
  await shop.advance({ seconds: 15 });
  await shop.runLeftOrders();
  assert.deepEqual(await shop.stateOf(orderId), PLACED);
  await shop.assertChargedOnce(orderId);
  assert.deepEqual(await shop.held(), { stock: 1, slots: 1 });
  await shop.cancel(orderId);
});

test('a charge found after more than fifteen minutes is refunded, its customer is notified, and no store pays for it', async () => {
  const key = shop.newKey();
  const slot = (await shop.slotsOf()).at(-1);
  const orderId = await shop.givenKilled(killedAfterCharging, key, slot);
  await withBrokenGateway(shop, silentBooks, () => shop.advance({ minutes: 16 }));
  await shop.runLeftOrders();
  assert.deepEqual(await shop.stateOf(orderId), GIVEN_BACK);
  const [[amount = 0, refunded] = []] = await shop.books(orderId);
  assert.ok(amount > 0 && amount === refunded);
  assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
  const retry = await shop.place(key, { scheduled_id: slot });
  assert.deepEqual([retry.status, retry.body.order_placed, retry.body.order_id], [200, false, orderId], retry.text);
  assert.equal((await shop.books(orderId)).length, 1);
  await dispatchAllEvents(shop.service.deps);
  const ledger = shop.service.deps.db.selectFrom('ledgerEntries').where('orderId', '=', orderId);
  assert.deepEqual(await ledger.select('kind').execute(), []);
});

test('an order waits while the gateway is silent, and an unresolved one delays no other', async () => {
  const orderId = await shop.givenKilled(killedAfterCharging, shop.newKey());
  const { db } = shop.service.deps;
  await sql`insert into orders (order_id, account_id, mode, user_id, store_id, status, pickup, request, quote,
      total_with_tip, charge_user, charge_state, charge_attempt, charge_started_at, created_at)
    select 'stuck_' || n, account_id, 'live', user_id, store_id, status, pickup, request, quote, total_with_tip,
      charge_user, charge_state, charge_attempt, charge_started_at - interval '1 hour', created_at
    from orders, generate_series(1, 450) n where order_id = ${orderId}`.execute(db);
  await withBrokenGateway(shop, silentBooks, async () => {
    await shop.advance({ minutes: 11 });
    await assert.rejects(shop.resolveCharge(orderId), OutsideError);
    await shop.runLeftOrders();
    assert.deepEqual(await shop.stateOf(orderId), LEFT);
  });
  await shop.runLeftOrders();
  assert.deepEqual(await shop.stateOf(orderId), PLACED);
  await sql`delete from orders where order_id like 'stuck_%'`.execute(db);
  await shop.cancel(orderId);
});

test('resolved by many at once, an order ends once', async (t) => {
  const many = (orderId: string) => Promise.all(Array.from({ length: 10 }, () => shop.resolveCharge(orderId)));
  await t.test('placed', async () => {
    const orderId = await shop.givenKilled(killedAfterCharging, shop.newKey());
    await shop.advance({ seconds: 5 });
    await withBrokenGateway(shop, silentBooks, () => shop.advance({ minutes: 1 }));
    await many(orderId);
    assert.deepEqual(await shop.stateOf(orderId), PLACED);
    await shop.cancel(orderId);
  });
  await t.test('given back', async () => {
    const orderId = await shop.givenKilled(killedAfterCharging, shop.newKey());
    await withBrokenGateway(shop, silentBooks, () => shop.advance({ minutes: 16 }));
    await many(orderId);
    assert.deepEqual(await shop.stateOf(orderId), GIVEN_BACK);
    assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
  });
  await t.test('unplaced again', async () => {
    const orderId = await shop.givenKilled(killedBeforeCharging, shop.newKey());
    await withBrokenGateway(shop, silentBooks, () => shop.advance({ minutes: 16 }));
    await many(orderId);
    assert.deepEqual([await shop.stateOf(orderId), await shop.held()], [FREED, { stock: 0, slots: 0 }]);
  });
});
