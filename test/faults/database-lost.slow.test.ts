import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { type Service, startService } from '../../src/app/wiring/service.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { givenDatabase } from '../given/command.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import { type Client, clientOf } from '../harness.ts';
import { until } from '../until.ts';

const ROUNDS = 8;
const STORE = storeIdOf('test', 'pizzeria');

const database = await givenDatabase();
const connectionString = database.env.DATABASE_URL ?? '';
const settings = readSettings({ LOG_LEVEL: 'silent', SANDBOX_PACE: 'manual', WEBHOOK_ALLOW_PRIVATE: 'true' });
const config = { ...settings, searchSnapshotDir: null };
const options = { config, connectionString, log: createLog('silent'), clock: systemClock };
const service: Service = await startService(options);
const receiver = await givenReceiver();
after(async () => {
  await service.close();
  await receiver.close();
  await database.drop();
});

async function importStore(name: string): Promise<void> {
  const stdin = Readable.from([`${JSON.stringify(pizzeria({ name }))}\n`]);
  await importFiles(service.deps, { files: ['-'], source: 'test', stdin });
}

async function givenClient(): Promise<Client> {
  await importStore('Test Pizzeria');
  const { db, clock } = service.deps;
  const { accountId } = await createAccount(db, 'Test account', clock.now());
  const { key } = await issueKey(db, accountId, 'sandbox', clock.now());
  const client = clientOf(service, accountId, key);
  const added = await client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/hook` });
  assert.equal(added.status, 200, added.text);
  return client;
}

/**
 * Terminates the service's connections: pools, listeners and its job queue's. Autovacuum workers are not connections,
 * and the service's role may not end them.
 */
async function endConnections(): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  await client.end();
  return new Map(
    Map.groupBy(rows, ({ name }) => name)
      .entries()
      .map(([name, ended]) => [name, ended.length]),
  );
}

test('a service whose connections all end answers 503 at worst, loses no order, and works on without a restart', async (t) => {
  const client = await givenClient();
  await service.deps.storeFeed.catchUp();
  const products = await productTokens(client, STORE);
  const body = orderBody(products.Margherita, null, { charge_user: false, autofill_selected_options: true });
  const acknowledged: string[] = [];
  const refused: number[] = [];
  let isEnding = false;
  const order = async (key: string) => {
    const reply = await client.post('/order/order/v2', body, { 'idempotency-key': key });
    if (reply.status === 200) return acknowledged.push(reply.body.order_id);
    // 409: the first request with this key was cut off and may still be running.
    assert.ok(reply.status === 503 || reply.status === 409, reply.text);
    assert.ok(Number(reply.headers['retry-after']) > 0, reply.text);
    return refused.push(reply.status);
  };
  const buy = async (buyer: number) => {
    for (let number = 0; !isEnding; number += 1) await order(`${buyer}-${number}`);
  };
  const buyers = [0, 1, 2, 3].map(buy);
  const names = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = acknowledged.length;
    await until('orders are acknowledged', () => acknowledged.length > before + 2);
    for (const [name] of await endConnections()) names.add(name);
  }
  isEnding = true;
  await Promise.all(buyers);
  t.diagnostic(
    `acknowledged ${acknowledged.length}, refused ${refused.length}, connections of ${[...names].join(', ')}`,
  );
  for (const name of ['doorstep', 'doorstep-store-feed']) assert.ok(names.has(name), name);

  await until('the service is ready', async () => (await client.get('/readyz')).status === 200);
  const { db } = service.deps;
  const rows = await db.selectFrom('orders').select(['orderId', 'status']).where('placedAt', 'is not', null).execute();
  const stored = new Set(rows.map(({ orderId }) => orderId));
  assert.deepEqual(
    acknowledged.filter((orderId) => !stored.has(orderId)),
    [],
  );

  await t.test('jobs run: a canceled order is refunded', async () => {
    const card = await givenPaymentMethod(client);
    const paid = orderBody(products.Margherita, card, { autofill_selected_options: true });
    const { body: placed } = await client.post('/order/order/v2', paid);
    await client.post(`/sandbox/orders/${placed.order_id}/advance`, { event: 'cancel' });
    await until('the charge is given back', async () => {
      const { body: found } = await client.get('/sandbox/charges', { order_id: placed.order_id });
      return found.charges[0].refunded_amount === found.charges[0].amount;
    });
  });
  await t.test('every event makes one webhook call, and the call arrived', () =>
    until('all are called', async () => {
      const events = await db.selectFrom('orderEvents').select(['orderId', 'sequence']).execute();
      const called = receiver.calls.map(({ id, body: text }): [string, string] => {
        const { data } = JSON.parse(text);
        return [id, `${data.order.order_id} ${data.sequence}`];
      });
      const named = events.map(({ orderId, sequence }) => `${orderId} ${sequence}`);
      return isDeepStrictEqual([...new Map(called).values()].sort(), named.sort());
    }),
  );
  await t.test('search follows changes of stores', async () => {
    await importStore('Renamed Pizzeria');
    const place = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
    await until('the new name is found', async () => {
      const found = await client.get('/search/store/v3', place);
      return found.status === 200 && found.body.stores[0].name === 'Renamed Pizzeria';
    });
  });
});
