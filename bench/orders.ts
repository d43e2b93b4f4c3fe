import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { sql } from 'kysely';
import type { Db } from '../src/db/connect.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { CARD, orderBody } from '../test/given-orders.ts';
import { type BenchService, givenBench } from './setup.ts';

/**
 * Placed and charged orders over HTTP against one-row insert-commits through the same driver on the same PostgreSQL at
 * the same concurrency, by turns in the same run. `node bench/orders.ts [seconds a turn]`
 */
const TURN_S = Number(process.argv[2] ?? 5);
const TURNS = 3;
const CLIENTS = 8;
const TARGET = 0.08;

/** Rates per second. Processor time is the service's own, without PostgreSQL: it is more reliable on a busy machine. */
type Turn = { orders: number; p99: number; cpuMicros: number; commits: number };

const service = await givenBench(
  async (db) => {
    const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
    await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'bench', stdin });
  },
  { SANDBOX_PACE: 'manual' },
);
const body = await orderToPlace(service);
await sql`create table bench_rows (id bigserial primary key, text text not null)`.execute(service.db);
await placeOrders(1);
await insertRows(service.db, 1);
const turns: Turn[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const commits = await insertRows(service.db, TURN_S);
  turns.push({ commits, ...(await placeOrders(TURN_S)) });
}
const median = (name: keyof Turn) => turns.map((t) => t[name]).sort((a, b) => a - b)[TURNS >> 1] ?? 0;
const ratio = median('orders') / median('commits');
process.stdout.write(
  `placed and charged orders, ${CLIENTS} clients: ours ${Math.round(median('orders'))}/s (p99 ${median('p99')} ms, ${Math.round(median('cpuMicros'))} µs of processor each)  one-row commits ${Math.round(median('commits'))}/s  ratio ${ratio.toFixed(3)}\n`,
);
await checkBooks(service.db);
await service.close();
if (ratio < TARGET) process.exitCode = 1;

async function placeOrders(seconds: number): Promise<Omit<Turn, 'commits'>> {
  const beforeMs = await service.cpuMs();
  const result = await autocannon({
    url: `${service.url}/order/order/v2`,
    method: 'POST',
    connections: CLIENTS,
    duration: seconds,
    headers: { 'id-token': service.key, 'content-type': 'application/json' },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  const cpuMicros = (((await service.cpuMs()) - beforeMs) * 1000) / result['2xx'];
  return { orders: result['2xx'] / result.duration, p99: result.latency.p99, cpuMicros };
}

async function insertRows(db: Db, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let rows = 0;
  const client = () =>
    db.connection().execute(async (connection) => {
      while (performance.now() < until) {
        await sql`insert into bench_rows (text) values (${'one row'})`.execute(connection);
        rows += 1;
      }
    });
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return rows / seconds;
}

async function orderToPlace({ url, key }: BenchService): Promise<string> {
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const inventory = await fetch(`${url}/details/inventory?pickup=false&store_id=${storeIdOf('bench', 'pizzeria')}`, {
    headers,
  });
  const { categories } = (await inventory.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
  const card = JSON.stringify({ payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' });
  const created = await fetch(`${url}/payment/create`, { method: 'POST', headers, body: card });
  const { payment_method_id: method } = (await created.json()) as { payment_method_id: string };
  const selected_options = [
    { option_id: 'l', quantity: 1 },
    { option_id: 'olives', quantity: 2 },
  ];
  const items = [{ product_id: categories[0]?.menu_item_list[0]?.product_id, selected_options }];
  return JSON.stringify(orderBody(undefined, method, { items }));
}

/** Checks the measured work: every order is placed, charged once, and has its event. The last orders may still be running. */
async function checkBooks(db: Db, triesLeft = 50): Promise<void> {
  const { rows } = await sql<{ orders: number; events: number; charges: number; wrong: number }>`
    select (select count(*) from orders) as orders, (select count(*) from order_events) as events,
      (select count(*) from sandbox_gateway_charges where status = 'succeeded') as charges,
      (select count(*) from orders where status <> 'awaiting_confirmation' or charge_state <> 'charged') as wrong`.execute(
    db,
  );
  const [books] = rows;
  if (books && books.wrong > 0 && triesLeft > 0) {
    await delay(100);
    return checkBooks(db, triesLeft - 1);
  }
  if (!books || books.wrong > 0 || books.orders !== books.events || books.orders !== books.charges) {
    throw new Error(`The books do not agree: ${JSON.stringify(books)}`);
  }
}
