import { Agent, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { moveDriver } from '../src/deliveries/move-driver.flow.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import type { LiveMessage } from '../src/tracking/live-order.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { givenTracked } from '../test/given-tracked.ts';
import { print } from './compare.ts';
import { type BenchService, givenBench } from './setup.ts';

/**
 * Open tracking pages on one process, each for its own order, while the drivers move: the time from the commit of a move
 * until its page shows it. `node bench/tracking.ts [pages] [seconds]`
 */
const PAGES = Number(process.argv[2] ?? 2000);
const SECONDS = Number(process.argv[3] ?? 20);
/** Interval of a phone's position reports. */
const MOVE_EVERY_S = 5;
const LIMIT_MS = 1000;
const STEP_DEGREES = 0.0002;

/** `waiting` is true from the move until the page shows it; `committedMs` is 0 until the move is committed. */
type PageOf = { orderId: string; expected: number; waiting: boolean; committedMs: number; latencies: number[] };

const service = await givenBench(
  async (db) => {
    const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
    await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'bench', stdin });
  },
  { SANDBOX_PACE: 'manual' },
);
const pages = (await givenOrders(service, PAGES)).map(
  (orderId): PageOf => ({ orderId, expected: 0, waiting: false, committedMs: 0, latencies: [] }),
);
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const openedMs = performance.now();
for (let at = 0; at < pages.length; at += 100) await Promise.all(pages.slice(at, at + 100).map(openPage));
print(`${PAGES} pages open after ${Math.round(performance.now() - openedMs)} ms`);
const cpuBeforeMs = await service.cpuMs();
const movedMs = performance.now();
const moves = await moveDrivers();
const took = (performance.now() - movedMs) / 1000;
const cpu = ((await service.cpuMs()) - cpuBeforeMs) / 1000;
await delay(2 * LIMIT_MS);
const steady = quantilesOf();
print(
  `${PAGES} open pages, ${Math.round(moves / took)} moves/s: told after ${steady.words}; ${steady.all.length} of ${moves} told; ${((100 * cpu) / took).toFixed(0)} % of a processor`,
);
await moveAllAtOnce();
const wave = quantilesOf();
print(`all ${PAGES} moved by one statement: told after ${wave.words}; ${wave.all.length} of ${PAGES} told`);
agent.destroy();
await service.close();
const isLate = steady.p99 > LIMIT_MS || wave.p99 > LIMIT_MS;
if (isLate || steady.all.length < moves || wave.all.length < PAGES) process.exitCode = 1;

/** Places one order through the API, picked up by its driver, and copies it. */
async function givenOrders({ url, key, db }: BenchService, count: number): Promise<string[]> {
  const call = async (path: string, init: RequestInit) => {
    const reply = await fetch(url + path, {
      ...init,
      headers: { 'id-token': key, 'content-type': 'application/json' },
    });
    const text = await reply.text();
    return { status: reply.status, headers: {}, text, body: JSON.parse(text) };
  };
  const client = {
    ...{ accountId: '', key },
    get: (path: string, query: object = {}) =>
      call(`${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`, {}),
    post: (path: string, body?: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    patch: (path: string, body?: unknown) => call(path, { method: 'PATCH', body: JSON.stringify(body) }),
    put: (path: string, body?: unknown) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
  };
  const first = await givenTracked(client, storeIdOf('bench', 'pizzeria'));
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await first.advance(step);
  const { orderId } = first;
  const { rows } = await sql<{ orderId: string }>`
    insert into orders
    select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object('order_id', 'ord_bench_' || n,
      'idempotency_key', null))).* from orders o, generate_series(1, ${count}::int) n where order_id = ${orderId}
    returning order_id`.execute(db);
  await sql`
    insert into order_events select (jsonb_populate_record(null::order_events, to_jsonb(e)
      || jsonb_build_object('order_id', 'ord_bench_' || n, 'dispatched', true))).*
    from order_events e, generate_series(1, ${count}::int) n where order_id = ${orderId}`.execute(db);
  return rows.map((row) => row.orderId);
}

function openPage(page: PageOf): Promise<void> {
  return new Promise((done, fail) => {
    const request = get(`${service.url}/tracking/events?tracking_id=${page.orderId}`, { agent }, (stream) => {
      if (stream.statusCode !== 200) return fail(new Error(`${stream.statusCode} for a stream`));
      readMessages(stream, (message) => {
        if (page.waiting && message.map?.driver[0] === page.expected) isTold(page);
        done();
      });
    });
    request.on('error', fail);
  });
}

function readMessages(stream: IncomingMessage, onMessage: (message: LiveMessage) => void): void {
  let unread = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data) onMessage(JSON.parse(data));
    }
  });
  // The service ends its streams when the bench is over.
  stream.on('error', () => {});
}

/** Every driver moves once in MOVE_EVERY_S, at the phone's own moment; a page still waiting is left in peace. */
async function moveDrivers(): Promise<number> {
  let moved = 0;
  const startMs = performance.now();
  const perTick = PAGES / MOVE_EVERY_S / 20;
  for (let tick = 0; performance.now() - startMs < SECONDS * 1000; tick += 1) {
    const batch = pages.slice(...turnOf(tick, perTick)).filter((page) => !page.waiting);
    await Promise.all(batch.map(move));
    moved += batch.length;
    await delay(Math.max(0, startMs + (tick + 1) * 50 - performance.now()));
  }
  return moved;
}

function turnOf(tick: number, perTick: number): [number, number] {
  const turns = Math.ceil(PAGES / perTick);
  const turn = tick % turns;
  return [Math.floor(turn * perTick), Math.floor((turn + 1) * perTick)];
}

async function move(page: PageOf): Promise<void> {
  const latitude = expectMove(page);
  await moveDriver({ db: service.db, clock: systemClock }, page.orderId, { latitude, longitude: -73.9927 });
  page.committedMs = performance.now();
}

function expectMove(page: PageOf): number {
  page.expected = Number((40.73 + ((page.latencies.length * STEP_DEGREES) % 0.005)).toFixed(4));
  page.committedMs = 0;
  page.waiting = true;
  return page.expected;
}

/** The page may show a move before its writer knows of the commit: that counts as zero. */
function isTold(page: PageOf): void {
  page.latencies.push(page.committedMs === 0 ? 0 : performance.now() - page.committedMs);
  page.waiting = false;
}

/** Moves all drivers in one statement: the largest possible change. */
async function moveAllAtOnce(): Promise<void> {
  for (const page of pages) page.latencies = [];
  const [latitude] = pages.map(expectMove);
  await sql`update orders set driver = driver || jsonb_build_object('latitude', ${latitude}::float8)
    where order_id like 'ord\\_bench\\_%'`.execute(service.db);
  const committedMs = performance.now();
  for (const page of pages) page.committedMs = committedMs;
  await delay(3 * LIMIT_MS);
}

function quantilesOf(): { all: number[]; words: string; p99: number } {
  const all = pages.flatMap(({ latencies }) => latencies).sort((a, b) => a - b);
  const at = (part: number) => Math.round(all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0);
  return { all, p99: at(0.99), words: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms` };
}
