import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { givenStore } from '../../test/given-store.ts';
import { givenApp } from '../../test/harness.ts';
import { setStore } from './set-store.flow.ts';
import { plainParty } from './store-defaults.ts';
import { findStore } from './stores.db.ts';

test('switches are turned one by one, seen by the next quote, and write nothing where they stand so already', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const { db } = app.service.deps;
  const categories = [{ id: 'x', name: 'X', products: [{ id: 'a', name: 'A', price: 1 }] }];
  const storeId = await givenStore(db, { categories });
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  const set = (switches: Parameters<typeof setStore>[2]) =>
    db.transaction().execute((tx) => setStore(tx, storeId, switches, app.now()));
  const errorOf = async (pickup: boolean) => {
    const query = { store_id: storeId, pickup, include_quote: true, user_latitude: 40.7383, user_longitude: -73.9927 };
    return (await app.get('/details/inventory', query)).body.quote.error;
  };

  const start = await seq();
  await set({});
  await set({ onlineOrdering: true, acceptDelivery: true, acceptPickup: true });
  assert.equal(await seq(), start);
  assert.equal(await errorOf(false), undefined);

  assert.equal((await set({ acceptDelivery: false }))?.delivery.accepting, false);
  assert.equal(await seq(), start + 1);
  assert.equal(await errorOf(false), 'Delivery is currently unavailable for this store.');
  assert.equal(await errorOf(true), undefined);
  await set({ acceptPickup: false });
  assert.equal(await errorOf(true), 'Pickup is currently unavailable for this store.');
  await set({ onlineOrdering: false });
  assert.equal(await errorOf(true), 'This store is not available.');
  await set({ onlineOrdering: true, acceptDelivery: true });
  assert.equal(await errorOf(false), undefined);
  assert.equal(await setStore(db, 'f'.repeat(24), { acceptPickup: true }, app.now()), undefined);
});

test('a store from before parties and zones delivers by one party with one zone, and its switch is for all parties', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const { db } = app.service.deps;
  const storeId = await givenStore(db, {});
  const before = { party: 'courier', enabled: true, accepting: true, prepMinutes: [15, 25], radiusMiles: 2.5 };
  await sql`update stores set profile = jsonb_set(profile, '{delivery}', ${JSON.stringify(before)}::jsonb)`.execute(db);
  const migration = await readFile(join(import.meta.dirname, '../../migrations/0019-areas.sql'), 'utf8');
  for (const _again of [1, 2]) await sql.raw(migration).execute(db);
  const offer = { enabled: true, accepting: true, prepMinutes: [15, 25], parties: [plainParty('courier', 2.5)] };
  assert.deepEqual((await findStore(db, storeId))?.delivery, offer);
  const set = await db.transaction().execute((tx) => setStore(tx, storeId, { acceptDelivery: false }, app.now()));
  assert.deepEqual(set?.delivery, { ...offer, accepting: false });
});
