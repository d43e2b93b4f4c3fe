// covers: src/app/cli/database/{backup,restore}.ts
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DOORSTEP, type Finished, startProgram } from '../given/command.ts';
import { until } from '../until.ts';
import { ask, cleanUp, freshDataDir, freshDirectory, isLinux, open } from './embedded-postgres-harness.ts';
import {
  age,
  assertLogsAreWhole,
  assertMoneyIsRight,
  assertNumbersAreUnique,
  assertStockIsRight,
  assertWindowsAreRight,
  forgottenOrders,
  leftOrders,
} from './orders-books.ts';
import { CAPACITY, givenWorld, runClient, STOCK } from './orders-clients.ts';
import { environmentOf, startServiceProcess } from './service-process.ts';

after(cleanUp);

const SEED = 7;
const BUYERS = 4;
const ORDERS_BEFORE = 25;

const doorstep = (dataDir: string, ...args: string[]): Promise<Finished> =>
  startProgram(process.execPath, [DOORSTEP, ...args], environmentOf({ DATA_DIR: dataDir })).finished;

/** The whole output must be one JSON document. */
async function json(dataDir: string, ...args: string[]) {
  const { status, stdout, stderr } = await doorstep(dataDir, ...args, '--json');
  return { status, stderr, body: JSON.parse(stdout) };
}

test('a backup of a busy service, restored elsewhere, is the service of that moment', { skip: !isLinux }, async (t) => {
  const dataDir = freshDataDir();
  const directory = join(freshDirectory(), 'backup');
  const world = await givenWorld(dataDir, SEED);
  t.after(() => {
    world.isEnding = true;
  });
  const clients = Array.from({ length: BUYERS }, (_, index) => runClient(world, index));
  await until('orders are placed', () => world.acknowledged.length >= ORDERS_BEFORE);
  const before = [...world.acknowledged];
  const backup = await json(dataDir, 'backup', directory);
  world.isEnding = true;
  await Promise.all(clients);
  await world.service?.stop();
  assert.equal(backup.status, 0, backup.stderr);

  await t.test('the answer counts rows, and each table is named on standard error', () => {
    const { rows, tables, bytes, snapshot_at: at, schema } = backup.body;
    assert.ok(rows > before.length && bytes > 0 && tables === readdirSync(directory).length - 1);
    assert.match(`${at} ${schema}`, /^\d{4}-\d\d-\d\dT[\d:.]+Z \d{4}-.*\.sql$/);
    assert.match(backup.stderr, /^Copying orders$/m);
  });

  const elsewhere = freshDataDir();
  const restored = await json(elsewhere, 'restore', directory);
  assert.deepEqual([restored.status, restored.body.rows], [0, backup.body.rows], restored.stderr);
  assert.deepEqual([restored.body.applied, restored.body.left_out], [[], []]);
  const database = await open(elsewhere);
  t.after(() => database.close());
  const { connectionString } = database;

  await t.test('every order acknowledged before the backup is there', async () => {
    const rows = await ask(connectionString, 'select order_id, status, charge_user from doorstep.orders');
    const stored = new Map(rows.map((row) => [row.order_id, row]));
    for (const { orderId, charged, canceled } of before) {
      const row = stored.get(orderId);
      assert.ok(row && row.status !== 'unplaced', orderId);
      assert.equal(row.charge_user, charged);
      if (canceled) assert.equal(row.status, 'canceled', orderId);
    }
  });
  assert.deepEqual((await json(elsewhere, 'database', 'release')).body, { released: true });
  await t.test('a moment between charge and order is resolved, and the books balance', async () => {
    await age(connectionString, 11);
    world.service = await startServiceProcess(elsewhere, { SANDBOX_PACE: 'manual' });
    await until('nothing is left', async () => {
      const { charged, pending, refunds } = await leftOrders(connectionString);
      return charged + pending + refunds === 0;
    });
    await assertMoneyIsRight(connectionString);
    await assertLogsAreWhole(connectionString);
    await assertNumbersAreUnique(connectionString);
    await assertStockIsRight(connectionString, STOCK);
    await assertWindowsAreRight(connectionString, CAPACITY);
  });
  await t.test('every order that waits for its store is still watched', () =>
    until('all have a timer', async () => (await forgottenOrders(connectionString)) === 0),
  );
  await t.test('a key answers a repeated order as before', async () => {
    const { key, orderId } = before.find((order) => order.key !== undefined) ?? assert.fail();
    const reply = await world.call.post('/order/order/v2', world.plans.get(key)?.body ?? {}, key);
    assert.deepEqual([reply.status, reply.replayed, reply.body.order_id], [200, true, orderId]);
  });
  await world.service?.stop();

  await t.test('refused: a restore over orders', async () => {
    const filled = await doorstep(elsewhere, 'restore', directory);
    assert.deepEqual([filled.status, filled.stdout], [1, '']);
    assert.match(filled.stderr, /^The database already contains Doorstep tables, .*\n$/);
    assert.equal((await json(elsewhere, 'restore', directory, '--check')).body.rows, backup.body.rows);
  });
});
