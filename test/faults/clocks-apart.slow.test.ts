import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { pizzeria } from '../feed-lines.ts';
import { type Env, freePort, givenDatabase, startCommand } from '../given/command.ts';
import { givenCommandHost } from '../given/command-host.ts';
import { orderBody } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import { clockAhead } from '../nightly/shift-clock.ts';
import { until } from '../until.ts';
import { callerOf } from './service-process.ts';

const TIMEOUT_MINUTES = 10;
/** Placed at each node. */
const ORDERS = 6;

/** A live account and a store that gets its orders by webhook. */
async function givenShop(env: Env, webhook: string): Promise<{ key: string; storeId: string }> {
  const feed = join(mkdtempSync(join(env.DATA_DIR ?? '', 'feed-')), 'feed.ndjson');
  writeFileSync(feed, `${JSON.stringify(pizzeria())}\n`);
  const host = givenCommandHost();
  const run = async (...args: string[]) => {
    const { status, body } = await host.runJson(args, env);
    assert.equal(status, 0, JSON.stringify(body));
    return body;
  };
  try {
    await run('import', feed);
    const { stores } = await run('stores', 'list');
    const storeId = stores[0].store_id;
    await run('stores', 'channels', storeId, '--webhook', webhook);
    const { account_id: account } = await run('accounts', 'create', 'Two clocks');
    await run('accounts', 'set', account, '--unpaid-orders', '1000');
    const { key } = await run('keys', 'create', '--account', account, '--live');
    return { key, storeId };
  } finally {
    await host.close();
  }
}

/** Starts `doorstep serve`; an API node has a URL. */
async function startNode(stack: AsyncDisposableStack, role: 'api' | 'worker', env: Env) {
  const running = startCommand(['serve', '--role', role, '--json'], { ...env, PORT: await freePort() });
  stack.defer(async () => {
    running.child.kill('SIGTERM');
    await running.finished;
  });
  let log = '';
  running.child.stderr.on('data', (text: string) => {
    log += text;
  });
  const { url } = JSON.parse((await running.printed(/^\{.*\}$/m))[0]);
  return { url: url as string, log: () => log };
}

/** Machines differ by host name, which all nodes share here. */
async function saveRightMachine(databaseUrl: string | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`insert into doorstep.clock_differences (host, ahead_seconds, measured_at)
    values ('a machine with the right time', 0, clock_timestamp() + interval '1 hour')`);
  await client.end();
}

/** What is stored of an order, with its distance from the database's time in seconds. */
async function moments(databaseUrl: string | undefined, orderId: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select status, extract(epoch from clock_timestamp() - offer_at)::float8 as "offeredAgoS",
       (select max(abs(extract(epoch from clock_timestamp() - at)))::float8 from doorstep.order_events e
         where e.order_id = o.order_id) as "apartS"
     from doorstep.orders o where order_id = $1`,
    [orderId],
  );
  await client.end();
  return rows[0];
}

/**
 * Nodes with their clocks, in seconds, and how their log and /readyz name the difference. A measurement is off by at
 * most its round trip, which takes seconds on a busy machine.
 */
const ROUND_TRIP_S = 30;
const NODES = [
  { aheadS: 7200, words: /is 7[12]\d\d\.\d s ahead of the database's/ },
  { aheadS: -1200, words: /is 1[12]\d\d\.\d s behind the database's/ },
];

test('orders at nodes with wrong clocks reach their kitchens, and wait for them as long as any other', async () => {
  await using stack = new AsyncDisposableStack();
  const { env: own, drop } = await givenDatabase();
  stack.defer(drop);
  const receiver = await givenReceiver();
  stack.defer(() => receiver.close());
  const env: Env = {
    ...own,
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '0',
    ORDER_CONFIRM_TIMEOUT_MINUTES: String(TIMEOUT_MINUTES),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const { key, storeId } = await givenShop(env, receiver.url);
  await saveRightMachine(env.DATABASE_URL);
  const worker = await startNode(stack, 'worker', env);
  const nodes = await Promise.all(
    NODES.map(async (node) => ({
      ...node,
      ...(await startNode(stack, 'api', { ...env, ...clockAhead(node.aheadS * 1000) })),
    })),
  );
  const orders: string[] = [];
  for (const { url } of nodes) {
    const call = callerOf(() => url, key);
    const inventory = await call.get('/details/inventory', { store_id: storeId, pickup: 'false' });
    const product = inventory.body.categories[0].menu_item_list[0].product_id;
    const body = orderBody(product, null, { charge_user: false, autofill_selected_options: true });
    for (let n = 0; n < ORDERS; n += 1) {
      const reply = await call.post('/order/order/v2', body);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
      orders.push(reply.body.order_id);
    }
  }
  const isOffered = (orderId: string) => receiver.calls.some(({ body }) => body.includes(orderId));
  await until('every kitchen has its order', () => orders.every(isOffered));
  for (const orderId of orders) {
    const { status, offeredAgoS, apartS } = await moments(env.DATABASE_URL, orderId);
    assert.equal(status, 'awaiting_confirmation');
    assert.ok(
      offeredAgoS > -ROUND_TRIP_S && apartS < 60 * TIMEOUT_MINUTES,
      `offered ${offeredAgoS} s ago, an event ${apartS} s`,
    );
  }
  for (const { url, log, aheadS, words } of nodes) {
    const ready = await fetch(`${url}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(((await ready.json()) as { detail: string }).detail, words);
    await until('the log says so', () => words.test(log()));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const measuredS = Number(/^doorstep_clock_difference_seconds (.*)$/m.exec(metrics)?.[1]);
    assert.ok(Math.abs(measuredS - aheadS) < ROUND_TRIP_S, `${measuredS}`);
  }
  assert.doesNotMatch(worker.log(), /the clock of this machine/);
});
