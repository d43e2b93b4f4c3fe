import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../../test/count-statements.ts';
import { givenChannel } from '../../test/given-channel.ts';
import { givenLiveShop, type LiveShop } from '../../test/given-live-shop.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import { type SharedNotices, shareNotices } from './share-notices.flow.ts';
import { listChannels, recordFailingChannel } from './store-channels.db.ts';
import { insertNotices, listNotices } from './store-notices.db.ts';

const CHANNEL = 'email';
const MAX_BATCH = 24;

/** Orders whose offers wait: no worker has told the store yet. */
async function givenOffers(shop: LiveShop, count: number): Promise<string[]> {
  const { deps } = shop.app.service;
  const at = deps.clock.now();
  const orderIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const orderId = await shop.place();
    const offer = { orderId, storeId: shop.storeId, channel: CHANNEL, kind: 'offered', copy: 0, link: null } as const;
    await insertNotices(deps.db, [{ ...offer, at, nextAttemptAt: at.add({ hours: 1 }) }]);
    orderIds.push(orderId);
  }
  return orderIds;
}

async function recordAll(shop: LiveShop, shared: SharedNotices, orderIds: readonly string[]): Promise<void> {
  const { db } = shop.app.service.deps;
  const notices = (await Promise.all(orderIds.map((orderId) => listNotices(db, orderId)))).flat();
  const offers = notices.filter(({ channel, kind }) => channel === CHANNEL && kind === 'offered');
  await Promise.all(offers.map((offer) => shared.recordTaken(offer)));
}

test('notices that channels have taken at one moment are recorded in one transaction', async (t) => {
  const shop = await givenLiveShop(t);
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com', operator: false });
  const { deps } = shop.app.service;
  const shared = shareNotices(deps, MAX_BATCH);
  const [first, second, third] = await givenOffers(shop, 3);
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
    // The offer that was taken after the cancelation is called back.
    const called = orderId === orderIds[2] ? ['canceled waiting'] : [];
    assert.deepEqual(notices.sort(), [...called, 'offered sent'].sort());
  }
  const mended = await listChannels(deps.db, storeId);
  assert.deepEqual(
    mended.map(({ lastError, failingSince }) => [lastError, failingSince]),
    [[null, null]],
  );
});

test('orders of notices that are told at one moment are read by one statement, each its own', async (t) => {
  const shop = await givenLiveShop(t);
  const shared = shareNotices(shop.app.service.deps, MAX_BATCH);
  const orderIds = [await shop.place(), await shop.place(), 'ord_none'];
  const found: (string | undefined)[] = [];
  const { texts } = await countStatements(async () => {
    found.push(...(await Promise.all(orderIds.map(shared.findOrder))).map((order) => order?.orderId));
  });
  assert.deepEqual([found, texts.length], [[...orderIds.slice(0, 2), undefined], 1]);
});
