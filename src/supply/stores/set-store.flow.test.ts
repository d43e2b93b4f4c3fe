import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { setStore } from './set-store.flow.ts';

test('switches are turned one by one, seen by the next quote, and write nothing where they stand so already', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const { db } = app.service.deps;
  const categories = [{ id: 'x', name: 'X', products: [{ id: 'a', name: 'A', price: 1 }] }];
  const storeId = await givenStore(db, { categories }, app.source);
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  const set = (switches: Parameters<typeof setStore>[2]) =>
    db.transaction().execute((tx) => setStore(tx, storeId, switches, app.now()));
  const quoteError = async (pickup: boolean) => {
    const query = { store_id: storeId, pickup, include_quote: true, user_latitude: 40.7383, user_longitude: -73.9927 };
    return (await app.get('/details/inventory', query)).body.quote.error;
  };

  const start = await seq();
  await set({});
  await set({ onlineOrdering: true, acceptDelivery: true, acceptPickup: true });
  assert.equal(await seq(), start);
  assert.equal(await quoteError(false), undefined);

  assert.equal((await set({ acceptDelivery: false }))?.delivery.accepting, false);
  assert.equal(await seq(), start + 1);
  assert.equal(await quoteError(false), 'Delivery is currently unavailable for this store.');
  assert.equal(await quoteError(true), undefined);
  await set({ acceptPickup: false });
  assert.equal(await quoteError(true), 'Pickup is currently unavailable for this store.');
  await set({ onlineOrdering: false });
  assert.equal(await quoteError(true), 'This store is not available.');
  await set({ onlineOrdering: true, acceptDelivery: true });
  assert.equal(await quoteError(false), undefined);
  assert.equal(await setStore(db, 'f'.repeat(24), { acceptPickup: true }, app.now()), undefined);
});
