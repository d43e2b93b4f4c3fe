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
 * Webhook calls from the event's row to the recorded answer, by one service to a fast local endpoint: of one account,
 * of 20, and of 20 beside 40 with hanging endpoints. `npm run bench -- webhooks [--quick] [--orders N]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, orders: { type: 'string' } } });
const ORDERS = Number(values.orders ?? (values.quick ? 200 : 1000));
const ACCOUNTS = 20;
const HANGING = 40;
const TARGET_PER_S = 500;

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

const alone = await measure('alone', 1, ORDERS);
const together = await measure('together', ACCOUNTS, ORDERS / ACCOUNTS);
await givenListeners('hanging', HANGING, receiver.hanging, 20);
await delay(2000);
const beside = await measure('beside', ACCOUNTS, ORDERS / ACCOUNTS);

const report = createReport('webhooks');
for (const [what, value] of [
  ['calls of one account', alone],
  [`calls of ${ACCOUNTS} accounts`, together],
  [`calls beside ${HANGING} endpoints that hang`, beside],
] as const) {
  report.add({ what, value, unit: '/s', limit: { min: TARGET_PER_S }, details: '' });
}
await service.close();
await receiver.close();
if (!report.finish({ orders: ORDERS })) process.exitCode = 1;

/** Calls per second from the first commit of the events until every answer is recorded. */
async function measure(name: string, accounts: number, ordersEach: number): Promise<number> {
  const startedMs = performance.now();
  const accountIds = await givenListeners(name, accounts, receiver.fast, ordersEach);
  const expected = accounts * ordersEach * LIFE.length;
  while ((await countDelivered(db, accountIds)) < expected) await delay(20);
  return Math.round((expected * 1000) / (performance.now() - startedMs));
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
