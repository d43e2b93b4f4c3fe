import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import type { Db } from '../../src/platform/db/connect.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { pizzeria } from '../../test/feed-lines.ts';
import { CARD, orderBody } from '../../test/given/orders.ts';
import type { Shopper } from './client.ts';

const STORES = 16;

/** The stores that receive the orders. */
const STORE_IDS = Array.from({ length: STORES }, (_, n) => storeIdOf('bench', `pizzeria-${n}`));

/** Accounts, used round-robin so that each stays below its key's rate limit. */
const ACCOUNTS = 64;

/** Default settings of a service; log lines are formatted and discarded. */
export const DEFAULTS = { RATE_LIMIT_PER_MINUTE: '', LOG_LEVEL: 'info' };

/** Stores that take orders, and keys of accounts that order there. */
export async function givenShops(db: Db): Promise<string[]> {
  const feed = STORE_IDS.map(
    (_, n) => `${JSON.stringify(pizzeria({ external_id: `pizzeria-${n}`, name: `Pizza ${n}` }))}\n`,
  );
  const stdin = Readable.from(feed);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'bench', stdin });
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { accountId } = await createAccount(db, 'Bench', systemClock.now());
    keys.push((await issueKey(db, accountId, 'sandbox', systemClock.now())).key);
  }
  await sql`analyze`.execute(db);
  return keys;
}

/** A pizza of the n-th store with nested modifiers, as an order item. */
async function pieOf(url: string, key: string, nth: number): Promise<object> {
  const query = `pickup=false&store_id=${STORE_IDS[nth % STORES]}`;
  const inventory = await fetch(`${url}/details/inventory?${query}`, { headers: { 'id-token': key } });
  const { categories } = (await inventory.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
  const selected_options = [
    { option_id: 'l', quantity: 1 },
    { option_id: 'olives', quantity: 2 },
  ];
  return { product_id: categories[0]?.menu_item_list[0]?.product_id, selected_options };
}

/** One customer per account with a saved card. */
export async function cardholdersOf(url: string, keys: readonly string[]): Promise<Shopper[]> {
  const card = JSON.stringify({ payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' });
  const shoppers: Shopper[] = [];
  for (const [nth, key] of keys.entries()) {
    const headers = { 'id-token': key, 'content-type': 'application/json' };
    const created = await fetch(`${url}/payment/create`, { method: 'POST', headers, body: card });
    const { payment_method_id: method } = (await created.json()) as { payment_method_id: string };
    shoppers.push({ key, body: JSON.stringify(orderBody(undefined, method, { items: [await pieOf(url, key, nth)] })) });
  }
  return shoppers;
}

/**
 * Checks that every order was placed, charged once, and has its event. Retries while the last orders are still running.
 */
export async function checkBooks(db: Db, triesLeft = 50): Promise<void> {
  const { rows } = await sql<{ orders: number; events: number; charges: number; wrong: number }>`
    select (select count(*) from orders) as orders,
      (select count(*) from order_events where type = 'order.placed') as events,
      (select count(*) from sandbox_gateway_charges where status = 'succeeded') as charges,
      (select count(*) from orders where placed_at is null or charge_state <> 'charged') as wrong`.execute(db);
  const [books] = rows;
  if (books && books.wrong > 0 && triesLeft > 0) {
    await delay(100);
    return checkBooks(db, triesLeft - 1);
  }
  if (!books || books.wrong > 0 || books.orders !== books.events || books.orders !== books.charges) {
    throw new Error(`The books do not agree: ${JSON.stringify(books)}`);
  }
}
