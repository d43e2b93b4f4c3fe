import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as copyStreams from 'pg-copy-streams';
import { checkBackup, restoreBackup } from '../src/db/backup/restore-backup.ts';
import { withClient } from '../src/db/backup/with-client.ts';
import { writeBackup } from '../src/db/backup/write-backup.ts';
import { openJobQueue } from '../src/jobs/job-queue.ts';
import { createLog } from '../src/lib/log.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../test/given-orders.ts';
import { givenStores } from '../test/given-stores.ts';
import { givenApp } from '../test/harness.ts';

/**
 * A backup and its restore, beside the time that plain COPY of the same tables into nothing takes. `node bench/backup.ts
 * [ORDERS]`: each order has five rows, in the sizes of real ones.
 */
const ORDERS = Number(process.argv[2] ?? 40_000);
const EVENTS = 3;
/** A backup compresses and hashes what COPY reads, and waits for neither the network nor a slow reader. */
const MAX_RATIO = 6;
/** Rows are streamed: beyond the service itself, memory does not grow with them. */
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;

const app = await givenApp();
const { connectionString, schema } = app;
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const tokens = await productTokens(app, storeId);
const order = orderBody(tokens.Margherita, await givenPaymentMethod(app), { autofill_selected_options: true });
await app.post('/order/order/v2', order);
const folder = await mkdtemp(join(tmpdir(), 'doorstep-bench-'));
const directory = join(folder, 'backup');
const restored = `${schema}_r`;

/** Copies of the one order, its event and its charge. */
async function grow(): Promise<void> {
  const copies = (table: string, key: string, more = '', count = '') => `insert into ${schema}.${table}
    select copy.* from ${schema}.${table} o, generate_series(1, ${ORDERS}) as n ${count},
      jsonb_populate_record(o, jsonb_build_object('${key}', 'copy-' || n ${more})) as copy`;
  await withClient(connectionString, async (client) => {
    await client.query(copies('orders', 'order_id', `, 'order_number', null`));
    const sequences = `cross join generate_series(1, ${EVENTS}) as s`;
    await client.query(copies('order_events', 'order_id', `, 'sequence', s, 'dispatched', true`, sequences));
    const charge = `, 'idempotency_key', 'copy-' || n, 'charge_id', 'copy-' || n`;
    await client.query(copies('sandbox_gateway_charges', 'order_id', charge));
    await client.query('analyze');
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** COPY of the large tables into nothing. */
const readPlainly = () =>
  withClient(connectionString, async (client) => {
    for (const table of ['orders', 'order_events', 'sandbox_gateway_charges']) {
      const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
      const copy = client.query(copyStreams.to(`copy ${schema}.${table} to stdout`));
      const { promise, resolve } = Promise.withResolvers<void>();
      copy.handleReadyForQuery = resolve;
      await pipeline(copy, nothing);
      await promise;
    }
  });

async function createJobs(jobsSchema: string): Promise<void> {
  const clock = { now: app.now };
  const jobs = await openJobQueue({
    connectionString,
    schema: jobsSchema,
    log: createLog('silent'),
    clock,
    works: false,
  });
  await jobs.stop();
}

try {
  await grow();
  const before = process.memoryUsage().rss;
  let peak = 0;
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  await readPlainly();
  const copyMs = await timed(readPlainly);
  let rows = 0;
  let bytes = 0;
  const backupMs = await timed(async () => {
    const { tables } = await writeBackup({ connectionString, schema, directory, onProgress });
    for (const table of tables) [rows, bytes] = [rows + table.rows, bytes + table.bytes];
  });
  const restoreMs = await timed(async () =>
    restoreBackup(await checkBackup(directory), { connectionString, schema: restored, createJobs, onProgress }),
  );
  const ratio = backupMs / copyMs;
  const perMillion = (ms: number) => `${((ms / rows) * 1000).toFixed(0)} s a million rows`;
  const line = (what: string, value: string) => process.stdout.write(`${what.padEnd(36)}${value}\n`);
  line('rows', `${rows} (${(bytes / 2 ** 20).toFixed(0)} MB stored)`);
  line('plain COPY', `${copyMs.toFixed(0)} ms`);
  line('backup', `${backupMs.toFixed(0)} ms, ${perMillion(backupMs)}`);
  line('backup, of plain COPY', `${ratio.toFixed(1)} (limit ${MAX_RATIO})`);
  line('restore', `${restoreMs.toFixed(0)} ms, ${perMillion(restoreMs)}`);
  line('memory', `${((peak - before) / 2 ** 20).toFixed(0)} MB more (limit ${MAX_GROWTH_BYTES / 2 ** 20})`);
  if (ratio > MAX_RATIO || peak - before > MAX_GROWTH_BYTES) process.exitCode = 1;
} finally {
  await withClient(connectionString, async (client) => {
    for (const name of [restored, `${restored}_jobs`]) await client.query(`drop schema if exists ${name} cascade`);
  });
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
