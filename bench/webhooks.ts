import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { createAccount } from '../src/access/accounts/issue-key.flow.ts';
import { attachEndpoint } from '../src/notify/webhooks/endpoints.db.ts';
import type { Db } from '../src/platform/db/connect.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { newSigningSecret } from '../src/platform/lib/standard-webhook.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../src/supply/stores/store-id.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { givenCopies, LIFE } from '../test/given/events.ts';
import { orderBody } from '../test/given/orders.ts';
import { createReport } from './report.ts';
import { type BenchService, givenBench, startChild } from './setup.ts';

/**
 * Webhook calls from the event's row to the recorded answer, by one service to a fast local endpoint, alongside bare
 * calls that are neither kept nor signed: of one account, of 20, and of 20 alongside 40 with hanging endpoints. `npm
 * run bench -- webhooks [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const ORDERS = values.quick ? 200 : 1000;
const BARE_CLIENTS = 16;
const ACCOUNTS = 20;
const HANGING = 40;
const TARGET_PER_S = 500;
const BODY = JSON.stringify({ text: 'x'.repeat(2000) });

const receiver = await startChild<{ fast: string; hanging: string }>('webhook-receiver-child.ts');
const service = await givenBench(
  async (db) => {
    const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
    await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'bench', stdin });
  },
  { SANDBOX_PACE: 'manual', WEBHOOK_ALLOW_PRIVATE: 'true' },
);
const { db } = service;
const template = await placeOrder(service);

const report = createReport('webhooks');
await measure('to one endpoint', 'one', 1);
await measure(`to ${ACCOUNTS} endpoints`, 'many', ACCOUNTS);
await givenListeners('hanging', HANGING, receiver.hanging, 20);
await delay(2000);
await measure(`to ${ACCOUNTS} endpoints, beside ${HANGING} that hang`, 'beside', ACCOUNTS);
await service.close();
await receiver.close();
report.finish(`${ORDERS * LIFE.length} calls each`);

/** Calls per second from the first commit of the events until every response is recorded. */
async function measure(what: string, name: string, accounts: number): Promise<void> {
  const url = receiver.fast;
  const calls = ORDERS * LIFE.length;
  const bareS = await bareSeconds(url, calls);
  const startedMs = performance.now();
  const accountIds = await givenListeners(name, accounts, url, ORDERS / accounts);
  while ((await countDelivered(db, accountIds)) < calls) await delay(20);
  report.add({
    what: `calls ${what}`,
    value: (calls * 1000) / (performance.now() - startedMs),
    unit: 'a second',
    peer: { name: 'bare calls', value: calls / bareS },
    limit: { min: TARGET_PER_S },
  });
}

/** Seconds that as many calls take with `fetch` alone. */
async function bareSeconds(url: string, calls: number): Promise<number> {
  const startedMs = performance.now();
  let left = calls;
  const call = async () => {
    while (left-- > 0) await (await fetch(url, { method: 'POST', body: BODY })).arrayBuffer();
  };
  await Promise.all(Array.from({ length: BARE_CLIENTS }, call));
  return (performance.now() - startedMs) / 1000;
}

async function givenListeners(name: string, accounts: number, url: string, ordersEach: number): Promise<string[]> {
  const accountIds: string[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const { accountId } = await createAccount(db, name, systemClock.now());
    await attachEndpoint(db, { accountId, mode: 'sandbox', url, secret: newSigningSecret() }, systemClock.now());
    await givenCopies(db, { orderId: template, accountId }, { prefix: `${name}-${n}-`, count: ordersEach });
    accountIds.push(accountId);
  }
  return accountIds;
}

async function countDelivered(db: Db, accountIds: string[]): Promise<number> {
  const { rows } = await sql<{ done: number }>`
    select count(*)::int as done from webhook_calls
    where account_id = any(${accountIds}::text[]) and state = 'delivered'`.execute(db);
  return rows[0]?.done ?? 0;
}

async function placeOrder({ url, key }: BenchService): Promise<string> {
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const storeId = storeIdOf('bench', 'pizzeria');
  const inventory = await fetch(`${url}/details/inventory?pickup=false&store_id=${storeId}`, { headers });
  const { categories } = (await inventory.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
  const options = { autofill_selected_options: true, charge_user: false };
  const body = JSON.stringify(orderBody(categories[0]?.menu_item_list[0]?.product_id, null, options));
  const placed = await fetch(`${url}/order/order/v2`, { method: 'POST', headers, body });
  const { order_id: orderId } = (await placed.json()) as { order_id: string };
  return orderId;
}
