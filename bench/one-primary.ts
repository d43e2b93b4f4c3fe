import { sql } from 'kysely';
import { createAccount, issueKey } from '../src/accounts/issue-key.flow.ts';
import { openDb, openPool, type Sql } from '../src/db/connect.ts';
import { listen } from '../src/db/listen.ts';
import { systemClock } from '../src/lib/clock.ts';
import { markStoreChanged, nextChange, notifyChange } from '../src/stores/stores.db.ts';
import { givenOrderBody, importPizzeria } from './growth/given-order.ts';
import { placeOrders } from './growth/measure-orders.ts';
import { createReport } from './report.ts';
import { givenDatabase, importGeneratedStores, startBenchService } from './setup.ts';

/**
 * What one PostgreSQL carries, and which of its limits comes first: commits a second, changes of stores a
 * second through the change clock, notifications, and bytes of its log for each order and each change.
 *
 *   node bench/one-primary.ts [seconds a measurement]
 */
const SECONDS = Number(process.argv[2] ?? 3);
const STORES = 20_000;
const WRITERS = [1, 8, 32];
const LISTENERS = [0, 10, 50];
const ORDER_CLIENTS = 32;
/** Events, messages and calls of the last orders are written after the orders. */
const MAX_DRAIN_MS = 60_000;

const report = createReport('one-primary');
const database = await givenDatabase();
const { db, connectionString, schema } = database;
const importedBytes = await walBytesOf(() => importGeneratedStores(db, STORES));
add('log for each imported store', importedBytes / STORES, 'bytes');
await sql`create table bench_rows (id bigserial primary key, text text not null)`.execute(db);
const { rows } = await sql<{ storeId: string }>`select store_id from stores`.execute(db);
const storeIds = rows.map(({ storeId }) => storeId);

for (const writers of WRITERS) {
  const { perSecond, walBytes } = await measure(writers, insertRow);
  add(`commits of one row, ${writers} writers`, perSecond, '/s', `${Math.round(walBytes)} bytes of log each`);
}
for (const writers of WRITERS) {
  const { perSecond, walBytes } = await measure(writers, changeStore);
  add(`changes of stores, ${writers} writers`, perSecond, '/s', `${Math.round(walBytes)} bytes of log each`);
}
for (const listeners of LISTENERS) {
  const { perSecond, heard } = await withListeners(listeners, () =>
    measure(32, (own) =>
      own.transaction().execute(async (tx) => {
        await insertRow(tx);
        await sql`notify bench_rows`.execute(tx);
      }),
    ),
  );
  add(`commits that notify ${listeners} listeners, 32 writers`, perSecond, '/s', `${heard} notices heard`);
}
const plain = await measure(32, (own) =>
  own.transaction().execute(async (tx) => {
    await insertRow(tx);
    await sql`select 1`.execute(tx);
  }),
);
add('the same commits without a notice, 32 writers', plain.perSecond, '/s');
await measureOrderLog();
await database.close();
report.finish({ seconds: SECONDS, stores: STORES });

function add(what: string, value: number, unit: string, details = ''): void {
  report.add({ what, value, unit, limit: null, details });
}

type Own = typeof db;

async function insertRow(own: Sql): Promise<unknown> {
  return sql`insert into bench_rows (text) values ('one row')`.execute(own);
}

/** A store is closed for a while: the smallest change that every search node hears of. */
async function changeStore(own: Own, nth: number): Promise<unknown> {
  const storeId = storeIds[(nth * 7919) % storeIds.length] as string;
  return own.transaction().execute(async (tx) => {
    const seq = await nextChange(tx);
    await markStoreChanged(tx, storeId, { seq, at: systemClock.now() });
    await notifyChange(tx);
  });
}

/** Repeats a statement or transaction over so many connections; the log's bytes are of all of them. */
async function measure(writers: number, write: (own: Own, nth: number) => Promise<unknown>) {
  const own = openDb(openPool({ connectionString, schema, max: writers }));
  const until = performance.now() + SECONDS * 1000;
  let done = 0;
  const writer = async () => {
    while (performance.now() < until) {
      done += 1;
      await write(own, done);
    }
  };
  const bytes = await walBytesOf(() => Promise.all(Array.from({ length: writers }, writer)));
  await own.destroy();
  return { perSecond: done / SECONDS, walBytes: bytes / done };
}

async function withListeners<Measured>(
  count: number,
  run: () => Promise<Measured>,
): Promise<Measured & { heard: number }> {
  let heard = 0;
  const listening = { connectionString, channel: 'bench_rows', applicationName: 'bench' };
  const listeners = Array.from({ length: count }, () =>
    listen({
      ...listening,
      onNotice: (payload) => {
        if (payload !== undefined) heard += 1;
      },
    }),
  );
  const measured = await run();
  await Promise.all(listeners.map((listener) => listener.close()));
  return { ...measured, heard };
}

/** Bytes that PostgreSQL has written to its log while the work ran. */
async function walBytesOf(work: () => Promise<unknown>): Promise<number> {
  const now = async () => {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(db);
    return rows[0]?.at ?? '0/0';
  };
  const from = await now();
  await work();
  const { rows } = await sql<{ bytes: number }>`select pg_wal_lsn_diff(${await now()}, ${from}) as bytes`.execute(db);
  return Number(rows[0]?.bytes);
}

/** Sandbox orders as they are placed and charged, with what a worker writes for their first event. */
async function measureOrderLog(): Promise<void> {
  await importPizzeria(db);
  const now = systemClock.now();
  const { accountId } = await createAccount(db, 'Bench', now);
  const { key } = await issueKey(db, accountId, 'sandbox', now);
  const service = await startBenchService(database, { SANDBOX_PACE: 'manual' });
  const body = await givenOrderBody({ ...service, key });
  await placeOrders({ ...service, key, body }, ORDER_CLIENTS, 2);
  await sql`checkpoint`.execute(db).catch(() => {});
  await drained();
  const before = await countOrders();
  let perSecond = 0;
  const bytes = await walBytesOf(async () => {
    ({ perSecond } = await placeOrders({ ...service, key, body }, ORDER_CLIENTS, SECONDS * 2));
    await drained();
  });
  const orders = (await countOrders()) - before;
  await service.close();
  add(`orders, ${ORDER_CLIENTS} clients`, perSecond, '/s');
  add('log for each order', bytes / orders, 'bytes', `${orders} orders`);
}

async function countOrders(): Promise<number> {
  const { rows } = await sql<{ orders: number }>`select count(*)::int as orders from orders`.execute(db);
  return rows[0]?.orders ?? 0;
}

async function drained(): Promise<void> {
  const until = performance.now() + MAX_DRAIN_MS;
  for (;;) {
    const { rows } = await sql<{
      left: number;
    }>`select count(*)::int as left from order_events where not dispatched`.execute(db);
    if (rows[0]?.left === 0) return;
    if (performance.now() > until) throw new Error('Events still wait.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
