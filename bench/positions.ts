import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { runHot } from '../src/db/hot-statement.ts';
import { sealDriverLink } from '../src/deliveries/driver-link.ts';
import { createTokenSealer } from '../src/lib/tokens.ts';
import { savePositions } from '../src/orders/driver-positions.db.ts';
import { findAnyOrder } from '../src/orders/orders.db.ts';
import { print } from './compare.ts';
import { givenDeliveries, importPizzeria } from './given-deliveries.ts';
import { givenBench } from './setup.ts';

/**
 * Drivers who report their positions over HTTP to one process, one position every two seconds each: the time until the
 * answer, which comes after the commit. Then positions as fast as they go, beside bare SQL that writes the same rows one
 * at a time, and beside a rewrite of the orders' rows. `node bench/positions.ts [drivers] [seconds]`
 */
const DRIVERS = Number(process.argv[2] ?? 2000);
const SECONDS = Number(process.argv[3] ?? 20);
const EVERY_S = 2;
const TURN_S = 5;
const TURNS = 3;
const CLIENTS = 64;
const CONNECTIONS = 16;
const TICK_MS = 50;
const LIMIT_MS = 1000;
const MIN_RATIO = 0.2;
const TOKEN_SECRET = 'the secret of this bench';

const service = await givenBench(importPizzeria, { SANDBOX_PACE: 'manual', TOKEN_SECRET });
const orderIds = await givenDeliveries(service, DRIVERS);
const tokens = createTokenSealer({ current: TOKEN_SECRET, previous: [] });
const links = orderIds.map((orderId) => sealDriverLink(tokens, { orderId, link: 1 }));
const agent = new Agent({ keepAlive: true, maxSockets: 500 });
const last = await findAnyOrder(service.db, orderIds[0] ?? '');
if (!last) throw new Error('There is no order.');

// Phones keep their connections, and a process that has just started compiles its code.
await inTurn(CLIENTS, report);
const cpuBeforeMs = await service.cpuMs();
const steady = await driveSteadily();
const cpu = (await service.cpuMs()) - cpuBeforeMs;
const p99 = quantile(steady, 0.99);
print(
  `${DRIVERS} drivers, one position every ${EVERY_S} s: answered after p50 ${quantile(steady, 0.5)} ms, p99 ${p99} ms, max ${quantile(steady, 1)} ms; ${Math.round(steady.length / SECONDS)} a second, ${Math.round((1000 * cpu) / steady.length)} µs of the service's processor each`,
);

const turns: { rows: number; orders: number; ours: number }[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const rows = await inTurn(CONNECTIONS, saveRow);
  const orders = await inTurn(CONNECTIONS, rewriteOrder);
  turns.push({ rows, orders, ours: await inTurn(CLIENTS, report) });
}
const ratioOf = ({ ours, rows }: (typeof turns)[number]) => ours / rows;
turns.sort((a, b) => ratioOf(a) - ratioOf(b));
const [, middle = turns[0]] = turns;
if (!middle) throw new Error('There is no turn.');
const ratio = ratioOf(middle);
print(`as fast as they go: ratio ${ratio.toFixed(2)} to bare SQL`);
const { row, order } = await deadBytes();
print(`  over HTTP ${Math.round(middle.ours)} a second`);
print(`  bare SQL, a row a statement: ${Math.round(middle.rows)} a second, each leaves ${row} bytes to vacuum`);
print(
  `  bare SQL, the order's row instead: ${Math.round(middle.orders)} a second, each leaves ${order} bytes to vacuum`,
);
agent.destroy();
await service.close();
if (p99 > LIMIT_MS || ratio < MIN_RATIO) process.exitCode = 1;

/** Every driver reports once in EVERY_S, at the phone's own moment, whether or not earlier answers have come. */
async function driveSteadily(): Promise<number[]> {
  const answers: Promise<number>[] = [];
  const perTick = (DRIVERS / EVERY_S) * (TICK_MS / 1000);
  const startMs = performance.now();
  for (let tick = 0; tick < (SECONDS * 1000) / TICK_MS; tick += 1) {
    for (let n = Math.floor(tick * perTick); n < Math.floor((tick + 1) * perTick); n += 1) answers.push(report(n));
    await delay(Math.max(0, startMs + (tick + 1) * TICK_MS - performance.now()));
  }
  return Promise.all(answers);
}

/** Sends a position of the driver with this number; resolves with the milliseconds until the answer. */
function report(n: number): Promise<number> {
  const startMs = performance.now();
  const body = JSON.stringify({ ...placeOf(n), accuracy: 8, age_seconds: 0.2 });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const url = `${service.url}/driver/${links[n % DRIVERS]}/position`;
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) done(performance.now() - startMs);
        else fail(new Error(`${answer.statusCode} for a position`));
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** A kilometre and more from the door, so that no position is a step of the order. */
function placeOf(n: number) {
  return { latitude: 40.72 + (n % 97) / 10_000, longitude: -73.99 };
}

/** The size of the row that a write leaves behind. */
async function deadBytes(): Promise<{ row: number; order: number }> {
  const text = `select pg_column_size(p.*) as "row", pg_column_size(o.*) as "order"
    from driver_positions p join orders o using (order_id) limit 1`;
  return (await runHot<{ row: number; order: number }>(service.db, text, [])).rows[0] ?? { row: 0, order: 0 };
}

/** The rate of an action that this many callers repeat, each time for the next driver. */
async function inTurn(callers: number, act: (n: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  const startMs = performance.now();
  const repeat = async () => {
    while (performance.now() - startMs < TURN_S * 1000) {
      count += 1;
      await act(count);
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  return (count * 1000) / (performance.now() - startMs);
}

async function saveRow(n: number): Promise<void> {
  const moved = { ...placeOf(n), course: 12, updatedEpochS: 1_800_000_000 + n, recentSpeed: 6.9 };
  const { lastSequence = 0, eta = null } = last ?? {};
  await savePositions(service.db, [{ orderId: orderIds[n % DRIVERS] ?? '', lastSequence, moved, eta }]);
}

async function rewriteOrder(n: number): Promise<void> {
  const moved = JSON.stringify({ ...placeOf(n), updatedEpochS: 1_800_000_000 + n });
  const text = 'update orders set driver = driver || $2::jsonb, eta = now() where order_id = $1';
  await runHot(service.db, text, [orderIds[n % DRIVERS], moved]);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}
