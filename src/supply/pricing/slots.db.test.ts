import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { takeStock } from '../catalog/stock.db.ts';
import { findFullSlots, holdSlot, releaseSlot } from './slots.db.ts';

const app = await givenApp();
const db = app.service.deps.db;
after(() => app.close());

const STARTS_AT = Temporal.Instant.from('2026-06-10T20:00:00Z');
const START_S = epochSeconds(STARTS_AT);
const LINE = {
  scheduling: { enabled: true, slot_minutes: 60, lead_minutes: 60, days_ahead: 1, capacity: 3 },
  categories: [{ id: 'x', name: 'X', products: [{ id: 'a', name: 'A', price: 1, qty_available: 1000 }] }],
};

test('holds never exceed the capacity, whatever the concurrency, and a release frees a place', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'capacity' }, app.source);
  const slot = { storeId, sandbox: null, pickup: false, startsAt: STARTS_AT };
  const hold = (capacity: number | null) => db.transaction().execute((tx) => holdSlot(tx, { ...slot, capacity }));
  const held = await Promise.all(Array.from({ length: 20 }, () => hold(3)));
  assert.equal(held.filter(Boolean).length, 3);
  const full = () => findFullSlots(db, { storeId, sandbox: null, pickup: false, capacity: 3, from: app.now() });
  assert.deepEqual(await full(), new Set([START_S]));
  assert.deepEqual(
    await findFullSlots(db, { storeId, sandbox: null, pickup: true, capacity: 3, from: app.now() }),
    new Set(),
  );
  await db.transaction().execute((tx) => releaseSlot(tx, slot));
  assert.deepEqual(await full(), new Set());
  assert.deepEqual([await hold(3), await hold(3)], [true, false]);
  assert.equal(await hold(null), true, 'no capacity is no limit');
  assert.equal(await hold(0), false);
});

test('orders with a slot and orders without one take stock at once and never deadlock', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'deadlock' }, app.source);
  const items = [{ productNo: 1, quantity: 1 }];
  const orders = Array.from({ length: 60 }, (_, at) =>
    db.transaction().execute(async (tx) => {
      if (at % 3 !== 0)
        await holdSlot(tx, { storeId, sandbox: null, pickup: false, startsAt: STARTS_AT, capacity: null });
      if (at % 3 !== 1) await takeStock(tx, storeId, items, null);
    }),
  );
  await Promise.all(orders);
});

test('a full slot leaves the quote and returns when it is freed, in its own mode only', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'offered' }, app.source);
  const offers = async (pickup: boolean) => {
    const query = { store_id: storeId, pickup, include_quote: true, user_latitude: 40.7383, user_longitude: -73.9927 };
    const { body } = await app.get('/details/inventory', query);
    return body.quote.time_estimate.scheduled.some((slot: { minimum: number }) => slot.minimum === START_S);
  };
  const slot = { storeId, sandbox: app.accountId, pickup: true, startsAt: STARTS_AT };
  assert.deepEqual([await offers(true), await offers(false)], [true, true]);
  for (let at = 0; at < 3; at += 1) {
    assert.equal(await offers(true), true);
    await db.transaction().execute((tx) => holdSlot(tx, { ...slot, capacity: 3 }));
  }
  assert.deepEqual([await offers(true), await offers(false)], [false, true]);
  await db.transaction().execute((tx) => releaseSlot(tx, slot));
  assert.equal(await offers(true), true);
});
