import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { givenStore } from '../../../../test/given/stores.ts';
import { type App, givenApp } from '../../../../test/harness.ts';
import { EventLoopScheduler } from '../../../load/event-loop-scheduler.ts';
import { followStores } from '../../store-feed.cache.ts';
import { nextChange } from '../../stores.db.ts';
import { BLOCK_STORES } from '../snapshots/snapshot-blocks.ts';
import { createStoreSearch, type StoreSearch } from '../store-search.index.ts';
import { type ColdLoad, loadAllStores } from './load-all-stores.flow.ts';
import type { ReadingOrder } from './reading-thread.flow.ts';

const NOW_S = 1_780_000_000;
/** More than three blocks. */
const COPIES = 3 * BLOCK_STORES + 100;

const logged: string[] = [];
let app: App;
let order: ReadingOrder;
let load: (search: StoreSearch, changes?: Partial<ColdLoad>) => ReturnType<typeof loadAllStores>;

before(async () => {
  app = await givenApp({ env: { LOG_LEVEL: 'info' }, onLogLine: (line) => logged.push(line) });
  const { db, log } = app.service.deps;
  order = { connectionString: app.connectionString, schema: app.schema };
  const given = { db, log, order, signal: new AbortController().signal, minStores: 1 };
  load = (search, changes) => loadAllStores({ ...given, search, ...changes });
});
after(() => app.close());

async function change(storeId: string, columns: object): Promise<void> {
  await app.service.deps.db.transaction().execute(async (tx) => {
    const changedSeq = await nextChange(tx);
    await tx
      .updateTable('stores')
      .set({ ...columns, changedSeq })
      .where('storeId', '=', storeId)
      .execute();
  });
}

/** What a search finds within five miles of the coordinate. */
function pageOf({ stores }: StoreSearch, place = { latitude: 40.7383, longitude: -73.9927 }): string {
  const query = { ...place, text: '', autocomplete: false, storeType: null, pickup: null, open: false };
  const more = { deliversHere: false, maximumMiles: 5, cuisine: null, dollarSigns: null, viewport: null };
  const asked = { ...query, ...more, sandbox: null, minimumRating: null, sort: 'relevance' as const, page: 0 };
  return stores.writePage(stores.search(asked, NOW_S), NOW_S).toString();
}

/** An index that takes in all stores one by one, from the start of the change feed. */
async function follow(): Promise<StoreSearch> {
  const { db, log } = app.service.deps;
  const search = createStoreSearch();
  const { applySteps: apply, finishLoad } = search;
  const feed = followStores({ scheduler: new EventLoopScheduler(), db, connectionString: '', log, apply, finishLoad });
  await feed.catchUp();
  await feed.close();
  return search;
}

test('stores are loaded as the change feed would load them, with their own hours, pauses and switches', async () => {
  const ids: string[] = [];
  const odd = [
    'Plain',
    'Café "Quoted" \\ Slash',
    'Unlisted',
    'Paused',
    'Own Hours',
    'Closed Pickup',
    'Merged',
    'Dated',
  ];
  for (const [nth, name] of odd.entries()) {
    const exceptions = name === 'Dated' ? { hours_exceptions: [{ from: '2026-07-04', hours: 'Closed' }] } : {};
    ids.push(await givenStore(app.service.deps.db, { external_id: `odd-${nth}`, name, ...exceptions }));
  }
  const [plain = '', , unlisted = '', paused = '', own = '', pickup = '', merged = ''] = ids;
  await change(unlisted, { listed: false });
  await change(paused, { pausedUntil: '2030-01-01T00:00:00.123Z' });
  await change(own, { ownHours: JSON.stringify({ operational: null, delivery: null, pickup: null, dine_in: null }) });
  await change(own, {
    ownHoursExceptions: JSON.stringify([{ from: '2026-06-01', to: '2026-06-02', ranges: [], channel: null }]),
  });
  await change(pickup, { acceptPickup: false, onlineOrdering: false });
  await change(merged, { mergedInto: plain });
  const search = createStoreSearch();
  const point = await load(search);
  const followed = await follow();
  assert.equal(pageOf(search), pageOf(followed));
  assert.equal(search.stores.storeCount, odd.length - 2);
  const { seq } = await app.service.deps.db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow();
  assert.deepEqual(point, { seq, storeId: 'g' });
});

test('all stores of many blocks arrive, each once', async () => {
  const { db } = app.service.deps;
  await givenStore(db, { external_id: 'template', latitude: 30, longitude: -90, name: 'Copied' });
  await sql`insert into stores (store_id, source, external_id, profile, online_ordering, accept_delivery, accept_pickup,
      feed_hash, changed_seq, created_at, updated_at)
    select left(md5(n::text), 24), source, 'copy-' || n,
      jsonb_set(profile, '{name}', to_jsonb('Copied ' || n % 1500)), online_ordering, accept_delivery, accept_pickup,
      feed_hash, changed_seq, created_at, updated_at
    from stores, generate_series(1, ${COPIES}) as n where external_id = 'template'`.execute(db);
  const search = createStoreSearch();
  await load(search);
  const { count } = await db
    .selectFrom('stores')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('listed', '=', true)
    .where('mergedInto', 'is', null)
    .executeTakeFirstOrThrow();
  assert.ok(count > COPIES);
  assert.equal(search.stores.storeCount, count);
  const place = { latitude: 30, longitude: -90 };
  assert.equal(pageOf(search, place), pageOf(await follow(), place));
});

test('few stores are left to the change feed', async () => {
  const search = createStoreSearch();
  assert.equal(await load(search, { minStores: 100_000 }), null);
  assert.equal(search.stores.storeCount, 0);
});

test('a load that breaks off is left to the change feed, which the log tells', async () => {
  const search = createStoreSearch();
  assert.equal(await load(search, { order: { ...order, schema: 'nowhere' } }), null);
  assert.match(logged.at(-1) ?? '', /stores were not read at once/);
});

test('a load from a database that is silent is given up', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const away = { ...order, connectionString: `postgres://user@127.0.0.1:${port}/none` };
  const search = createStoreSearch();
  assert.equal(await load(search, { order: away, silenceMs: 20 }), null);
  silent.close();
  assert.match(logged.at(-1) ?? '', /stores were not read at once/);
});

test('a node that closes during the load ends it, and its thread', async () => {
  const closing = new AbortController();
  const search = createStoreSearch();
  const startBlocks: StoreSearch['startBlocks'] = (stores) => {
    closing.abort();
    return search.startBlocks(stores);
  };
  const before = logged.length;
  assert.equal(await load({ ...search, startBlocks }, { signal: closing.signal }), null);
  assert.equal(logged.length, before, 'a closing node logs no warning');
});
