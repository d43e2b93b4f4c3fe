import autocannon from 'autocannon';
import { sql } from 'kysely';
import { createAccount, issueKey } from '../../src/accounts/issue-key.flow.ts';
import { openDb, openPool } from '../../src/db/connect.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type BenchDatabase, givenDatabase, startBenchService } from '../setup.ts';
import type { OrderFigures } from './figures.ts';
import { givenOrderBody, importPizzeria } from './given-order.ts';

/** Connections of the service to its database: one-row commits are measured over no more. */
const CONNECTIONS = 16;
const TURNS = 3;

/** Places and charges orders at each number of clients, by turns with one-row commits; the median turn counts. */
export async function measureOrders(clientCounts: readonly number[], turnS: number): Promise<OrderFigures[]> {
  const database = await givenDatabase();
  await importPizzeria(database.db);
  await sql`create table bench_rows (id bigserial primary key, text text not null)`.execute(database.db);
  const now = systemClock.now();
  const { accountId } = await createAccount(database.db, 'Bench', now);
  const { key } = await issueKey(database.db, accountId, 'sandbox', now);
  const service = await startBenchService(database, { SANDBOX_PACE: 'manual' });
  const body = await givenOrderBody({ ...service, key });
  const load = { ...service, key, body };
  await placeOrders(load, 8, 2);
  const all: OrderFigures[] = [];
  for (const clients of clientCounts) {
    const turns: Omit<OrderFigures, 'at'>[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const commitsPerSecond = await commitRows(database, Math.min(clients, CONNECTIONS), turnS / 2);
      turns.push({ clients, commitsPerSecond, ...(await placeOrders(load, clients, turnS)) });
    }
    turns.sort((a, b) => a.perSecond - b.perSecond);
    const at = systemClock.now().toString({ smallestUnit: 'second' });
    all.push({ at, ...(turns[TURNS >> 1] as Omit<OrderFigures, 'at'>) });
  }
  await service.close();
  await database.close();
  return all;
}

type Load = { url: string; key: string; body: string; cpuMs(): Promise<number> };
type Placed = Pick<OrderFigures, 'perSecond' | 'p50Ms' | 'p99Ms' | 'cpuMicros'>;

export async function placeOrders({ url, key, body, cpuMs }: Load, clients: number, seconds: number): Promise<Placed> {
  const beforeMs = await cpuMs();
  const result = await autocannon({
    url: `${url}/order/order/v2`,
    method: 'POST',
    connections: clients,
    duration: seconds,
    headers: { 'id-token': key, 'content-type': 'application/json' },
    body,
  });
  const { non2xx, errors, latency, duration } = result;
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`);
  const placed = result['2xx'];
  const cpuMicros = (((await cpuMs()) - beforeMs) * 1000) / placed;
  return { perSecond: placed / duration, p50Ms: latency.p50, p99Ms: latency.p99, cpuMicros };
}

/** One-row commits a second: what the driver and PostgreSQL do at most with a statement for each commit. */
export async function commitRows(at: BenchDatabase, writers: number, seconds: number): Promise<number> {
  const { connectionString, schema } = at;
  const db = openDb(openPool({ connectionString, schema, max: writers }));
  const until = performance.now() + seconds * 1000;
  let rows = 0;
  const writer = () =>
    db.connection().execute(async (connection) => {
      while (performance.now() < until) {
        await sql`insert into bench_rows (text) values (${'one row'})`.execute(connection);
        rows += 1;
      }
    });
  await Promise.all(Array.from({ length: writers }, writer));
  await db.destroy();
  return rows / seconds;
}
