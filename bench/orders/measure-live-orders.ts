import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { setChannels } from '../../src/fulfillment/store-channels/set-channels.flow.ts';
import { attachEndpoint } from '../../src/notify/webhooks/endpoints.db.ts';
import type { Db } from '../../src/platform/db/connect.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { newSigningSecret } from '../../src/platform/lib/standard-webhook.ts';
import { orderBody } from '../../test/given/orders.ts';
import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService, startChild } from '../setup.ts';
import type { OrderClient, Shopper } from './client.ts';
import { DEFAULTS, givenAccount, pieOf, STORE_IDS } from './order-shop.ts';

const CLIENTS = 8;
const ACCOUNTS = 16;
/** Orders until the code is JIT-compiled; the first ones cost several times as much. */
const WARM_UP_ORDERS = 800;
/** Outbound message per order: the store's offer, the receipt, or the account's webhook call. */
type Part = 'offers' | 'receipts' | 'calls';

/**
 * Live orders from eight clients at full speed, until every offer, receipt and webhook call has left. Paid outside of
 * the service, without SMS and budgets.
 */
export async function measureLiveOrders(
  database: BenchDatabase,
  client: OrderClient,
  orders: number,
  report: Report,
): Promise<void> {
  const { db } = database;
  const outside = await startChild<{ smtpUrl: string; endpointUrl: string }>('orders/outside-child.ts');
  const email = 'store@example.com';
  for (const storeId of STORE_IDS) {
    await db.transaction().execute((tx) => setChannels(tx, storeId, { email }, systemClock.now()));
  }
  const service = await startBenchService(database, {
    ...DEFAULTS,
    SMTP_URL: outside.smtpUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DAILY_BUDGETS: '{"emails": "unlimited", "unpaid_orders": "unlimited"}',
  });
  const shoppers = await givenShoppers(db, service.url, outside.endpointUrl);
  await client.place({ url: service.url, shoppers, connections: CLIENTS, rounds: WARM_UP_ORDERS / CLIENTS });
  await untilNothingWaits(db);
  const since = systemClock.now();
  const [startMs, beforeMs] = [performance.now(), await service.cpuMs()];
  const placed = await client.place({ url: service.url, shoppers, connections: CLIENTS, rounds: orders / CLIENTS });
  await untilNothingWaits(db);
  const seconds = (performance.now() - startMs) / 1000;
  const cpuMicros = (((await service.cpuMs()) - beforeMs) * 1000) / placed.latenciesMs.length;
  const late = await readLateness(db, since, placed.latenciesMs.length);
  await service.close();
  await outside.close();
  const rate = placed.latenciesMs.length / placed.seconds;
  report.add({
    what: 'live orders until nothing waits',
    value: placed.latenciesMs.length / seconds,
    unit: 'a second',
    limit: null,
    details: `placed at ${Math.round(rate)}/s, ${Math.round(cpuMicros)} µs of the service's processor each`,
  });
  for (const [part, seconds] of Object.entries(late)) {
    report.add({
      what: `the last of the ${part} after its order`,
      value: Math.max(...seconds),
      unit: 's',
      limit: null,
      details: `p50 ${quantile(seconds, 0.5).toFixed(2)} s, p99 ${quantile(seconds, 0.99).toFixed(2)} s`,
    });
  }
}

async function givenShoppers(db: Db, url: string, endpointUrl: string): Promise<Shopper[]> {
  const shoppers: Shopper[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { accountId, key } = await givenAccount(db, 'live');
    const endpoint = { accountId, mode: 'live', url: endpointUrl, secret: newSigningSecret() } as const;
    await attachEndpoint(db, endpoint, systemClock.now());
    const paidOutside = { items: [await pieOf(url, key, n)], charge_user: false, disable_sms: true };
    shoppers.push({ key, body: JSON.stringify(orderBody(undefined, null, paidOutside)) });
  }
  return shoppers;
}

async function untilNothingWaits(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from order_events where not dispatched)
        or exists (select from messages where state = 'pending')
        or exists (select from store_notices where state = 'waiting')
        or exists (select from webhook_calls where state = 'pending') as waits`.execute(db);
    if (rows[0]?.waits === false) return;
    await delay(50);
  }
}

/** Seconds from placing each order until each part had left; throws if a part is missing. */
async function readLateness(db: Db, since: Temporal.Instant, orders: number): Promise<Record<Part, number[]>> {
  const { rows } = await sql<{ part: Part; late: number }>`
    with placed as (select order_id, placed_at from orders where placed_at >= ${since.toString()}::timestamptz)
    select 'offers' as part, extract(epoch from sent_at - placed_at)::float8 as late
    from placed join store_notices using (order_id) where sent_at is not null
    union all
    select 'receipts', extract(epoch from sent_at - placed_at)::float8
    from placed join messages using (order_id) where state = 'sent' and channel = 'email'
    union all
    select 'calls', extract(epoch from delivered_at - placed_at)::float8
    from placed join webhook_calls using (order_id) where state = 'delivered'`.execute(db);
  const of = (part: Part) => rows.filter((row) => row.part === part).map(({ late }) => late);
  const late = { offers: of('offers'), receipts: of('receipts'), calls: of('calls') };
  for (const [part, found] of Object.entries(late)) {
    if (found.length !== orders) throw new Error(`${found.length} ${part} of ${orders} orders were sent.`);
  }
  return late;
}
