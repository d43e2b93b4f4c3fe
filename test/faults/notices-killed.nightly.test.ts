// covers: src/fulfillment/store-channels/{send,queue}-notices.flow.ts, src/notify/outbox/hand-over.flow.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { decodeEscpos } from '../fakes/escpos-decoder.ts';
import { startTcpPrinter } from '../fakes/tcp-printer.ts';
import { givenLiveShop } from '../given/live-shop.ts';
import { givenChannel } from '../given/merchant.ts';
import { givenReceiver } from '../given/receiver.ts';
import { startWorker } from './worker-process.ts';

const ORDERS = 60;
const KILLS = 6;
/** Answered to each worker before it is killed. */
const CALLS = 8;
/** Longer than a printer's lease. */
const LATER_S = 100;
/** Step of the last worker's clock when idle, below the shortest retry delay. */
const STEP_S = 1;

test('workers killed amid offers and prints: every order reaches its point of sale and its paper, a second print says so', async (t) => {
  const shop = await givenLiveShop(t);
  const { db } = shop.app.service.deps;
  const [receiver, printer] = [await givenReceiver(), await startTcpPrinter()];
  t.after(() => Promise.all([receiver.close(), printer.close()]));
  let calls = 0;
  // Calls beyond a worker's share stay unanswered: killed at any time, it leaves the rest.
  let enough = 0;
  receiver.answer = (_call, response) => {
    calls += 1;
    if (calls <= enough) response.writeHead(calls % 3 === 0 ? 500 : 204).end();
  };
  const { target } = printer;
  await givenChannel(shop.app, shop.storeId, { operator: false, webhook: receiver.url, printer: target });
  const template = await shop.place();
  await copyOrder(template);

  const startAhead = (aheadS: number, stepS = 0) =>
    startWorker('notices-child.ts', shop.app, [String(aheadS), String(stepS)]);
  const waiting = async () => {
    const counted = await sql<{ waiting: number; all: number }>`
      select count(*) filter (where state = 'waiting')::int as waiting, count(*)::int as all from store_notices`.execute(
      db,
    );
    return counted.rows[0] ?? { waiting: 0, all: 0 };
  };
  const isDone = async () => {
    const { waiting: left, all } = await waiting();
    return left === 0 && all === 2 * (ORDERS + 1);
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = startAhead(kill * LATER_S);
    const printed = printer.printed.length;
    enough = calls + CALLS;
    await worker.until('offers are under way', () => printer.printed.length >= printed + 4 || calls >= enough);
    await worker.kill();
  }
  assert.ok(!(await isDone()), 'something was left to do');
  enough = Number.POSITIVE_INFINITY;
  const last = startAhead(KILLS * LATER_S, STEP_S);
  await last.until('every order is offered and printed', isDone);
  await last.kill();

  const accepted = await sql<{ channel: string; count: number }>`
    select channel, count(*)::int as count from store_notices where state = 'acknowledged' and order_id like 'copy-%'
    group by channel order by channel`.execute(db);
  assert.deepEqual(accepted.rows, [
    { channel: 'printer', count: ORDERS },
    { channel: 'webhook', count: ORDERS },
  ]);
  const tickets = printer.printed.map((bytes) =>
    decodeEscpos(bytes)
      .rows.map(({ text }) => text)
      .join('\n'),
  );
  const numbers = Map.groupBy(tickets, (text) => /T\d+/.exec(text)?.[0] ?? 'template');
  assert.equal(numbers.size, ORDERS + 1, 'every order is on paper');
  for (const [number, prints] of numbers) {
    const unmarked = prints.filter((text) => !text.includes('MAY ALREADY BE PRINTED'));
    assert.ok(unmarked.length <= 1, `${number} is printed twice without saying so`);
  }

  async function copyOrder(orderId: string): Promise<void> {
    await sql`
      insert into orders
      select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object('order_id', 'copy-' || n,
        'idempotency_key', null, 'order_number', 'T' || n, 'offer_at', now()))).*
      from orders o, generate_series(1, ${ORDERS}::int) n where order_id = ${orderId}`.execute(db);
    await sql`
      insert into order_events
      select (jsonb_populate_record(null::order_events, to_jsonb(e)
        || jsonb_build_object('order_id', 'copy-' || n, 'at', now(), 'dispatched', false))).*
      from order_events e, generate_series(1, ${ORDERS}::int) n where order_id = ${orderId} and sequence = 1`.execute(
      db,
    );
  }
});
