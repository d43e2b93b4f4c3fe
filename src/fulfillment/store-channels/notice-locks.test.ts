import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop, type LiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenNotices, offersOf, recordAll } from '../../../test/given/store-notices.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { until } from '../../../test/until.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';
import { createNoticeStatements } from './send-notices.flow.ts';
import { listNotices, markNoticesSent, withdrawWaiting } from './store-notices.db.ts';

const MAX_BATCH = 24;

/** Statements in this test's schema that hold a lock on a table and wait for another transaction. */
async function countWaiting({ app }: LiveShop, table: 'orders' | 'store_notices'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct waiting.pid)::int as count from pg_locks waiting, pg_locks held
    where not waiting.granted and held.relation = ${table}::regclass and held.granted
      and held.pid = waiting.pid`.execute(app.service.deps.db);
  return rows[0]?.count ?? 0;
}

/** Holds a row lock until released. */
async function holdRow({ app }: LiveShop, table: 'orders' | 'store_notices', orderId: string) {
  const [held, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = app.service.deps.db.transaction().execute(async (tx) => {
    await sql`select 1 from ${sql.table(table)} where order_id = ${orderId} for update`.execute(tx);
    held.resolve();
    await leave.promise;
  });
  await held.promise;
  return () => {
    leave.resolve();
    return ended;
  };
}

test('a locked order delays only its own notice', async (t) => {
  const shop = await givenLiveShop(t);
  const { deps } = shop.app.service;
  const shared = createNoticeStatements(deps, MAX_BATCH);
  const orderIds = (await givenNotices(shop, 3)).sort();
  const release = await holdRow(shop, 'orders', orderIds[0] ?? '');
  const recorded = recordAll(shop, shared, orderIds);
  recorded.catch(() => {});
  const statesOf = async () => {
    const notices = await Promise.all(orderIds.map((orderId) => listNotices(deps.db, orderId)));
    return notices.flat().map(({ state }) => state);
  };
  try {
    await until('a notice waits for the order', async () => (await countWaiting(shop, 'orders')) === 1);
    await until('the others are sent', async () => `${await statesOf()}` === 'waiting,sent,sent');
  } finally {
    await release();
  }
  await recorded;
  assert.deepEqual(await statesOf(), ['sent', 'sent', 'sent']);
});

test('notices that are marked as sent and notices that are taken back never wait for each other in a circle', async (t) => {
  const shop = await givenLiveShop(t);
  const { db, clock } = shop.app.service.deps;
  const [first = '', second = '', last = ''] = (await givenNotices(shop, 3)).sort();
  const offers = await offersOf(shop, [second, last, first]);
  const release = await holdRow(shop, 'store_notices', last);
  const waits = (count: number) => async () => (await countWaiting(shop, 'store_notices')) === count;
  let both: Promise<unknown>[] = [];
  try {
    both = [db.transaction().execute((tx) => markNoticesSent(tx, offers, clock.now()))];
    await until('the sent notices wait', waits(1));
    const withdrawn = [second, first].map((orderId) => ({ orderId, kind: 'offered' as const }));
    both.push(db.transaction().execute((tx) => withdrawWaiting(tx, withdrawn)));
    await until('the withdrawal waits', waits(2));
  } finally {
    await release();
  }
  const outcomes = await Promise.allSettled(both);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.status)),
    ['fulfilled', 'fulfilled'],
  );
  const states = (await Promise.all([first, second, last].map((orderId) => listNotices(db, orderId)))).flat();
  assert.deepEqual(
    states.map(({ state }) => state),
    ['sent', 'sent', 'sent'],
  );
});

const FLOOD = 40;

test('a point of sale that hangs over many offers delays no offer of another store, nor another channel of its own', async (t) => {
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  const shop = await givenLiveShop(t);
  const { app, client, place, storeId } = shop;
  const { deps } = app.service;
  await givenChannel(app, storeId, { operator: false, webhook: 'http://127.0.0.1:9/hangs', email: 'own@example.com' });
  const [other = ''] = await givenStores(app, [pizzeria({ external_id: 'other' })]);
  await givenChannel(app, other, { webhook: 'http://127.0.0.1:9/other' });
  const calls: string[] = [];
  deps.publicHttp.post = async (url) => {
    calls.push(new URL(url).pathname);
    if (url.endsWith('/hangs')) await release.promise;
    return { status: 200 } as Awaited<ReturnType<typeof deps.publicHttp.post>>;
  };
  const mails: string[] = [];
  deps.messaging.mailer = { sendMail: async ({ to }) => void mails.push(to), close() {} };
  for (let n = 0; n < FLOOD; n += 1) await place({ disable_sms: true });
  await dispatchAllEvents(deps);
  const loop = deps.queues.find(({ name }) => name === 'telling stores') ?? assert.fail('no loop');
  await loop.runOnce();
  await until('the store has its calls', () => calls.length === 2);

  const token = (await productTokens(client, other)).Soda;
  const items = [{ product_id: token, quantity: 4 }];
  const placed = await client.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  assert.equal(placed.status, 200, placed.text);
  await dispatchAllEvents(deps);
  await loop.runOnce();
  await until('the other store is called', () => calls.includes('/other'));
  await until(
    'the own email channel has every offer',
    () => mails.filter((to) => to === 'own@example.com').length === FLOOD,
  );
  assert.equal(calls.filter((path) => path === '/hangs').length, 2);

  release.resolve();
  await app.advance({ minutes: 1 });
  assert.equal(calls.filter((path) => path === '/hangs').length, FLOOD);
});
