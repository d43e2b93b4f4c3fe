import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenKitchens, OPEN, START } from '../../../test/given/kitchens.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { setStore } from '../../supply/stores/set-store.flow.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { findAnyOrder } from './orders.db.ts';

test('each order takes the first quarter with room, quotes follow, and a cancelation gives it back', async (t) => {
  const { app, live, minutesOf, place } = await givenKitchens({ kitchen: { orders: 2 } });
  t.after(() => app.close());
  assert.equal(await minutesOf(), 10);
  const first = (await place()).body;
  assert.equal(await minutesOf(), 10);
  await place();
  assert.equal(await minutesOf(), 25);
  const third = (await place()).body;
  assert.equal(await minutesOf(), 25);
  const order = await findAnyOrder(app.service.deps.db, third.order_id);
  assert.deepEqual(order?.quote.minutes, { minimum: 15 + 10, maximum: 15 + 20 });
  assert.equal((await live.post('/order/cancel', { order_id: first.order_id })).status, 200);
  assert.equal(await minutesOf(), 10);
});

test('an order larger than one 15-minute window takes several, and each account’s sandbox counts apart', async (t) => {
  const { app, minutesOf, place } = await givenKitchens({ kitchen: { items: 4 } });
  t.after(() => app.close());
  assert.equal((await place({}, { quantity: 10 })).status, 200);
  assert.equal(await minutesOf(), 10 + 30, 'the third quarter has room for two items');
  assert.equal(await minutesOf(app), 10);
  await place({}, { client: app, quantity: 4 });
  assert.deepEqual([await minutesOf(app), await minutesOf()], [25, 40]);
});

test('a scheduled order takes the quarter before its slot, and a slot without room is offered no more', async (t) => {
  const scheduling = { enabled: true, slot_minutes: 15, lead_minutes: 60, days_ahead: 0 };
  const { app, minutesOf, quoteOf, place } = await givenKitchens({ kitchen: { orders: 1 }, scheduling });
  t.after(() => app.close());
  const slots = async () => (await quoteOf()).quote.time_estimate.scheduled as { id: string; minimum: number }[];
  const [slot, next] = await slots();
  assert.equal((await place({ scheduled_id: slot?.id })).status, 200);
  assert.equal((await slots())[0]?.id, next?.id);
  assert.equal((await place({ scheduled_id: slot?.id })).body.code, 'slot_unavailable');
  for (const minutes of [10, 25, 40, 70]) {
    assert.equal(await minutesOf(), minutes, 'the quarter of the scheduled order is passed over');
    assert.equal((await place()).status, 200);
  }
});

test('a kitchen without room within its longest wait takes no order as soon as possible, and slots remain', async (t) => {
  const kitchen = { orders: 1, max_wait_minutes: 15 };
  const scheduling = { enabled: true, slot_minutes: 60, lead_minutes: 60, days_ahead: 0 };
  const { app, quoteOf, place, storeIds, settle, live } = await givenKitchens({ kitchen, scheduling }, { kitchen });
  t.after(() => app.close());
  const [withSlots = '', without = ''] = storeIds;
  for (const of of storeIds) for (let n = 0; n < 2; n += 1) assert.equal((await place({}, { of })).status, 200);
  const { quote } = await quoteOf(live, withSlots);
  assert.deepEqual([quote.asap_available, quote.time_estimate.scheduled.length > 0], [false, true]);
  const refused = (await place({}, { of: withSlots })).body;
  assert.deepEqual([refused.code, refused.quote_error], ['quote_unavailable', 'PICKUP_NOT_AVAILABLE']);
  const { quote_error: error } = await quoteOf(live, without);
  assert.deepEqual(
    [error.code, error.available_at],
    ['PICKUP_NOT_AVAILABLE', Temporal.Instant.from(START).epochMilliseconds / 1000 + 15 * 60],
  );
  await settle();
  const accepting = async () => {
    const { body } = await live.get('/search/store/v3', {
      ...AT_STORE,
      projections: '_id,accepts_orders',
      pickup: true,
    });
    return body.stores.map((store: { accepts_orders: boolean }) => store.accepts_orders);
  };
  assert.deepEqual(await accepting(), [false, false]);
  await app.advance({ minutes: 15 });
  assert.deepEqual(await accepting(), [true, true]);
  assert.equal((await quoteOf(live, without)).quote.asap_available, true);
});

const AT_STORE = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };

test('searches and quotes of every node follow, also when the kitchen fills by time passing', async (t) => {
  const kitchen = { orders: 1 };
  const scheduling = { enabled: true, slot_minutes: 15, lead_minutes: 0, days_ahead: 0 };
  const { app, live, storeIds, place, settle, minutesOf, quoteOf } = await givenKitchens({ kitchen, scheduling }, {});
  t.after(() => app.close());
  const [busy = '', other = ''] = storeIds;
  const node = await app.givenNode('api');
  const fastest = async (http = node.http) => {
    await node.deps.storeFeed.catchUp();
    const query = {
      latitude: String(AT_STORE.latitude),
      longitude: String(AT_STORE.longitude),
      pickup: 'true',
      sort: 'fastest',
    };
    const reply = await http.inject({ url: '/search/store/v3', query, headers: { 'id-token': live.key } });
    return reply.json().stores.map(({ _id: id }: { _id: string }) => id);
  };
  const both = [busy, other].sort();
  assert.deepEqual((await fastest()).toSorted(), both);
  await place({}, { of: busy });
  await settle();
  assert.deepEqual(await fastest(), [other, busy]);
  const details = await node.http.inject({
    url: '/details/store',
    query: { store_id: busy, pickup: 'true' },
    headers: { 'id-token': live.key },
  });
  assert.equal(details.json().stores[0].time_estimate.minimum, 25);
  // The quarter passes, and the kitchen has room again.
  await app.advance({ minutes: 15 });
  assert.deepEqual([(await fastest()).toSorted(), await minutesOf()], [both, 10]);
  await app.advance({ minutes: 1 });
  const [, slot] = (await quoteOf()).quote.time_estimate.scheduled;
  await place({ scheduled_id: slot.id }, { of: busy });
  await settle();
  assert.deepEqual([(await fastest()).toSorted(), await minutesOf()], [both, 10]);
  // Its quarter begins, before the order is canceled because no one confirms it.
  await app.advance({ minutes: 14, seconds: 30 });
  assert.deepEqual([await fastest(), await minutesOf()], [[other, busy], 25]);
});

test('limits that change are followed by quotes, search, and the next import only if the feed changes its own', async (t) => {
  const { app, live, storeId, place, settle, minutesOf } = await givenKitchens({ kitchen: { orders: 1 } });
  t.after(() => app.close());
  await place();
  await settle();
  const stored = async () => {
    const { db } = app.service.deps;
    const query = db.selectFrom('stores').select(['ownKitchen', 'roomFrom']).where('storeId', '=', storeId);
    return query.executeTakeFirstOrThrow();
  };
  assert.notEqual((await stored()).roomFrom, null);
  await app.service.deps.db.transaction().execute((tx) => setStore(tx, storeId, { kitchen: { orders: 2 } }, app.now()));
  app.service.deps.inventory.evict(storeId);
  await settle();
  assert.deepEqual([(await stored()).roomFrom, await minutesOf(live)], [null, 10]);
  await givenStores(app, [pizzeria({ external_id: 'k0', name: 'Renamed', ...OPEN, kitchen: { orders: 1 } })]);
  assert.equal((await stored()).ownKitchen?.orders, 2);
  await givenStores(app, [pizzeria({ external_id: 'k0', ...OPEN, kitchen: { items: 9 } })]);
  assert.equal((await stored()).ownKitchen, null);
  await givenStores(app, [pizzeria({ external_id: 'k0', ...OPEN, kitchen: { orders: 1, max_wait_minutes: 20 } })]);
  for (const orders of [null, 3])
    await app.service.deps.db.transaction().execute((tx) => setStore(tx, storeId, { kitchen: { orders } }, app.now()));
  const { kitchen } = (await findStore(app.service.deps.db, storeId)) ?? assert.fail();
  assert.deepEqual(kitchen, { orders: 3, items: null, maxWaitMinutes: 20 });
});
