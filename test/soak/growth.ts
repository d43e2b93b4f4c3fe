import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { retentionsOf } from '../../src/app/wiring/retentions.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import type { Db } from '../../src/platform/db/connect.ts';
import { expireRows, type Retention } from '../../src/platform/jobs/delete-expired.db.ts';
import { cleanUp, freshDataDir, open } from '../faults/embedded-postgres-harness.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenChannel } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';

/**
 * What orders weigh, table by table, while records older than `--keep` days leave every day. Orders placed over HTTP and
 * taken to their end are copied by SQL, each row written and updated as in a day's life. `npm run soak -- growth --days
 * 20 --keep 5 --orders 2000`: orders of each day.
 */
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '20' },
    keep: { type: 'string', default: '5' },
    orders: { type: 'string', default: '2000' },
  },
});
const [DAYS, KEEP, ORDERS] = [Number(values.days), Number(values.keep), Number(values.orders)];
const PLACED = 20;
/** Tables with rows of each order; parents first. */
const TABLES = [
  ...['orders', 'order_events', 'ledger_orders', 'ledger_entries', 'messages', 'webhook_calls', 'store_notices'],
] as const;
const RECORDS = ['messages', 'webhook_calls', 'store_notices'];
/** Columns that are unique beyond their order. */
const UNIQUE = ['order_id', 'message_id', 'webhook_id', 'idempotency_key'];

type Size = { table: string; bytes: number };

/** Live orders with a webhook endpoint, an email and an SMS for each step, and a store that gets notices. */
async function placeOrders(app: App, endpoint: string): Promise<void> {
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  const live = await app.givenClient('live');
  await live.post('/account/tracking/add_webhook', { endpoint });
  const { messaging } = app.service.deps;
  messaging.mailer = { sendMail: async () => {}, close() {} };
  messaging.smsSender = { sendText: async () => {} };
  const tokens = await productTokens(app, storeId);
  const items = ['Soda', 'Soda', 'Soda'].map((name) => ({ product_id: tokens[name], quantity: 2 }));
  for (let n = 0; n < PLACED; n += 1) {
    const { status, body, text } = await live.post(
      '/order/order/v2',
      orderBody(tokens.Soda, null, { items, charge_user: false, user_id: `u${n}` }),
    );
    assert.equal(status, 200, text);
    for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'] as const) {
      await takeStep(app.service.deps, body.order_id, { event });
      await app.advance({ minutes: 10 });
    }
  }
}

/** Makes the placed orders the templates, apart from the tables that grow. */
async function takeTemplates(db: Db): Promise<void> {
  for (const table of TABLES)
    await sql`create table ${sql.table(`t_${table}`)} as table ${sql.table(table)}`.execute(db);
  for (const table of TABLES.toReversed()) await sql`delete from ${sql.table(table)}`.execute(db);
}

async function columnsOf(db: Db, table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db);
  return rows;
}

/** Writes a day's copies as the service would: calls and messages wait first, and an order's row changes at each step. */
async function writeDay(
  db: Db,
  { begin, records, day }: { begin: Temporal.Instant; records: readonly Retention[]; day: number },
): Promise<void> {
  for (const table of TABLES) {
    const columns = await columnsOf(db, table);
    const written = columns.map(({ name, type }) => {
      if (UNIQUE.includes(name)) return `t.${name} || '-${day}-' || c.n`;
      if (name === 'link_hash') return `sha256((t.order_id || '-${day}-' || c.n || t.kind || t.channel)::bytea)`;
      if (type === 'timestamp with time zone') return `t.${name} + interval '${day} days'`;
      return `t.${name}`;
    });
    const names = columns.map(({ name }) => name).join(', ');
    await sql`insert into ${sql.table(table)} (${sql.raw(names)}) select ${sql.raw(written.join(', '))}
      from ${sql.table(`t_${table}`)} t, generate_series(1, ${ORDERS / PLACED}) as c(n)`.execute(db);
  }
  const from = begin.add({ hours: 24 * day }).toString();
  for (let step = 0; step < 5; step += 1)
    await sql`update orders set eta = eta where mode = 'live' and placed_at >= ${from}`.execute(db);
  for (const { table, where = '' } of records)
    await sql`update ${sql.table(table)} set attempts = attempts where created_at >= ${from} and ${sql.raw(where)}`.execute(
      db,
    );
}

/** Vacuums what autovacuum would by the settings of the table, whose days here last seconds. */
async function vacuum(db: Db): Promise<void> {
  for (const table of TABLES) {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ isDue: boolean }>`
      select s.n_dead_tup > 50 + f.factor * greatest(c.reltuples, 0) as is_due
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid, lateral (
        select coalesce(max(option_value::float), 0.2) as factor from pg_options_to_table(c.reloptions)
        where option_name = 'autovacuum_vacuum_scale_factor') as f
      where s.relid = ${table}::regclass`.execute(db);
    if (rows[0]?.isDue) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
  }
}

async function measure(db: Db): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const table of TABLES) {
    const { rows } = await sql<{ bytes: number }>`
      select pg_total_relation_size(${table}::regclass)::float as bytes`.execute(db);
    sizes.push({ table, bytes: rows[0]?.bytes ?? 0 });
  }
  return sizes;
}

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = freshDataDir();
const database = await open(dataDir);
const receiver = await givenReceiver((_call, response) => response.end());
try {
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true', RECORDS_KEEP_DAYS: String(KEEP) };
  const app = await givenOwnApp({ connectionString: database.connectionString, env });
  const { db, clock, config } = app.service.deps;
  const begin = clock.now();
  await placeOrders(app, receiver.url);
  await takeTemplates(db);
  const start = clock.now();
  const retentions = retentionsOf(config).filter(({ table }) => RECORDS.includes(table));
  const level = new Map<string, number>();
  for (let day = 1; day <= DAYS; day += 1) {
    await writeDay(db, { begin, records: retentions, day });
    const now = start.add({ hours: 24 * day });
    for (const retention of retentions) while ((await expireRows(db, retention, { now, limit: 1000 })) === 1000);
    await vacuum(db);
    const sizes = await measure(db);
    if (day === KEEP + 2) for (const { table, bytes } of sizes) level.set(table, bytes);
    if (day % 5 === 0 || day === DAYS) {
      const parts = sizes.map(({ table, bytes }) => `${table} ${Math.round(bytes / 1e6)} MB`);
      say(`day ${day}, ${day * ORDERS} orders: ${parts.join(', ')}`);
    }
  }
  const sizes = await measure(db);
  let kept = 0;
  for (const { table, bytes } of sizes) {
    const days = RECORDS.includes(table) ? KEEP : DAYS;
    if (!RECORDS.includes(table)) kept += bytes / (DAYS * ORDERS);
    say(`${table}: ${kB(bytes / (days * ORDERS))} an order`);
  }
  say(`an order weighs ${kB(kept)} once its records have left`);
  assert.ok(kept <= 20_000, `at most 20 kB an order: ${kB(kept)}`);
  for (const { table, bytes } of sizes.filter((each) => RECORDS.includes(each.table))) {
    const before = level.get(table) ?? 0;
    say(`${table}: ${Math.round(bytes / 1e6)} MB on day ${DAYS}, ${Math.round(before / 1e6)} MB on day ${KEEP + 2}`);
    assert.ok(bytes <= 1.15 * before, `${table} stays level`);
  }
  await app.close();
} finally {
  await receiver.close();
  await database.close();
  cleanUp();
}
