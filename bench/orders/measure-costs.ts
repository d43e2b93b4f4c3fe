import { sql } from 'kysely';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';
import { type OrderClient, warmUp } from './client.ts';
import { insertRows } from './insert-rows.ts';
import { cardholdersOf, DEFAULTS } from './order-shop.ts';
import { readServerUse } from './server-use.ts';

const CLIENTS = [1, 8, 32];

/** Cost per order or row: processor time of its sender and of PostgreSQL, and write-ahead log bytes. */
type Cost = { ownMicros: number; serverMicros: number; walBytes: number };

/**
 * Processor time of a charged order with a saved card, compared with a one-row insert-commit through the same driver
 * with as many clients. More stable than a rate on a busy machine.
 */
export async function measureCosts(
  database: BenchDatabase,
  client: OrderClient,
  keys: readonly string[],
  turnMs: number,
  report: Report,
): Promise<void> {
  const { db, connectionString, schema } = database;
  await sql`create table bench_rows (id bigserial primary key, text text not null)`.execute(db);
  const service = await startBenchService(database, { ...DEFAULTS, SANDBOX_PACE: 'manual' });
  const shoppers = await cardholdersOf(service.url, keys);
  await warmUp(client, { url: service.url, shoppers });
  for (const clients of CLIENTS) {
    const place = async (ms: number) => client.place({ url: service.url, shoppers, connections: clients, ms });
    await place(turnMs / 4);
    let clientMicros = 0;
    const order = await costOf(db, service.cpuMs, async () => {
      const { latenciesMs, cpuMs } = await place(turnMs);
      clientMicros = (cpuMs * 1000) / latenciesMs.length;
      return latenciesMs.length;
    });
    const inserting = openDb(openPool({ connectionString, schema, max: Math.min(clients, 64) }));
    await insertRows(inserting, clients, turnMs / 4);
    const row = await costOf(db, ownMs, () => insertRows(inserting, clients, turnMs));
    await inserting.destroy();
    add(report, clients, { ...order, clientMicros }, row);
  }
  await service.close();
}

async function ownMs(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** `work` returns the number of orders or rows written. */
async function costOf(
  db: BenchDatabase['db'],
  senderMs: () => Promise<number>,
  work: () => Promise<number>,
): Promise<Cost> {
  const [sender, server] = [await senderMs(), await readServerUse(db)];
  const count = await work();
  const [senderAfter, serverAfter] = [await senderMs(), await readServerUse(db)];
  return {
    ownMicros: ((senderAfter - sender) * 1000) / count,
    serverMicros: ((serverAfter.cpuMs - server.cpuMs) * 1000) / count,
    walBytes: (serverAfter.walBytes - server.walBytes) / count,
  };
}

function add(report: Report, clients: number, order: Cost & { clientMicros: number }, row: Cost): void {
  const orderMicros = order.ownMicros + order.serverMicros + order.clientMicros;
  const micros = (value: number) => `${Math.round(value)} µs`;
  report.add({
    what: `processor of an order, ${clients} clients`,
    value: orderMicros / (row.ownMicros + row.serverMicros),
    unit: 'commits',
    limit: null,
    details:
      `service ${micros(order.ownMicros)}, PostgreSQL ${micros(order.serverMicros)}, client ${micros(order.clientMicros)}, ` +
      `log ${Math.round(order.walBytes)} bytes; a commit: sender ${micros(row.ownMicros)}, ` +
      `PostgreSQL ${micros(row.serverMicros)}, log ${Math.round(row.walBytes)} bytes`,
  });
}
