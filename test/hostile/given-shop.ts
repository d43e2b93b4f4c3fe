import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { savePhoto } from '../../src/fulfillment/deliveries/proofs.db.ts';
import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { givenJpeg } from '../given/driver.ts';
import { givenConsole, givenStoreKey } from '../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type AppOptions, type Client, givenOwnApp } from '../harness.ts';

export type Ids = {
  store_id: string;
  product_id: string;
  subcategory_id: string;
  scheduled_id: string;
  payment_method_id: string;
  /** Unreferenced, so it can be deleted. */
  spare_payment_method_id: string;
  order_id: string;
  unplaced_order_id: string;
};

export type Shop = App & {
  ids: Ids;
  storeKey: string;
  ownerCookie: string;
  operatorCookie: string;
  goodOrder(changes?: object): Record<string, unknown>;
  /**
   * Row counts of every table that a request can write, taken after the jobs of earlier requests: a deleted card leaves
   * the gateway in a job.
   */
  countRows(): Promise<Record<string, number>>;
  listen(): Promise<number>;
};

/** Tables that are derived from others, independent of requests and timing. */
const FORGOTTEN = /^(settings|schema_migrations|kysely_|menus$|store_loads$)/;

/** An app with a full store, a payment method, a placed order with a photo at the door, and an unplaced order. */
export async function givenShop(options?: AppOptions): Promise<Shop> {
  const app = await givenOwnApp(options);
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const ids = await givenIds(app, storeId);
  await savePhoto(app.service.deps.db, ids.order_id, givenJpeg(), app.now());
  return {
    ...app,
    ids,
    storeKey: (await givenStoreKey(app, storeId, app.accountId)).key,
    ownerCookie: (await givenConsole(app, storeId)).cookie,
    operatorCookie: (await givenConsole(app, null)).cookie,
    goodOrder: (changes) => orderBody(ids.product_id, ids.payment_method_id, changes),
    async countRows() {
      await app.advance({ seconds: 0 });
      return countRows(app);
    },
    async listen() {
      await app.service.http.listen({ host: '127.0.0.1', port: 0 });
      return (app.service.http.server.address() as AddressInfo).port;
    },
  };
}

/** An account's ids: the store's public ones, and its own card and orders. */
export async function givenIds(client: Client, storeId: string): Promise<Ids> {
  const tokens = await productTokens(client, storeId);
  const product_id = tokens.Margherita ?? '';
  const menu = await client.get('/details/inventory', {
    store_id: storeId,
    pickup: false,
    include_quote: true,
    ...NEAR_DOOR,
  });
  const payment_method_id = await givenPaymentMethod(client);
  const order = async (place: boolean) => {
    const body = orderBody(product_id, payment_method_id, { place_order: place, autofill_selected_options: true });
    const reply = await client.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id as string;
  };
  return {
    store_id: storeId,
    product_id,
    subcategory_id: menu.body.categories[0].subcategory_id,
    scheduled_id: menu.body.quote.time_estimate.scheduled[0].id,
    payment_method_id,
    spare_payment_method_id: await givenPaymentMethod(client, '5555555555554444'),
    order_id: await order(true),
    unplaced_order_id: await order(false),
  };
}

/** Row counts of every table that a request can write. */
export async function countRows({ service }: Pick<App, 'service'>): Promise<Record<string, number>> {
  const { db } = service.deps;
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db);
  const tables = rows.filter((row) => !FORGOTTEN.test(row.name));
  // One statement, because tests count before and after each of hundreds of requests.
  const counts = tables.map(
    ({ name }) => sql`select ${name}::text as name, count(*)::int as count from ${sql.table(name)}`,
  );
  const counted = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return Object.fromEntries(counted.rows.map(({ name, count }) => [name, count]));
}
