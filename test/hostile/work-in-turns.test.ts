import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { WORK_LIMITS } from '../../src/platform/load/share-event-loop.hook.ts';
import { pizzeria } from '../feed-lines.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type Client, givenApp, type Reply } from '../harness.ts';
import { until } from '../until.ts';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria({})]);
});

const MANY = 40;
const OF_ACCOUNT = WORK_LIMITS.maxRunningOfOwner;

/** Locks the orders, which blocks quotes and order reads. */
async function whileOrdersAreLocked(work: () => Promise<void>): Promise<void> {
  await app.service.deps.gatewayDb.transaction().execute(async (tx) => {
    await sql`lock table orders in access exclusive mode`.execute(tx);
    await work();
  });
}

/** Floods from one account, and sends one request from another; `atWork` counts requests in progress. */
async function flood(ask: (client: Client) => Promise<Reply>, atWork: () => number): Promise<void> {
  const [heavy, light] = [await app.givenClient(), await app.givenClient()];
  const replies: Promise<Reply>[] = [];
  await whileOrdersAreLocked(async () => {
    for (let nth = 0; nth < MANY; nth += 1) replies.push(ask(heavy));
    await until('the account has its share', () => atWork() >= OF_ACCOUNT);
    replies.push(ask(light));
    await until('the other account alone is at work too', () => atWork() === OF_ACCOUNT + 1);
  });
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [200]);
}

test('one account prices few unplaced quotes at once, and another account waits for none of them', async (t) => {
  const [productId] = Object.values(await productTokens(app, storeId));
  const body = orderBody(productId, null, { place_order: false, charge_user: false, autofill_selected_options: true });
  const begun = t.mock.method(app.service.deps.orderStatements, 'findInputs');
  await flood(
    (client) => client.post('/order/order/v2', body),
    () => begun.mock.callCount(),
  );
  assert.equal(begun.mock.callCount(), MANY + 1);
});

test('few messages of agents are at work for one account, and another account waits for none of them', async () => {
  const params = { name: 'get_order', arguments: { order_id: 'ord_x' } };
  await flood(
    (client) => client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    () => app.service.deps.connectionUse().busy,
  );
});
