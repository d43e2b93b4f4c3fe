// covers: src/ordering/place/place-order.flow.ts, src/ordering/money/charge-under-key.flow.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SEED } from '../runs.ts';
import { until } from '../until.ts';
import { assertDatabaseIsSound } from './amcheck.ts';
import { ask, cleanUp, freshDataDir, isLinux, open } from './embedded-postgres-harness.ts';
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
import {
  CAPACITY,
  CLIENTS,
  chanceOf,
  givenWorld,
  retryUnanswered,
  runClient,
  STOCK,
  type World,
} from './orders-clients.ts';
import { startServiceProcess } from './service-process.ts';

after(cleanUp);

/** Which processes each round kills (`all` includes PostgreSQL), and whether the simulated store is on. */
const ROUNDS = [
  { kill: 'all', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'service', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'all', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'service', pace: 'manual' },
  { kill: 'all', pace: '0.3' },
] as const;

/** Kills and restarts the service in rounds while clients order; returns the duration of each start. */
async function killAgainAndAgain(world: World, dataDir: string): Promise<number[]> {
  const chance = chanceOf(SEED);
  const readyMs: number[] = [];
  for (const { kill, pace } of ROUNDS) {
    await pause(500 + chance() * 1300);
    const service = world.service ?? assert.fail();
    await (kill === 'all' ? service.killAll() : service.killService());
    world.service = undefined;
    world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: pace });
    readyMs.push(world.service.readyMs);
  }
  await pause(500 + chance() * 1000);
  world.isEnding = true;
  await world.service?.killAll();
  return readyMs;
}

test(`every acknowledged order survives kills while eight clients order, and is charged once (PROPERTY_SEED=${SEED})`, {
  skip: !isLinux,
}, async (t) => {
  const dataDir = freshDataDir();
  const world = await givenWorld(dataDir, SEED);
  t.after(() => {
    world.isEnding = true;
  });
  const clients = Array.from({ length: CLIENTS }, (_, index) => runClient(world, index));
  const [readyMs] = await Promise.all([killAgainAndAgain(world, dataDir), ...clients]);

  const database = await open(dataDir);
  t.after(() => database.close());
  const { connectionString } = database;
  await t.test('every heap and index passes amcheck', () => assertDatabaseIsSound(connectionString));
  const left = await leftOrders(connectionString);
  await age(connectionString, 1);
  world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: 'manual' });
  const resolved = async (isResolved: (left: Awaited<ReturnType<typeof leftOrders>>) => boolean) =>
    until('what was left is resolved', async () => isResolved(await leftOrders(connectionString)));

  await t.test('a start resolves orders left between their charge and their placement', () =>
    resolved(({ charged, refunds }) => charged === 0 && refunds === 0),
  );
  const retried = await retryUnanswered(world);
  await t.test('an uncharged order is given up after ten minutes', async () => {
    await world.service?.stop();
    await age(connectionString, 11);
    world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: 'manual' });
    await resolved(({ pending }) => pending === 0);
  });

  await t.test('every acknowledged order is stored', async () => {
    const rows = await ask(connectionString, 'select order_id, status, charge_user from doorstep.orders');
    const stored = new Map(rows.map((row) => [row.order_id, row]));
    for (const { orderId, charged, canceled } of world.acknowledged) {
      const row = stored.get(orderId);
      assert.ok(row && row.status !== 'unplaced', orderId);
      assert.equal(row.charge_user, charged);
      if (canceled) assert.equal(row.status, 'canceled', orderId);
    }
  });
  await t.test('money, logs, numbers, stock and slots are right', async () => {
    await assertMoneyIsRight(connectionString);
    await assertLogsAreWhole(connectionString);
    await assertNumbersAreUnique(connectionString);
    await assertStockIsRight(connectionString, STOCK);
    await assertWindowsAreRight(connectionString, CAPACITY);
  });
  await t.test('every order awaiting its store still has a timer', () =>
    until('all have a timer', async () => (await forgottenOrders(connectionString)) === 0),
  );
  await t.test('an idempotency key names one order and repeats its response', () => assertKeysAreHonored(world));
  await t.test('clients read the same orders and charges over HTTP', () => assertSeenOverHttp(world));
  t.diagnostic(
    `acknowledged ${world.acknowledged.length} (${world.acknowledged.filter((order) => order.canceled).length} canceled), ` +
      `unanswered and retried ${retried}, left by the last kill ${JSON.stringify(left)}, ` +
      `refused ${JSON.stringify(Object.fromEntries(world.refusals))}, ready after ${readyMs.join(', ')} ms`,
  );
  await world.service?.stop();
});

async function assertKeysAreHonored(world: World): Promise<void> {
  const keyed = world.acknowledged.filter(({ key }) => key !== undefined);
  const byKey = new Map<string | undefined, Set<string>>();
  for (const { key, orderId } of keyed) byKey.set(key, (byKey.get(key) ?? new Set()).add(orderId));
  assert.deepEqual(
    [...byKey].filter(([, orders]) => orders.size > 1),
    [],
  );
  assert.ok(!world.refusals.has('idempotency_conflict'));
  const sample = keyed.slice(-40);
  for (const { key, orderId } of sample) {
    const reply = await world.call.post('/order/order/v2', world.plans.get(key)?.body ?? {}, key);
    assert.deepEqual([reply.status, reply.replayed, reply.body.order_id], [200, true, orderId]);
  }
}

async function assertSeenOverHttp({ acknowledged, call }: World): Promise<void> {
  const every = Math.max(1, Math.floor(acknowledged.length / 150));
  for (const { orderId, charged } of acknowledged.filter((_, index) => index % every === 0)) {
    const order = (await call.get('/account/orders', { order_id: orderId })).body.orders[0];
    const { charges } = (await call.get('/sandbox/charges', { order_id: orderId })).body;
    const amounts = charges.map((c: { amount: number; refunded_amount: number }) => [c.amount, c.refunded_amount]);
    const refunded = order.status === 'canceled' ? order.total_with_tip : 0;
    assert.deepEqual(amounts, charged ? [[order.total_with_tip, refunded]] : [], orderId);
  }
}
