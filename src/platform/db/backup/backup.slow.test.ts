import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { contentsOf, fillTables } from '../../../../test/fill-tables.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../../test/given/orders.ts';
import { givenStores } from '../../../../test/given/stores.ts';
import { type Client, clientOf, givenApp } from '../../../../test/harness.ts';
import { until } from '../../../../test/until.ts';
import { startService } from '../../../app/wiring/service.ts';
import { createLog } from '../../lib/log.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const app = await givenApp();
const { connectionString, schema } = app;
const folder = await mkdtemp(join(tmpdir(), 'doorstep-backup-'));
const client = new pg.Client({ connectionString });
await client.connect();
const restored = `${schema}_r`;
after(async () => {
  await client.query(`drop schema if exists ${restored} cascade`);
  await client.end();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const [storeId = ''] = await givenStores(app, [pizzeria()]);
const tokens = await productTokens(app, storeId);
const card = await givenPaymentMethod(app);
const place = async (): Promise<string> => {
  const body = orderBody(tokens.Margherita, card, { autofill_selected_options: true });
  const reply = await app.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
};

const backUp = (name: string, more = {}) =>
  writeBackup({ connectionString, schema, directory: join(folder, name), ...more });

async function restore(name: string) {
  const backup = await checkBackup(join(folder, name));
  const result = await restoreBackup(backup, { connectionString, schema: restored });
  const { rowCount } = await client.query(`delete from ${restored}.settings where name = 'restored_at'`);
  assert.equal(rowCount, 1, 'a restored database is marked');
  return result;
}

async function restoredSchemas(): Promise<unknown[]> {
  const { rows } = await client.query('select nspname from pg_namespace where starts_with(nspname, $1)', [restored]);
  return rows;
}

async function forget(): Promise<void> {
  await client.query(`drop schema ${restored} cascade`);
}

test('a backup taken during ordering contains every acknowledged order, each whole', async (t) => {
  const acknowledged: string[] = [];
  let isEnding = false;
  const buyers = Array.from({ length: 4 }, async () => {
    try {
      while (!isEnding) acknowledged.push(await place());
    } finally {
      isEnding = true;
    }
  });
  const buying = Promise.all(buyers);
  // A failing buyer ends the wait and the other buyers.
  await Promise.race([buying, until('orders are placed', () => isEnding || acknowledged.length >= 8)]);
  const before = [...acknowledged];
  const atBackup = await backUp('under-load');
  isEnding = true;
  await buying;
  t.diagnostic(`${before.length} orders before the backup, ${acknowledged.length} in the end`);
  await restore('under-load');
  const { rows } = await client.query(
    `select o.order_id, o.last_sequence = (select count(*) from ${restored}.order_events e where e.order_id = o.order_id) as has_events,
       o.status = 'unplaced' or exists (select from ${restored}.sandbox_gateway_charges c
         where c.order_id = o.order_id and c.amount = o.total_with_tip and o.charged_cents = c.amount) as has_charge
     from ${restored}.orders o`,
  );
  assert.deepEqual(
    rows.filter(({ has_events, has_charge }) => !has_events || !has_charge),
    [],
  );
  const ids = new Set(rows.map(({ order_id }) => order_id));
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
  );
  assert.ok(atBackup.tables.every(({ rows: count }) => count >= 0));
  await forget();
});

test('a service on the restored database answers as before: orders, sealed tokens, keys', async (t) => {
  await backUp('served');
  await restore('served');
  const { config, service } = app;
  const log = createLog('silent');
  const { clock } = service.deps;
  const again = await startService({ config, connectionString, log, role: 'api', schema: restored, clock });
  t.after(async () => {
    await again.close();
    await forget();
  });
  const customer = clientOf(again, app.accountId, app.key);
  const ask = async (each: Client) => {
    const product = await each.get('/details/product', { product_id: tokens.Soda ?? '', pickup: true });
    const orders = await each.get('/account/orders');
    assert.deepEqual([product.status, orders.status], [200, 200]);
    return [product.body, orders.body];
  };
  assert.deepEqual(await ask(customer), await ask(app));
  const placed = await customer.post(
    '/order/order/v2',
    orderBody(tokens.Margherita, card, { autofill_selected_options: true }),
  );
  assert.equal(placed.status, 200, placed.text);
});

test('every value of every table is restored, pending jobs too, and sequences continue', async () => {
  const orderId = await place();
  await app.advance({ seconds: 1 });
  await client.query(`set search_path to ${schema}`);
  await fillTables(client, schema, 7, ['change_clock', 'settings']);
  const act = async (of: string): Promise<number> => {
    const { rows } = await client.query(
      `insert into ${of}.operator_actions (at, session_id, action, target, details) values (now(), '', '', '', '{}') returning action_no`,
    );
    return rows[0].action_no;
  };
  await act(schema);
  await backUp('whole');
  await restore('whole');
  const original = await contentsOf(client, schema);
  assert.deepEqual(await contentsOf(client, restored), original);
  const empty = Object.keys(original).filter((table) => original[table]?.length === 0);
  assert.deepEqual(empty, [], 'every table has rows to compare');
  const { rows } = await client.query(`select payload from ${restored}.jobs`);
  assert.ok(
    rows.some(({ payload }) => payload?.orderId === orderId),
    'the timer of the order',
  );
  assert.equal(await act(restored), await act(schema), 'numbers go on where they were');

  await forget();
});

test('only their owner can read the files, and a non-empty folder is rejected', async () => {
  const names = await readdir(join(folder, 'whole'));
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, 'whole', name))).mode & 0o777));
  assert.deepEqual([...new Set(modes)], [0o600]);
  assert.equal((await stat(join(folder, 'whole'))).mode & 0o777, 0o700);
  await assert.rejects(backUp('whole'), /is not empty: name a new folder for the backup\.$/);
  assert.deepEqual(await readdir(join(folder, 'whole')), names);
});

test('a backup that is broken off leaves no file, and its session ends', async () => {
  const broken = new AbortController();
  const onTable = () => broken.abort(new Error('enough'));
  await assert.rejects(backUp('broken-off', { signal: broken.signal, onTable }), /enough|aborted/);
  assert.deepEqual(await readdir(join(folder, 'broken-off')), []);
});

test('a database with tables of Doorstep is refused, and stays as it was', async () => {
  const backup = await checkBackup(join(folder, 'whole'));
  const before = await contentsOf(client, schema);
  const into = { connectionString, schema };
  await assert.rejects(restoreBackup(backup, into), /already contains Doorstep tables.*Specify an empty database/);
  assert.deepEqual(await contentsOf(client, schema), before);
});

test('a restore that ends early leaves nothing behind, and the next one restores', async (t) => {
  await t.test('rows that differ from the manifest', async () => {
    const directory = join(folder, 'other-number');
    const { format: _format, ...manifest } = await backUp('other-number');
    await rm(join(directory, 'manifest.json'));
    await writeManifest(directory, { ...manifest, changeNumber: manifest.changeNumber + 1 });
    await assert.rejects(restore('other-number'), /The change clock is/);
    assert.deepEqual(await restoredSchemas(), []);
  });
  await t.test('a person who interrupts it', async () => {
    const interruption = new AbortController();
    const backup = await checkBackup(join(folder, 'whole'));
    const options = { connectionString, schema: restored, signal: interruption.signal };
    const onTable = () => interruption.abort(new Error('enough'));
    await assert.rejects(restoreBackup(backup, { ...options, onTable }), /enough|aborted/);
    assert.deepEqual(await restoredSchemas(), []);
  });
  await restore('whole');
  await forget();
});

test('damaged, unfinished and newer files are rejected before any database is touched', async (t) => {
  const directory = join(folder, 'damaged');
  const fresh = async () => {
    await rm(directory, { recursive: true, force: true });
    return backUp('damaged');
  };
  const refused = async (sentence: RegExp) => {
    await assert.rejects(checkBackup(directory), { name: 'BackupError', message: sentence });
  };
  const file = join(directory, 'orders.copy.zst');
  await t.test('a changed byte', async () => {
    await fresh();
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(file, bytes);
    await refused(/is damaged: orders\.copy\.zst has other content than was written\.$/);
  });
  await t.test('a file that is too short, too long or away', async () => {
    await truncate(file, 10);
    await refused(/orders\.copy\.zst has 10 bytes instead of \d+\.$/);
    await appendFile(file, Buffer.alloc(1_000_000));
    await refused(/orders\.copy\.zst has 1000010 bytes instead of \d+\.$/);
    await rm(file);
    await refused(/orders\.copy\.zst cannot be read/);
  });
  const manifestFile = join(directory, 'manifest.json');
  await t.test('a manifest that is away, cut short, changed, too long or no file', async () => {
    await fresh();
    const text = await readFile(manifestFile, 'utf8');
    await writeFile(manifestFile, text.slice(0, 100));
    await refused(/is damaged: manifest\.json\.$/);
    await writeFile(manifestFile, text.replace(/"changeNumber": \d+/, '"changeNumber": 99999'));
    await refused(/is damaged: manifest\.json\.$/);
    // Same content, but longer than the manifest size limit.
    await writeFile(manifestFile, text + ' '.repeat(4 * 2 ** 20));
    await refused(/is damaged: manifest\.json\.$/);
    await rm(manifestFile);
    await refused(/holds no finished backup: it has no manifest\.json\.$/);
    await mkdir(manifestFile);
    await refused(/is damaged: manifest\.json\.$/);
  });
  await t.test('a schema of a newer version', async () => {
    const { format: _format, ...manifest }: Manifest = await fresh();
    await rm(manifestFile);
    await writeManifest(directory, { ...manifest, migrations: [...manifest.migrations, '9999-later.sql'] });
    await refused(/by a newer Doorstep version with an unknown schema \(9999-later\.sql\)/);
  });
});
