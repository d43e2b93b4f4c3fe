import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { moveDriver } from '../src/deliveries/move-driver.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { LiveMessage } from '../src/tracking/live-order.ts';
import { print } from './compare.ts';
import { givenDeliveries, importPizzeria } from './given-deliveries.ts';
import { givenBench } from './setup.ts';

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

const service = await givenBench(importPizzeria, { SANDBOX_PACE: 'manual' });
const pages = (await givenDeliveries(service, PAGES)).map(
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
  await sql`
    insert into driver_positions (order_id, last_sequence, moved, eta)
    select order_id, last_sequence, jsonb_build_object('latitude', ${latitude}::float8), eta from orders
    where order_id like 'ord\\_bench\\_%'
    on conflict (order_id) do update set moved = driver_positions.moved || excluded.moved`.execute(service.db);
  const committedMs = performance.now();
  for (const page of pages) page.committedMs = committedMs;
  await delay(3 * LIMIT_MS);
}

function quantilesOf(): { all: number[]; words: string; p99: number } {
  const all = pages.flatMap(({ latencies }) => latencies).sort((a, b) => a - b);
  const at = (part: number) => Math.round(all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0);
  return { all, p99: at(0.99), words: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms` };
}
