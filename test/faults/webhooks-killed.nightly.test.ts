// covers: src/notify/webhooks/call-endpoints*, src/platform/jobs/leased-queue.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenCopies, LIFE } from '../given/events.ts';
import { givenWebhooks } from '../given/webhooks.ts';
import { startWorker } from './worker-process.ts';

const ORDERS = 400;
const EVENTS = ORDERS * LIFE.length;
const KILLS = 8;
/** Two attempts in all: if every second response fails, about a quarter of the calls fail for good. */
const SCHEDULE = '0.2';
/** Longer than a lease. */
const LATER_S = 30;

const given = await givenWebhooks({ start: Temporal.Now.instant().toString() });
const { app } = given;
const { db } = app.service.deps;
after(() => given.close());

type Received = { orderId: string; sequence: number; isAccepted: boolean };

const startAhead = (aheadS: number) =>
  startWorker('webhooks-child.ts', app, [String(aheadS)], { WEBHOOK_RETRY_SCHEDULE: SCHEDULE });

async function statesOf(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from webhook_calls where account_id = ${app.accountId} group by state`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const endedOf = ({ delivered = 0, dead = 0 }: Record<string, number>) => delivered + dead;

test('8 workers killed amid 2,000 events: each is delivered or listed as dead, one id an event, no sequence is lost', async () => {
  const received = new Map<string, Received[]>();
  let calls = 0;
  // Calls beyond a worker's share stay unanswered: killed at any time, it leaves the rest.
  let enough = 0;
  await given.givenEndpoint(app, (call, response) => {
    const { data } = JSON.parse(call.body);
    calls += 1;
    // Fails alternately, not randomly, so that a failing run is reproducible.
    const isAccepted = calls <= enough && calls % 2 === 0;
    const one = { orderId: data.order.order_id, sequence: data.sequence, isAccepted };
    received.set(call.id, [...(received.get(call.id) ?? []), one]);
    if (calls <= enough) response.writeHead(isAccepted ? 200 : 500).end();
  });
  const orderId = await given.placeOrder(app);
  await givenCopies(db, { orderId, accountId: app.accountId }, { prefix: 'copy-', count: ORDERS });
  // The template order has one more event.
  const expected = EVENTS + 1;
  const isDone = async () => endedOf(await statesOf()) >= expected;

  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = startAhead(0);
    // Kills a worker during calls, each time further along.
    const seen = calls;
    enough = Math.max(seen + 1, Math.min(seen + 600, Math.floor((expected * 1.2 * (kill + 1)) / KILLS)));
    await worker.until('calls are under way', async () => calls >= enough || (await isDone()));
    await worker.kill();
  }
  const killed = await statesOf();
  assert.ok(
    (killed.pending ?? 0) > 0 || endedOf(killed) < expected,
    `something was left to do: ${JSON.stringify(killed)}`,
  );

  enough = Number.POSITIVE_INFINITY;
  const last = startAhead(LATER_S);
  await last.until('every event is delivered or dead', isDone);
  await last.kill();

  const { rows } = await sql<{ webhookId: string; orderId: string; sequence: number; state: string }>`
    select webhook_id, order_id, sequence, state from webhook_calls where account_id = ${app.accountId}`.execute(db);
  const events = await sql<{ orderId: string; sequence: number }>`
    select order_id, sequence from order_events`.execute(db);
  const key = (row: { orderId: string; sequence: number }) => `${row.orderId} ${row.sequence}`;
  assert.deepEqual(new Set(rows.map(key)), new Set(events.rows.map(key)));
  assert.equal(rows.length, expected);
  for (const row of rows) {
    const attempts = received.get(row.webhookId) ?? [];
    assert.ok(attempts.length > 0, `${row.webhookId} was called`);
    assert.ok(
      attempts.every((one) => one.orderId === row.orderId && one.sequence === row.sequence),
      'one id an event',
    );
    if (row.state === 'delivered')
      assert.ok(
        attempts.some((one) => one.isAccepted),
        'delivered means accepted',
      );
  }
  assert.deepEqual(new Set(received.keys()), new Set(rows.map((row) => row.webhookId)));
  assert.ok(rows.some((row) => row.state === 'dead') && rows.some((row) => row.state === 'delivered'));
});
