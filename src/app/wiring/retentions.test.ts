import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { fillTables } from '../../../test/fill-tables.ts';
import { runRetention } from '../../../test/given/expired-rows.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { SCHEMA } from '../../../test/test-database.ts';
import { listMessages } from '../../notify/messages/messages.db.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { openPool } from '../../platform/db/connect.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import { retentionsOf } from './retentions.ts';

const DAYS = 30;
/** Deleted rows; personal data has a test of its own (test/personal-data). */
const retentions = retentionsOf({ recordsKeepDays: DAYS, personalDataDays: 0 }).filter(({ clears }) => !clears);
const open = async (t: { after(close: () => Promise<void>): void }, env: Record<string, string> = {}) => {
  const app = await givenApp({ env: { RECORDS_KEEP_DAYS: String(DAYS), ...env } });
  t.after(() => app.close());
  return app;
};

test('calls, messages and notices of an ended order leave after RECORDS_KEEP_DAYS; the order, its events and its ledger stay', async (t) => {
  const app = await open(t, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { db } = app.service.deps;
  const receiver = await givenReceiver((_call, response) => response.end());
  t.after(() => receiver.close());
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  const live = await app.givenClient('live');
  await live.post('/account/tracking/add_webhook', { endpoint: receiver.url });
  const { Soda } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 4 }];
  const { body } = await live.post('/order/order/v2', orderBody(Soda, null, { items, charge_user: false }));
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'] as const) {
    await takeStep(app.service.deps, body.order_id, { event });
    await app.advance({ seconds: 1 });
  }
  await sql`update messages set state = 'sent'`.execute(db);
  const show = async () => (await live.get('/account/orders', { order_id: body.order_id })).body.orders;
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
    return rows[0]?.n ?? 0;
  };
  const [records, kept] = [
    ['webhook_calls', 'messages'],
    ['orders', 'order_events', 'ledger_orders', 'ledger_entries', 'order_days'],
  ];
  const countAll = (tables: string[]) => Promise.all(tables.map(count));
  const before = [await countAll(records), await countAll(kept)];
  assert.ok(
    before.flat().every((n) => n > 0),
    `${before}`,
  );
  const shown = await show();
  assert.ok((await listMessages(db, body.order_id)).length > 0);

  await app.advance({ hours: 24 * DAYS - 1 });
  await sql`update webhook_calls set state = 'pending' where sequence = 1`.execute(db);
  await runRetention(app);
  assert.deepEqual([await countAll(records), await countAll(kept)], before);
  await app.advance({ hours: 2 });
  await sql`update webhook_calls set state = 'pending' where sequence = 1`.execute(db);
  await runRetention(app);
  const { rows } = await sql`select sequence from webhook_calls`.execute(db);
  assert.deepEqual([rows, await count('messages'), await countAll(kept)], [[{ sequence: 1 }], 0, before[1]]);
  assert.deepEqual([await listMessages(db, body.order_id), await show()], [[], shown]);
});

/** Makes the rows of a table such as expire. */
const ENDED: Readonly<Record<string, string>> = {
  webhook_calls: `state = 'dead',`,
  ucp_calls: `state = 'dead',`,
  messages: `state = 'sent',`,
  store_notices: `state = 'sent',`,
  alert_notices: `state = 'dead',`,
  promotion_uses: 'user_hash = null, card_hash = null, code_hash = null, identities = null,',
};

const WITHOUT_ORDER = 'order_id is null';

test('rows of each table are kept for its time, and no longer', async (t) => {
  const app = await open(t);
  const pool = openPool({ connectionString: app.connectionString, schema: SCHEMA, max: 1 });
  const { db, clock } = app.service.deps;
  const client = await pool.connect();
  await fillTables(client, SCHEMA, 1, ['settings']);
  client.release();
  await pool.end();
  // Unplaced orders, referred to by other rows, and checkouts without an order are tested separately.
  await sql`update orders set created_at = '2099-01-01', requoted_at = null`.execute(db);
  await sql`delete from ucp_checkouts where ${sql.raw(WITHOUT_ORDER)}`.execute(db);
  const tables = retentions.filter(({ table, where }) => table !== 'orders' && where !== WITHOUT_ORDER);
  const count = async (table: string) => (await sql`select from ${sql.table(table)}`.execute(db)).rows.length;
  const setAge = ({ table, age }: Retention, at: Temporal.Instant) =>
    sql`update ${sql.table(table)} set ${sql.raw(ENDED[table] ?? '')} ${sql.ref(age)} = ${at.toString()}`.execute(db);
  for (const each of tables) await setAge(each, clock.now().add({ hours: 1 }));
  for (const each of tables) {
    const { table, keepFor } = each;
    const end = clock.now().subtract(keepFor);
    const margin = { hours: table === 'budget_use' ? 25 : 1 };
    await setAge(each, end.add(margin));
    const before = await count(table);
    await runRetention(app);
    assert.deepEqual([await count(table), before > 0], [before, true], table);
    await setAge(each, end.subtract(margin));
    await runRetention(app);
    assert.equal(await count(table), 0, table);
  }
});

test('expired rows of the tables that grow with orders are found by an index, oldest first', async (t) => {
  const { db } = (await open(t)).service.deps;
  const grown = retentions.filter(({ table }) => /calls|messages|notices|orders|idempotency/.test(table));
  assert.equal(grown.length, 7);
  await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`set local enable_sort = off`.execute(tx);
    for (const { table, age, where = 'true' } of grown) {
      const { rows } = await sql<Record<string, string>>`explain select ctid from ${sql.table(table)}
        where ${sql.raw(age)} <= now() and ${sql.raw(where)} order by ${sql.raw(age)} limit 1000`.execute(tx);
      const plan = rows.map((row) => Object.values(row)[0]).join('\n');
      assert.match(plan, /Index (Only )?Scan using (\w+_ended|orders_untouched|idempotency_keys_by_age) /, plan);
    }
  });
});
