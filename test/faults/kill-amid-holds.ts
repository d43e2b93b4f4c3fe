import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { repriceOrder } from '../../src/ordering/order/reprice-order.ts';
import { holdCents } from '../../src/ordering/order/weighed-order.ts';
import { givenHeldShop } from '../given/held-orders.ts';
import { givenApp } from '../harness.ts';
import { runs, SEED } from '../runs.ts';
import { chanceOf } from './orders-clients.ts';
import { startWorker } from './worker-process.ts';

/** In each of two files: on a busy machine one file with all kills takes longer than a file may. */
const KILLS = runs(100, 2);
/** Orders that each process finds pending, as their request has stored them. */
const ORDERS = 4;
/** Longer than the lease of a job. */
const LATER_S = 25;

/** Kills processes while holds are made, captured and given free; their seeds begin `from` after the run's. */
export async function killAmidHolds(from: number): Promise<void> {
  const app = await givenApp({
    start: Temporal.Now.instant().toString(),
    env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' },
  });
  const { db } = app.service.deps;
  const seed = SEED + from;
  const shop = await givenHeldShop(app);
  after(() => app.close());

  async function givenPending(template: string, after: number, aheadS: number): Promise<void> {
    const at = Temporal.Now.instant().add({ seconds: aheadS }).toString();
    await sql`insert into orders
    select (jsonb_populate_record(o, jsonb_build_object('order_id', 'copy-' || n, 'charge_state', 'pending',
      'charge_attempt', 1, 'idempotency_key', null, 'charge_started_at', ${at}::timestamptz))).*
    from orders as o, generate_series(${after + 1}::int, ${after + ORDERS}::int) as n
    where o.order_id = ${template}`.execute(db);
  }

  /** Checks that an order ended captured once or given free, and says how. */
  async function endOf(orderId: string): Promise<string> {
    const order = (await findAnyOrder(db, orderId)) ?? assert.fail();
    const charges = await db.selectFrom('sandboxGatewayCharges').selectAll().where('orderId', '=', orderId).execute();
    const { rows: log } = await sql<{ type: string; sequence: number }>`
      select type, sequence from order_events where order_id = ${orderId} order by sequence`.execute(db);
    const about = JSON.stringify({ orderId, status: order.status, state: order.chargeState, charges, log });
    const taken = charges.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
    const isDone = order.status === 'completed';
    const due = Math.min(repriceOrder(order).totalWithTipCents, holdCents(order.quote));
    assert.deepEqual(taken, isDone ? [due] : [], about);
    assert.deepEqual(
      charges.filter(({ status }) => status === 'authorized'),
      [],
      `held for ever: ${about}`,
    );
    assert.ok(
      charges.every(({ idempotencyKey }) => !idempotencyKey.endsWith(':gone')),
      `voided and captured: ${about}`,
    );
    assert.deepEqual([order.chargedCents, order.capturedCents], isDone ? [due, due] : [0, null], about);
    assert.ok(['charged', 'none', 'declined'].includes(order.chargeState), about);
    assert.equal(log.filter(({ type }) => type === 'order.captured').length, isDone ? 1 : 0, about);
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      log.map((_, at) => at + 1),
      about,
    );
    return `${order.status}${charges.length > 1 ? ' renewed' : ''}`;
  }

  test(`${KILLS} processes killed amid holds: each ends captured once or given free, to the cent (PROPERTY_SEED=${SEED}, ${from})`, async (t) => {
    const template: string = (await shop.order({ place_order: false })).body.order_id;
    const chance = chanceOf(seed);
    const eventsNow = async () =>
      (
        await sql<{
          count: number;
        }>`select count(*)::int as count from order_events where order_id like 'copy-%'`.execute(db)
      ).rows[0]?.count ?? 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const aheadS = kill * LATER_S;
      await givenPending(template, kill * ORDERS, aheadS);
      const wanted = (await eventsNow()) + 1 + Math.floor(chance() * 8);
      const args = [aheadS, seed + kill, (kill + 1) * ORDERS].map(String);
      const worker = startWorker('holds-child.ts', app, args);
      await worker.until('orders move', async () => (await eventsNow()) >= wanted);
      await pause(chance() * 120);
      await worker.kill();
    }
    await app.advance({ seconds: KILLS * LATER_S + 60 });
    const { rows: open } = await sql<{ orderId: string }>`
    select order_id from orders where order_id like 'copy-%' and status in ('awaiting_confirmation', 'in_progress')`.execute(
      db,
    );
    for (const { orderId } of open) await shop.advance(orderId, 'cancel');
    // Unplaced orders are given up, and late charges are looked up for the last time a day later.
    for (const hours of [0.5, 2, 26]) await app.advance({ minutes: hours * 60 });

    const { rows: ids } = await sql<{
      orderId: string;
    }>`select order_id from orders where order_id like 'copy-%'`.execute(db);
    const seen = new Map<string, number>();
    for (const { orderId } of ids) {
      const kind = await endOf(orderId);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    for (const kind of ['completed', 'completed renewed', 'canceled'])
      assert.ok((seen.get(kind) ?? 0) > 0 || KILLS < 50, `none is ${kind}`);
    t.diagnostic(JSON.stringify(Object.fromEntries(seen)));
  });
}
