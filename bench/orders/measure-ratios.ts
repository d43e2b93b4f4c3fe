import { sql } from 'kysely';
import { type Db, openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Turns } from '../compare.ts';
import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';
import { type OrderClient, warmUp } from './client.ts';
import { insertRows } from './insert-rows.ts';
import { cardholdersOf, DEFAULTS } from './order-shop.ts';

/** Minimum share of the commit rate, by number of clients. */
const SHARES = [{ clients: 8, min: 0.15 }, { clients: 32, min: 0.25 }, { clients: 128 }];

type Turn = { orders: number; commits: number; p99: number };

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
  const { url, close } = await startBenchService(database, { ...DEFAULTS, SANDBOX_PACE: 'manual' });
  const shoppers = await cardholdersOf(url, keys);
  await warmUp(client, { url, shoppers });
  for (const { clients, min } of SHARES) {
    const inserting = openDb(openPool({ connectionString, schema, max: Math.min(clients, 64) }));
    const place = (ms: number) => client.place({ url, shoppers, connections: clients, ms });
    await insertRows(inserting, clients, turnMs / 4);
    await place(turnMs / 4);
    const taken: Turn[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const commits = await commitRows(inserting, clients, turnMs);
      const { latenciesMs, seconds } = await place(turnMs);
      taken.push({ commits, orders: latenciesMs.length / seconds, p99: quantile(latenciesMs, 0.99) });
    }
    await inserting.destroy();
    taken.sort((a, b) => a.orders / a.commits - b.orders / b.commits);
    const { orders, commits, p99 } = taken[turns >> 1] as Turn;
    report.add({
      what: `orders, ${clients} clients`,
      value: orders,
      unit: 'a second',
      peer: { name: 'one-row commits', value: commits },
      ...(min === undefined ? {} : { limit: { min: min * commits } }),
      details: `p99 ${p99.toFixed(1)} ms`,
    });
  }
  await close();
}

/** Commits per second of clients that insert rows sequentially. */
async function commitRows(db: Db, clients: number, ms: number): Promise<number> {
  const startMs = performance.now();
  const rows = await insertRows(db, clients, ms);
  return (rows * 1000) / (performance.now() - startMs);
}
