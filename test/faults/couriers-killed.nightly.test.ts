// covers: src/fulfillment/deliveries/couriers/*.flow.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { givenCourierShop, keyOf } from '../given/couriers.ts';
import { givenOrderCopies } from '../given/events.ts';
import { startWorker } from './worker-process.ts';

const ORDERS = 120;
const KILLS = 10;
/** Longer than a lease and every wait between two attempts. */
const LATER_S = 200;

const shop = await givenCourierShop(Temporal.Now.instant().toString());
const { app, uber } = shop;
const { db } = app.service.deps;
after(() => shop.close());

const startAhead = (aheadS: number) =>
  startWorker('couriers-child.ts', app, [String(aheadS), uber.baseUrl, uber.tokenUrl, uber.clientSecret]);

type Row = { orderId: string; status: string; state: string | null; deliveryId: string | null };
const rowsOf = async () => {
  const { rows } = await sql<Row>`
    select o.order_id, o.status, d.state, d.delivery_id
    from orders as o left join courier_deliveries as d on d.order_id = o.order_id
    where o.order_id like 'copy-%'`.execute(db);
  return rows;
};
/** An order canceled before a worker processed its confirmation has no delivery. */
const isAtEnd = ({ state, status }: Row) =>
  status === 'canceled' ? state === null || state === 'canceled' : state === 'pending';
const countAtEnd = async () => (await rowsOf()).filter(isAtEnd).length;
const countCalls = () =>
  uber.requests.filter(({ operation }) => operation === 'create' || operation === 'cancel').length;

/**
 * Every third answer to a call that creates or cancels a delivery is lost, so killed workers do not know all that they
 * did.
 */
function loseAnswers(): void {
  const every = (troubles: number) =>
    Array.from({ length: troubles }, (_, at) => (at % 3 === 2 ? ('lose_answer' as const) : undefined));
  uber.trouble('create', ...every(ORDERS));
  uber.trouble('cancel', ...every(ORDERS));
}

test('10 workers killed amid courier calls: each order gets one delivery, a canceled order none, and none is forgotten', async (t) => {
  const template = await shop.place();
  const orderIds = await givenOrderCopies(db, template, { prefix: 'copy-', count: ORDERS });
  loseAnswers();
  for (const orderId of orderIds) await takeStep(app.service.deps, orderId, { event: 'confirm' });

  let canceled = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = startAhead(kill * LATER_S);
    // Kills a worker during calls, each time further along, while orders are being canceled.
    const upTo = countCalls() + Math.ceil(ORDERS / KILLS);
    await worker.until('calls are under way', async () => {
      const orderId = orderIds[canceled * 3];
      if (orderId !== undefined && canceled < (ORDERS / 3 / KILLS) * (kill + 1)) {
        await takeStep(app.service.deps, orderId, { event: 'cancel' });
        canceled += 1;
      }
      return countCalls() >= upTo || (await countAtEnd()) === ORDERS;
    });
    await worker.kill();
  }
  t.diagnostic(`at their end at the last kill: ${await countAtEnd()} of ${ORDERS}`);

  const last = startAhead(KILLS * LATER_S);
  await last.until('every order is at its end', async () => (await countAtEnd()) === ORDERS);
  await last.kill();

  const rows = await rowsOf();
  assert.deepEqual(new Set(rows.map(({ orderId }) => orderId)), new Set(orderIds));
  assert.equal(rows.length, ORDERS);
  for (const { orderId, status, deliveryId } of rows) {
    const booked = uber.books.deliveries.filter(({ external_id }) => external_id === keyOf(orderId));
    const live = booked.filter((delivery) => delivery.status !== 'canceled');
    assert.ok(booked.length <= 1, `${orderId} was made once`);
    assert.equal(live.length, status === 'canceled' ? 0 : 1, `${orderId} ${status}`);
    if (status !== 'canceled') assert.equal(deliveryId, live[0]?.id);
  }
  assert.ok(rows.some(({ status }) => status === 'canceled') && uber.books.deliveries.length > ORDERS / 2);
});
