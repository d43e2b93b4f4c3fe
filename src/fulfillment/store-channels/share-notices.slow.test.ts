import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openOpenTelemetry } from '../../../plugins/opentelemetry/tracer.ts';
import { countStatements } from '../../../test/count-statements.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop, type LiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenNotice, givenNotices, offersOf, recordAll } from '../../../test/given/store-notices.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { activeTraceparent, traceWork } from '../../platform/lib/tracing.ts';
import { AUTO_CONFIRM } from './auto-confirm.job.ts';
import { createNoticeStatements } from './send-notices.flow.ts';
import { listChannels, recordFailingChannel } from './store-channels.db.ts';
import type { StoreNotice } from './store-notice.ts';
import { listNotices } from './store-notices.db.ts';

const CHANNEL = 'email';
const MAX_BATCH = 24;

type AutoConfirm = { orderId: string; minutes: number; traceparent?: string };

async function autoConfirmsOf({ app }: LiveShop): Promise<AutoConfirm[]> {
  const { rows } = await sql<{ payload: AutoConfirm; traceparent: string | null }>`
    select payload, traceparent from jobs where kind = ${AUTO_CONFIRM.name}`.execute(app.service.deps.db);
  return rows.map(({ payload, traceparent }) => ({ ...payload, ...(traceparent !== null && { traceparent }) }));
}

test('notices that channels have taken at the same time are recorded in one transaction', async (t) => {
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com', operator: false });
  const { deps } = shop.app.service;
  const shared = createNoticeStatements(deps, MAX_BATCH);
  const [first, second, third] = await givenNotices(shop, 3);
  const orderIds = [first, second, third].map((orderId) => orderId ?? assert.fail());
  const { storeId } = shop;
  const error = 'no answer';
  await recordFailingChannel(deps.db, { storeId, channel: CHANNEL }, { error, at: deps.clock.now() });
  const failing = await listChannels(deps.db, storeId);
  assert.deepEqual(
    failing.map(({ channel, lastError, failingSince }) => [channel, lastError, failingSince !== null]),
    [[CHANNEL, error, true]],
  );
  await takeStep(deps, orderIds[2] ?? '', { event: 'cancel' });
  const { texts } = await countStatements(() => recordAll(shop, shared, orderIds));
  assert.equal(texts.filter((text) => text === 'begin').length, 1, texts.join('\n'));
  for (const orderId of orderIds) {
    assert.notEqual((await findAnyOrder(deps.db, orderId))?.receivedAt, null);
    const notices = (await listNotices(deps.db, orderId)).map(({ kind, state }) => `${kind} ${state}`);
    // The offer sent after the cancelation is withdrawn by a call.
    const called = orderId === orderIds[2] ? ['canceled waiting'] : [];
    assert.deepEqual(notices.sort(), [...called, 'offered sent'].sort());
  }
  const fixed = await listChannels(deps.db, storeId);
  assert.deepEqual(
    fixed.map(({ lastError, failingSince }) => [lastError, failingSince]),
    [[null, null]],
  );
});

test('concurrent notices read their orders in one statement, each its own', async (t) => {
  const shop = await givenLiveShop(t);
  const shared = createNoticeStatements(shop.app.service.deps, MAX_BATCH);
  const orderIds = [await shop.place(), await shop.place(), 'ord_none'];
  const found: (string | undefined)[] = [];
  const { texts } = await countStatements(async () => {
    found.push(...(await Promise.all(orderIds.map(shared.findOrder))).map((order) => order?.orderId));
  });
  assert.deepEqual([found, texts.length], [[...orderIds.slice(0, 2), undefined], 1]);
});

test('stores of one batch keep their own minutes, and two channels of an order confirm it once', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client } = shop;
  const stores = [
    shop.storeId,
    ...(await givenStores(
      app,
      ['quick', 'by-hand'].map((id) => pizzeria({ external_id: id })),
    )),
  ];
  const minutes = [10, 25, null];
  for (const [n, storeId] of stores.entries()) {
    const changes = { operator: false, email: 'kitchen@example.com', webhook: 'http://127.0.0.1:9/pos' };
    await givenChannel(app, storeId, { ...changes, autoConfirmMinutes: minutes[n] ?? null });
  }
  const orderIds: string[] = [];
  for (const storeId of stores) {
    const token = (await productTokens(client, storeId)).Soda;
    const body = orderBody(token, null, { items: [{ product_id: token, quantity: 4 }], charge_user: false });
    const placed = await client.post('/order/order/v2', body);
    assert.equal(placed.status, 200, placed.text);
    orderIds.push(await givenNotice(shop, placed.body.order_id, storeId, ['email', 'webhook']));
  }
  const shared = createNoticeStatements(app.service.deps, MAX_BATCH);
  await recordAll(shop, shared, orderIds);
  for (const orderId of orderIds) {
    const notices = await listNotices(app.service.deps.db, orderId);
    assert.deepEqual(
      notices.map(({ channel, state }) => [channel, state]),
      [
        ['email', 'sent'],
        ['webhook', 'acknowledged'],
      ],
    );
  }
  const confirmed = (await autoConfirmsOf(shop)).map((job) => [job.orderId, job.minutes]);
  assert.deepEqual(confirmed.sort(), [[orderIds[0], 10] as const, [orderIds[1], 25] as const].sort());
});

test('an order of a shared batch is confirmed in the trace of its own notice', async (t) => {
  const shop = await givenLiveShop(t);
  const { deps } = shop.app.service;
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com', operator: false, autoConfirmMinutes: 10 });
  const offers = await offersOf(shop, await givenNotices(shop, 3));
  const tracer = openOpenTelemetry({
    endpoint: 'http://127.0.0.1:9',
    timeoutMs: 1,
    clock: deps.clock,
    log: deps.log,
  });
  t.after(() => tracer.close());
  const traceOf = new Map<string, string | undefined>();
  const { texts } = await countStatements(async () => {
    const shared = createNoticeStatements(deps, MAX_BATCH);
    const tell = (offer: StoreNotice) =>
      traceWork(tracer, { name: 'tell a store', kind: 'consumer' }, async () => {
        traceOf.set(offer.orderId, activeTraceparent());
        await shared.recordTaken(offer);
      });
    const [untraced, ...traced] = offers;
    await Promise.all([...traced.map(tell), shared.recordTaken(untraced ?? assert.fail())]);
  });
  assert.equal(texts.filter((text) => text === 'begin').length, 1, texts.join('\n'));
  const jobs = await autoConfirmsOf(shop);
  assert.equal(jobs.length, 3);
  for (const { orderId, traceparent } of jobs) assert.equal(traceparent, traceOf.get(orderId));
  assert.equal(new Set(jobs.map(({ traceparent }) => traceparent)).size, 3);
});
