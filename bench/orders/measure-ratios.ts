import { sql } from 'kysely';
import { type Db, openDb, openPool } from '../../src/platform/db/connect.ts';
import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';
import { type OrderClient, type Shopper, warmUp } from './client.ts';
import { insertRows } from './insert-rows.ts';
import { cardholdersOf, DEFAULTS } from './order-shop.ts';

export type Turns = { turns: number; turnMs: number };

/** Minimum share of the commit rate, by number of clients. */
const SHARES = [
  { clients: 1, min: null },
  { clients: 8, min: 0.15 },
  { clients: 32, min: 0.25 },
  { clients: 128, min: null },
] as const;

/** Rates per second, and processor time per order of the service (without PostgreSQL) and of the client. */
type Turn = { ratio: number; orders: number; commits: number; p99: number; cpuMicros: number; clientMicros: number };
type MeasuredService = { url: string; shoppers: readonly Shopper[]; cpuMs(): Promise<number> };

/**
 * Charged orders with saved cards, alternating with one-row insert-commits through the same driver with as many
 * clients; the median ratio counts. The simulation is off, because its steps would run in either round.
 */
export async function measureRatios(
  database: BenchDatabase,
  client: OrderClient,
  keys: readonly string[],
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const { db, connectionString, schema } = database;
  await sql`create table bench_rows (id bigserial primary key, text text not null)`.execute(db);
  const service = await startBenchService(database, { ...DEFAULTS, SANDBOX_PACE: 'manual' });
  const measured = { ...service, shoppers: await cardholdersOf(service.url, keys) };
  await warmUp(client, { url: service.url, shoppers: measured.shoppers });
  for (const { clients, min } of SHARES) {
    const inserting = openDb(openPool({ connectionString, schema, max: Math.min(clients, 64) }));
    await insertRows(inserting, clients, turnMs / 4);
    await placeFor(client, measured, clients, turnMs / 4);
    const taken: Turn[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const commits = await commitRows(inserting, clients, turnMs);
      const placed = await placeFor(client, measured, clients, turnMs);
      taken.push({ ...placed, commits, ratio: placed.orders / commits });
    }
    await inserting.destroy();
    add(report, clients, min, taken.toSorted((a, b) => a.ratio - b.ratio)[turns >> 1] as Turn);
  }
  await service.close();
}

function add(report: Report, clients: number, min: number | null, turn: Turn): void {
  const { ratio, orders, commits, p99, cpuMicros, clientMicros } = turn;
  const rates = `${Math.round(orders)}/s of ${Math.round(commits)}/s, p99 ${p99.toFixed(1)} ms`;
  report.add({
    what: `orders of a saved card, ${clients} clients`,
    value: ratio,
    unit: 'of commits',
    limit: min === null ? null : { min },
    details: `${rates}, processor: service ${Math.round(cpuMicros)} µs, client ${Math.round(clientMicros)} µs`,
  });
}

async function placeFor(
  client: OrderClient,
  { url, shoppers, cpuMs }: MeasuredService,
  connections: number,
  ms: number,
): Promise<Omit<Turn, 'ratio' | 'commits'>> {
  const beforeMs = await cpuMs();
  const { latenciesMs, seconds, cpuMs: clientMs } = await client.place({ url, shoppers, connections, ms });
  const usedMs = (await cpuMs()) - beforeMs;
  const count = latenciesMs.length;
  return {
    orders: count / seconds,
    p99: quantile(latenciesMs, 0.99),
    cpuMicros: (usedMs * 1000) / count,
    clientMicros: (clientMs * 1000) / count,
  };
}

/** Commits per second of clients that insert rows sequentially. */
async function commitRows(db: Db, clients: number, ms: number): Promise<number> {
  const startMs = performance.now();
  const rows = await insertRows(db, clients, ms);
  return (rows * 1000) / (performance.now() - startMs);
}
