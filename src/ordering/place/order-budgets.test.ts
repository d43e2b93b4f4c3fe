import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, clientOf, givenApp, type Reply } from '../../../test/harness.ts';
import { findBudgetUse, setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { budgetDay } from '../../access/budgets/budget.ts';
import type { BudgetKind } from '../../platform/config/config.ts';

const env = { DAILY_BUDGETS: '{"unpaid_orders": 3, "unplaced_orders": 4, "unplaced_bytes": 100000}' };

const app = await givenApp({ env });
const node = await app.givenNode('api');
const [storeId = ''] = await givenStores(app, [pizzeria()]);
await givenChannel(app, storeId);
const soda = (await productTokens(app, storeId)).Soda;
after(() => app.close());

const sodaBody = (changes: object = {}) =>
  orderBody(soda, null, { items: [{ product_id: soda, quantity: 4 }], ...changes });
const unpaid = (client: Client, changes: object = {}) =>
  client.post('/order/order/v2', sodaBody({ charge_user: false, ...changes }));
const quote = (client: Client, changes: object = {}) =>
  client.post('/order/order/v2', sodaBody({ place_order: false, charge_user: false, ...changes }));

async function readUse({ accountId }: Client, kind: BudgetKind) {
  const rows = await findBudgetUse(app.service.deps.db, accountId, budgetDay(app.now()));
  return rows.filter((row) => row.kind === kind).map(({ mode, used }) => [mode, used]);
}

/** Asserts a 429 with the seconds until midnight UTC and the name of the budget. */
function assertOver({ status, body, headers }: Reply, name: RegExp): void {
  assert.deepEqual([status, body.code], [429, 'rate_limited']);
  assert.match(body.detail, name);
  const midnight = app.now().toZonedDateTimeISO('UTC').startOfDay().add({ days: 1 }).toInstant();
  assert.equal(headers['retry-after'], String(Math.ceil(app.now().until(midnight).total('seconds'))));
}

const sorted = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

test("uncharged live orders are placed only up to their account's budget", async (t) => {
  const client = await app.givenClient('live');

  await t.test('ten at once on two nodes: exactly as many as the budget has', async () => {
    const other = clientOf(node, client.accountId, client.key);
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => unpaid(index % 2 ? client : other)));
    assert.deepEqual(sorted(replies), [200, 200, 200, 429, 429, 429, 429, 429, 429, 429]);
    for (const reply of replies.filter(({ status }) => status === 429))
      assertOver(reply, /live orders without a charge/);
    assert.deepEqual(await readUse(client, 'unpaid_orders'), [['live', 3]]);
    const { body } = await client.get('/account/orders', { include_order_count: true });
    assert.equal(body.order_count, 3);
  });

  await t.test('an unplaced order stays, and is finalized on the next day', async () => {
    const { order_id } = (await quote(client)).body;
    assertOver(await client.post('/order/finalize', { order_id }), /live orders without a charge/);
    await app.advance({ hours: 8 });
    const placed = await client.post('/order/finalize', { order_id }, { 'idempotency-key': 'next-day' });
    assert.equal(placed.status, 200, placed.text);
    assert.equal((await client.post('/order/finalize', { order_id })).status, 200);
    assert.deepEqual(await readUse(client, 'unpaid_orders'), [['live', 1]]);
  });

  await t.test('finalizing one order many times at once counts it once', async () => {
    const { order_id } = (await quote(client)).body;
    await Promise.all(Array.from({ length: 6 }, () => client.post('/order/finalize', { order_id })));
    assert.deepEqual(await readUse(client, 'unpaid_orders'), [['live', 2]]);
  });

  await t.test(
    'a refused order counts nothing, and sandbox orders and other accounts have nothing to do with it',
    async () => {
      const gone = await unpaid(client, { scheduled_id: 'nothing' });
      assert.equal(gone.body.code, 'slot_unavailable');
      assert.deepEqual(await readUse(client, 'unpaid_orders'), [['live', 2]]);
      const [sandbox, other] = [await app.givenClient('sandbox'), await app.givenClient('live')];
      for (let count = 0; count < 5; count += 1) assert.equal((await unpaid(sandbox)).status, 200);
      assert.equal((await unpaid(other)).status, 200);
    },
  );
});

test('unplaced orders are stored up to their account’s budget per mode', async (t) => {
  const client = await app.givenClient();

  await t.test('twelve at once on two nodes: exactly as many as the budget has', async () => {
    const other = clientOf(node, client.accountId, client.key);
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => quote(index % 2 ? client : other)));
    assert.deepEqual(sorted(replies), [...Array(4).fill(200), ...Array(8).fill(429)]);
    assertOver(replies.find(({ status }) => status === 429) ?? assert.fail(), /unplaced orders/);
    assert.deepEqual(await readUse(client, 'unplaced_orders'), [['sandbox', 4]]);
    const { body } = await client.get('/account/orders', { status: 'unplaced', include_order_count: true });
    assert.equal(body.order_count, 4);
  });

  await t.test('a rejected request may be repeated with its Idempotency-Key', async () => {
    const { accountId } = client;
    assertOver(
      await client.post('/order/order/v2', sodaBody({ place_order: false }), { 'idempotency-key': 'again' }),
      /unplaced/,
    );
    await setAccountLimit(app.service.deps.db, { accountId, kind: 'unplaced_orders', max: 5 });
    const stored = await client.post('/order/order/v2', sodaBody({ place_order: false }), {
      'idempotency-key': 'again',
    });
    assert.equal(stored.status, 200, stored.text);
  });

  await t.test('a replaced order counts its bytes, and not itself', async () => {
    const other = await app.givenClient();
    const { order_id } = (await quote(other)).body;
    const notes = 'n'.repeat(400);
    let stored = 0;
    let reply = await quote(other, { order_id, metadata: { notes: notes.repeat(50) } });
    for (; reply.status === 200; reply = await quote(other, { order_id, metadata: { notes: notes.repeat(50) } })) {
      stored += 1;
    }
    assertOver(reply, /bytes of unplaced orders/);
    assert.deepEqual(await readUse(other, 'unplaced_orders'), [['sandbox', 1]]);
    // 100,000 bytes hold four requests of some 20,000 bytes.
    assert.equal(stored, 4);
    assertOver(await quote(other, { metadata: { notes: notes.repeat(50) } }), /bytes of unplaced orders/);
  });

  await t.test('an account that has none left still places orders, which count for nothing', async () => {
    const placed = await unpaid(client);
    assert.equal(placed.status, 200, placed.text);
  });
});
