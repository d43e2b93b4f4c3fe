import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startTcpPrinter } from '../../../test/fakes/tcp-printer.ts';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop, type LiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { ChannelChanges } from './set-channels.flow.ts';
import { listNotices } from './store-notices.db.ts';

const SCHEDULING = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 3, capacity: null };

/** A store with these channels whose orders stay open for days. */
async function givenPatientShop(t: TestContext, changes: ChannelChanges): Promise<LiveShop> {
  const shop = await givenLiveShop(t);
  await givenStores(shop.app, [pizzeria({ scheduling: SCHEDULING })]);
  await givenChannel(shop.app, shop.storeId, { operator: false, ...changes });
  return shop;
}

/** Pauses the store and places an order for its last slot, so it is offered when the pause ends. */
async function placeWhilePaused(shop: LiveShop, minutes: number): Promise<string> {
  const key = await givenStoreKey(shop.app, shop.storeId);
  assert.equal((await key.post('/store/pause', { minutes })).status, 200);
  const query = { store_id: shop.storeId, pickup: false, include_quote: true, ...NEAR_DOOR };
  const { quote } = (await shop.client.get('/details/inventory', query)).body;
  const orderId = await shop.place({ scheduled_id: quote.time_estimate.scheduled.at(-1).id });
  const order = await findAnyOrder(shop.app.service.deps.db, orderId);
  assert.equal(String(order?.offerAt), String(shop.app.now().add({ minutes })), 'offered when the pause ends');
  return orderId;
}

test('an order that its store is offered later holds up no ticket of other orders', async (t) => {
  const printer = await startTcpPrinter();
  t.after(() => printer.close());
  const { target } = printer;
  const shop = await givenPatientShop(t, { printer: target });
  const earlier = await shop.place();
  await step(shop, earlier, 'confirm');
  assert.equal(printer.printed.length, 1, 'the kitchen ticket');
  await placeWhilePaused(shop, 60);
  await shop.app.advance({ minutes: 1 });
  await step(shop, earlier, 'ready');
  assert.equal(printer.printed.length, 2, 'the receipt of the earlier order');
  const key = await givenStoreKey(shop.app, shop.storeId);
  assert.equal((await key.post('/store/resume', {})).status, 200);
  await shop.place();
  await shop.app.advance({ seconds: 1 });
  assert.equal(printer.printed.length, 3, 'the kitchen ticket of a later order');
  await shop.app.advance({ hours: 1 });
  assert.equal(printer.printed.length, 4, 'the kitchen ticket of the scheduled order');
});

test('a channel that fails is retried also for an order that was placed a day before its offer', async (t) => {
  const shop = await givenPatientShop(t, { sms: '+12125550123' });
  const notified: string[] = [];
  let failures = 2;
  shop.app.service.deps.messaging.smsSender = {
    sendText: async ({ to }) => {
      if (to !== '+12125550123') return;
      failures -= 1;
      if (failures >= 0) throw new OutsideError('SMS', 'no answer', { retryable: true });
      notified.push(to);
    },
  };
  const orderId = await placeWhilePaused(shop, 24 * 60);
  await shop.app.advance({ hours: 24 });
  for (const _ of [1, 2, 3]) await shop.app.advance({ seconds: 10 });
  const [offer] = await listNotices(shop.app.service.deps.db, orderId);
  assert.deepEqual([offer?.state, notified.length], ['sent', 1], offer?.lastError ?? '');
});
