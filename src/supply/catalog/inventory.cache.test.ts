import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { InventoryCache } from './inventory.cache.ts';
import { setProduct } from './set-product.flow.ts';
import { takeStock } from './stock.db.ts';
import type { StoreSnapshot } from './store-snapshots.cache.ts';

const INTERVAL_MS = 500;
const LINE = { categories: [{ id: 'x', name: 'X', products: [{ id: 'a', name: 'A', price: 1, qty_available: 9 }] }] };

const app = await givenOwnApp();
const db = app.service.deps.db;

/** A cache with the test's clock and timer; its queries are counted and can be made to fail. */
function givenCache() {
  const { tokens, clock } = app.service.deps;
  let nowMs = 0;
  let down = false;
  let queries = 0;
  let due: (() => void) | undefined;
  let scheduled = () => {};
  const watched = db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      if (down) throw new Error('the database is down');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const cache = new InventoryCache({
    db: watched,
    tokens,
    clock,
    pollIntervalMs: INTERVAL_MS,
    monotonicMs: () => nowMs,
    schedule(task) {
      due = task;
      scheduled();
      return () => {
        due = undefined;
      };
    },
  });
  return {
    cache,
    queries: () => queries,
    setDown: (value: boolean) => {
      down = value;
    },
    wait: (ms: number) => {
      nowMs += ms;
    },
    isPolling: () => due !== undefined,
    /** Lets one interval pass and its poll finish. */
    async poll() {
      nowMs += INTERVAL_MS;
      const task = due;
      if (!task) return;
      due = undefined;
      const next = new Promise<void>((done) => {
        scheduled = done;
      });
      task();
      await next;
    },
  };
}

async function stockSeen(cache: InventoryCache, storeId: string): Promise<number> {
  const snapshot = (await cache.snapshot(storeId, null)) as StoreSnapshot;
  const menu = await cache.menu(snapshot, 'delivery', null, app.now());
  const { categories } = JSON.parse(`{${menu?.categories.bytes}`);
  return categories[0].menu_item_list[0].qty_available;
}

const setStock = (storeId: string, qtyAvailable: number) =>
  setProduct(db, { storeId, externalId: 'a' }, { qtyAvailable }, app.now());

test('a store that no poll has found changed is answered without the database', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'kept' });
  const { cache, queries, poll } = givenCache();
  await stockSeen(cache, storeId);
  const loaded = queries();
  for (let round = 0; round < 10; round += 1) {
    assert.ok(!(cache.snapshot(storeId, null) instanceof Promise));
    await stockSeen(cache, storeId);
  }
  assert.equal(queries(), loaded);
  await poll();
  await stockSeen(cache, storeId);
  assert.equal(queries(), loaded + 1, 'one query a poll');
  cache.close();
});

test('a change of another process is seen after the next poll, a change of this process after its eviction', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'changed' });
  const { cache, poll } = givenCache();
  assert.equal(await stockSeen(cache, storeId), 9);
  await setStock(storeId, 8);
  await poll();
  assert.equal(await stockSeen(cache, storeId), 8);
  await setStock(storeId, 7);
  cache.evict(storeId);
  assert.equal(await stockSeen(cache, storeId), 7);
  cache.close();
});

test('an eviction while the store is being read keeps the older state out', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'raced' });
  const { cache } = givenCache();
  const reading = cache.snapshot(storeId, null);
  cache.evict(storeId);
  await reading;
  assert.ok(cache.snapshot(storeId, null) instanceof Promise);
  cache.close();
});

test('requests at once read a store and a menu once', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'flight' });
  const { cache, queries } = givenCache();
  await stockSeen(cache, storeId);
  const once = queries();
  const other = givenCache();
  await Promise.all(Array.from({ length: 20 }, () => stockSeen(other.cache, storeId)));
  assert.equal(other.queries(), once);
  cache.close();
  other.cache.close();
});

test('while polls fail nothing older than two intervals is answered', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'down' });
  const { cache, poll, setDown } = givenCache();
  assert.equal(await stockSeen(cache, storeId), 9);
  setDown(true);
  await poll();
  assert.equal(await stockSeen(cache, storeId), 9);
  await poll();
  await assert.rejects(async () => stockSeen(cache, storeId), /the database is down/);
  setDown(false);
  assert.equal(await stockSeen(cache, storeId), 9);
  cache.close();
});

test('a store without requests is not polled, and is read again at its next request', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'cold' });
  const { cache, poll, wait, queries } = givenCache();
  assert.equal(await stockSeen(cache, storeId), 9);
  wait(20_000);
  const before = queries();
  await poll();
  assert.equal(queries(), before);
  await setStock(storeId, 8);
  assert.equal(await stockSeen(cache, storeId), 8);
  cache.close();
});

test('polling stops when the cache is closed', async () => {
  const { cache, isPolling, poll } = givenCache();
  assert.equal(isPolling(), true);
  cache.close();
  assert.equal(isPolling(), false);
  await poll();
  assert.equal(isPolling(), false);
});

test('sandboxes that hold nothing share the bytes of live callers; a sandbox that holds stock has its own', async () => {
  const storeId = await givenStore(db, { ...LINE, external_id: 'sandboxes' });
  const { cache, queries } = givenCache();
  const menuFor = async (sandbox: string | null) => {
    const snapshot = (await cache.snapshot(storeId, sandbox)) as StoreSnapshot;
    const menu = await cache.menu(snapshot, 'delivery', null, app.now());
    return {
      head: menu?.head,
      bytes: menu?.categories.bytes,
      slots: await cache.slots(snapshot, 'delivery', app.now()),
    };
  };
  const live = await menuFor(null);
  await db.transaction().execute((tx) => takeStock(tx, storeId, [{ productNo: 1, quantity: 2 }], 'acc_holding'));
  for (const sandbox of ['acc_one', 'acc_two']) {
    const shared = await menuFor(sandbox);
    assert.equal(shared.bytes, live.bytes);
    assert.deepEqual([shared.head, shared.slots], [live.head, live.slots]);
  }
  const own = await menuFor('acc_holding');
  assert.notEqual(own.head, live.head);
  assert.ok(own.bytes?.toString().includes('"qty_available":7'));
  const read = queries();
  await menuFor(null);
  await menuFor('acc_one');
  await menuFor('acc_holding');
  assert.equal(queries(), read, 'all are in memory');
  cache.evict(storeId, 'acc_holding');
  await menuFor(null);
  await menuFor('acc_one');
  assert.equal(queries(), read, 'a change of one sandbox evicts no other view');
  cache.evict(storeId);
  await menuFor('acc_one');
  assert.ok(queries() > read, 'a change of the store evicts every view');
  cache.close();
});
