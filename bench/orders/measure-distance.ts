import { sql } from 'kysely';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Turns } from '../compare.ts';
import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService, startChild } from '../setup.ts';
import { type OrderClient, warmUp } from './client.ts';
import { cardholdersOf, DEFAULTS } from './order-shop.ts';

const DISTANCES_MS = [1, 5];
const MAX_ROUND_TRIPS = 5;
const ROUND_TRIPS = 200;
const ORDERS = 300;

/**
 * Order latency with PostgreSQL far away, in round trips of a statement through the same driver and proxy. A single
 * client, so that no order waits for another.
 */
export async function measureDistance(
  database: BenchDatabase,
  client: OrderClient,
  keys: readonly string[],
  _turns: Turns,
  report: Report,
): Promise<void> {
  for (const ms of DISTANCES_MS) {
    const far = await openDistant(database, ms);
    const roundTripMs = await medianRoundTrip(far.database);
    const service = await startBenchService(far.database, { ...DEFAULTS, SANDBOX_PACE: 'manual' });
    const cardholders = await cardholdersOf(service.url, keys);
    const shoppers = cardholders.slice(0, 1);
    await warmUp(client, { url: service.url, shoppers: cardholders });
    const { latenciesMs } = await client.place({ url: service.url, shoppers, rounds: ORDERS });
    report.add({
      what: `an order, PostgreSQL ${ms} ms away, p50`,
      value: quantile(latenciesMs, 0.5),
      unit: 'ms',
      peer: { name: 'one statement', value: roundTripMs },
      limit: { max: MAX_ROUND_TRIPS * roundTripMs },
    });
    await service.close();
    await far.close();
  }
}

/** Connects to the same database through the delaying proxy. */
async function openDistant(database: BenchDatabase, delayMs: number) {
  const url = new URL(database.connectionString);
  // An embedded server listens only on a Unix socket; its folder is the host.
  const args = [url.searchParams.get('host') ?? url.hostname, url.port || '5432', String(delayMs)];
  const proxy = await startChild<{ port: number }>('orders/distant-child.ts', args);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  url.searchParams.delete('host');
  return { database: { ...database, connectionString: String(url) }, close: () => proxy.close() };
}

async function medianRoundTrip({ connectionString, schema }: BenchDatabase): Promise<number> {
  const db = openDb(openPool({ connectionString, schema, max: 1 }));
  const tookMs: number[] = [];
  for (let n = 0; n < ROUND_TRIPS; n += 1) {
    const startMs = performance.now();
    await sql`select ${n}::int`.execute(db);
    tookMs.push(performance.now() - startMs);
  }
  await db.destroy();
  return quantile(tookMs, 0.5);
}
