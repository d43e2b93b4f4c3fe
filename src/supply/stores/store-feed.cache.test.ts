import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import type { Store } from './store.ts';
import { StoreFollower } from './store-feed.cache.ts';
import { findStoresChangedSince, nextChange } from './stores.db.ts';

const PLACE = { latitude: 40.7383, longitude: -73.9927 };
/** Polling interval of a follower without notifications. */
const LOOK_MS = 1000;

const app = await givenOwnApp();
after(() => app.close());

const namesFound = async (service = app.service): Promise<string[]> => {
  const url = `/search/store/v3?latitude=${PLACE.latitude}&longitude=${PLACE.longitude}&maximum_miles=1`;
  const reply = await service.http.inject({ url, headers: { 'id-token': app.key } });
  return reply.json().stores.map((store: { name: string }) => store.name);
};

test('a change committed by anybody is found on every node, with nothing asked of them', async (t) => {
  const other = await app.givenNode('api');
  await other.deps.storeFeed.catchUp();
  const finds =
    (name: string, node = app.service) =>
    async () =>
      (await namesFound(node)).includes(name);
  const startedMs = performance.now();
  await givenStore(app.service.deps.db, { external_id: 'fresh', name: 'Fresh' });
  await until('the node that wrote it finds it', finds('Fresh'));
  await until('the other node finds it', finds('Fresh', other));
  t.diagnostic(`found after ${Math.round(performance.now() - startedMs)} ms`);
  await givenStore(other.deps.db, { external_id: 'fresh', name: 'Fresher' });
  await until('its change is found', finds('Fresher'));
  assert.equal((await namesFound()).includes('Fresh'), false);
});

test('a follower is woken by each change that anybody commits', { timeout: 120_000 }, async (t) => {
  const { db, log } = app.service.deps;
  // Polling is off.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const seen = new Set<string>();
  const feed = new StoreFollower({
    db,
    connectionString: app.connectionString,
    log,
    apply: ({ name }) => seen.add(name),
  });
  feed.start();
  // One may be included because it starts, one because it has just connected, but not the others.
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    await givenStore(db, { external_id: 'told', name });
    await until(`${name} is seen`, () => seen.has(name));
  }
  await feed.close();
});

test('a follower without a wake-up polls every second', { timeout: 120_000 }, async (t) => {
  const { db, log } = app.service.deps;
  await givenStore(db, { external_id: 'quiet', name: 'Quiet' });
  t.mock.timers.enable({ apis: ['setInterval'] });
  const seen = new Set<string>();
  const connectionString = 'postgres://nobody@127.0.0.1:1/none';
  const feed = new StoreFollower({ db, connectionString, log, apply: ({ name }) => seen.add(name) });
  feed.start();
  await until('all stores are loaded', () => feed.isLoaded);
  await db.transaction().execute(async (tx) => {
    const seq = await nextChange(tx);
    await sql`update stores set changed_seq = ${seq}, profile = jsonb_set(profile, '{name}', '"Quieter"')
      where external_id = 'quiet'`.execute(tx);
  });
  assert.deepEqual([seen.has('Quiet'), seen.has('Quieter')], [true, false]);
  t.mock.timers.tick(LOOK_MS);
  await until('it has looked', () => seen.has('Quieter'));
  await feed.close();
});

test('a delisted store leaves search', async () => {
  await givenStore(app.service.deps.db, { external_id: 'gone', name: 'Gone' });
  await app.catchUp();
  assert.ok((await namesFound()).includes('Gone'));
  await app.service.deps.db.transaction().execute(async (tx) => {
    const seq = await nextChange(tx);
    await tx.updateTable('stores').set({ listed: false, changedSeq: seq }).where('externalId', '=', 'gone').execute();
  });
  await app.catchUp();
  assert.equal((await namesFound()).includes('Gone'), false);
});

test('all stores of a transaction larger than a batch arrive, each once', async () => {
  const { db } = app.service.deps;
  await givenStore(db, { external_id: 'template', latitude: 30, longitude: -90 });
  await db.transaction().execute(async (tx) => {
    const seq = await nextChange(tx);
    await sql`insert into stores (store_id, source, external_id, profile, online_ordering, accept_delivery, accept_pickup,
        feed_hash, changed_seq, created_at, updated_at)
      select left(md5(n::text), 24), source, 'copy-' || n, profile, online_ordering, accept_delivery, accept_pickup,
        feed_hash, ${seq}, created_at, updated_at
      from stores, generate_series(1, 1000) as n where external_id = 'template'`.execute(tx);
  });
  const seen = new Map<string, number>();
  const apply = ({ storeId }: Store) => seen.set(storeId, (seen.get(storeId) ?? 0) + 1);
  const feed = new StoreFollower({ db, connectionString: '', log: app.service.deps.log, apply });
  await feed.catchUp();
  const { count } = await db
    .selectFrom('stores')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(seen.size, count);
  assert.deepEqual(new Set(seen.values()), new Set([1]));
  await feed.close();
});

test('large stores are read a few at a time, and each arrives once', async () => {
  const { db, log } = app.service.deps;
  const large: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    large.push(await givenStore(db, { external_id: `large-${n}`, latitude: 30, longitude: -90 }));
  }
  // Incompressible text; coordinates hardly compress.
  await sql`update stores set profile = profile || jsonb_build_object('description',
      (select string_agg(md5(random()::text || n), '') from generate_series(1, 20000) as n))
    where external_id like 'large-%'`.execute(db);
  const seen: string[] = [];
  const feed = new StoreFollower({ db, connectionString: '', log, apply: ({ storeId }) => seen.push(storeId) });
  await feed.catchUp();
  assert.deepEqual(seen.filter((storeId) => large.includes(storeId)).sort(), large.toSorted());
  const [first = ''] = seen.filter((storeId) => large.includes(storeId));
  const { changedSeq } = await db
    .selectFrom('stores')
    .select('changedSeq')
    .where('storeId', '=', first)
    .executeTakeFirstOrThrow();
  const batch = await findStoresChangedSince(db, { seq: changedSeq, storeId: '' }, { stores: 400, bytes: 1_000_000 });
  assert.ok(batch.changes.length < large.length && !batch.isEnd, `${batch.changes.length} stores at once`);
  await feed.close();
});

test('one store that cannot be taken in holds up no other', async () => {
  const { db, log } = app.service.deps;
  const last = await givenStore(db, { external_id: 'last', latitude: 30, longitude: -90 });
  const seen: string[] = [];
  const apply = ({ storeId, name }: Store) => {
    if (name === 'Quieter') throw new Error('unfit');
    seen.push(storeId);
  };
  const feed = new StoreFollower({ db, connectionString: '', log, apply });
  await feed.catchUp();
  assert.ok(feed.isLoaded && seen.includes(last));
  await feed.close();
});

test('while the stores cannot be read search serves its last state, and catches up after', async () => {
  const { db } = app.service.deps;
  await givenStore(db, { external_id: 'steady', name: 'Steady' });
  await app.catchUp();
  await sql`alter table stores rename to stores_away`.execute(db);
  await assert.rejects(app.catchUp());
  assert.ok((await namesFound()).includes('Steady'));
  await sql`alter table stores_away rename to stores`.execute(db);
  await givenStore(db, { external_id: 'steady', name: 'Steadier' });
  await app.catchUp();
  assert.ok((await namesFound()).includes('Steadier'));
});

test('a node is not ready, and refuses searches with 503, until all stores are loaded', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
  const holding = app.service.deps.db.transaction().execute(async (tx) => {
    await sql`lock table stores in access exclusive mode`.execute(tx);
    tellLocked();
    await held;
  });
  await locked;
  const node = await app.givenNode('api');
  const ready = await node.http.inject({ url: '/readyz' });
  const search = await node.http.inject({
    url: '/search/store/v3?latitude=40&longitude=-73',
    headers: { 'id-token': app.key },
  });
  letGo();
  await holding;
  assert.deepEqual([ready.statusCode, ready.json().detail], [503, 'The search index is loading.']);
  assert.deepEqual([search.statusCode, search.json().code], [503, 'not_ready']);
  await node.deps.storeFeed.catchUp();
  assert.equal((await node.http.inject({ url: '/readyz' })).statusCode, 200);
  assert.ok((await namesFound(node)).length > 0);
});

test('a node that only works loads no stores, and is ready without', async () => {
  const node = await app.givenNode('worker');
  assert.equal((await node.http.inject({ url: '/readyz' })).statusCode, 200);
  assert.equal(node.deps.storeFeed.isLoaded, false);
});
