import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import type { MessagePort, Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import {
  COMPACTION_LIMITS,
  findSnapshot,
  readSnapshot,
  Segment,
  SegmentMemory,
  Writer,
  writeSnapshot,
} from 'doorstep/search-engine';
import { sql } from 'kysely';
import { SearchIndex } from '../../../test/given/search-index.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { queryOf } from '../../../test/oracles/store-search.ts';
import { nextTurn, until } from '../../../test/until.ts';
import { openPool } from '../../platform/db/connect.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { HEARTBEAT_MS, HeartbeatMonitor } from '../../platform/lib/heartbeat-monitor.ts';
import { createLog } from '../../platform/lib/log.ts';
import { StoreFollower } from '../../supply/stores/store-feed.cache.ts';
import { nextChange } from '../../supply/stores/stores.db.ts';
import { SearchWriter } from '../products/search-writer.flow.ts';
import type { WriterData } from './index-writer.flow.ts';
import { loadStores } from './load-stores.flow.ts';
import { listLeftOutStores, listSearchDifferences } from './search-checks.db.ts';
import { SearchReader } from './search-reader.flow.ts';
import { StoreSearch } from './store-search.index.ts';

const NOW_S = 1_780_000_000;
const COPIES = 3000;
/** Number of changed bytes tried per file, one at a time. */
const CHANGED_BYTES = 4;

const folder = mkdtempSync(join(tmpdir(), 'doorstep-snapshot-'));
const manifest = join(folder, 'snapshot.json');
let app: App;
const running: { close(): Promise<void> }[] = [];

before(async () => {
  app = await givenOwnApp();
  const { db } = app.service.deps;
  await givenOddStores();
  await givenStore(db, { external_id: 'template', latitude: 40.7, longitude: -73.99, name: 'Copied' });
  await sql`insert into stores (store_id, source, external_id, profile, online_ordering, accept_delivery, accept_pickup,
      feed_hash, changed_seq, created_at, updated_at)
    select left(md5(n::text), 24), source, 'copy-' || n,
      jsonb_set(profile, '{name}', to_jsonb('Copied ' || n % 1500)), online_ordering, accept_delivery, accept_pickup,
      feed_hash, changed_seq, created_at, updated_at
    from stores, generate_series(1, ${COPIES}) as n where external_id = 'template'`.execute(db);
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

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

/** Stores that cover every unusual value that a load must read. */
async function givenOddStores(): Promise<void> {
  const ids: string[] = [];
  const names = ['Plain', 'Café "Quoted" \\ Slash', 'Unlisted', 'Paused', 'Own', 'Closed Pickup', 'Merged', 'Dated'];
  for (const [nth, name] of names.entries()) {
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
  await change(own, { ownPhotos: JSON.stringify({ logo: ['https://cdn.example/own.png'] }) });
  await change(pickup, { acceptPickup: false, onlineOrdering: false });
  await change(merged, { mergedInto: plain });
}

/** An index that reads all stores one by one from the start of the change feed. */
async function followed(): Promise<SearchIndex> {
  const { db, log } = app.service.deps;
  const search = new SearchIndex();
  const feed = new StoreFollower({ db, connectionString: '', log, apply: (store) => search.upsert(store) });
  await feed.catchUp();
  await feed.close();
  return search;
}

type Reading = { search: StoreSearch; reader: SearchReader; changed: string[] };
type Started = Reading & { writer: SearchWriter; logged: string[] };

const IGNORED = { onLoaded: () => {}, onShelves: () => {} };

/** A reader thread, simulated in this one. */
function startReader(): Reading {
  const [search, changed] = [new StoreSearch(), [] as string[]];
  const reader = new SearchReader({ search, onChange: (storeId) => changed.push(storeId), ...IGNORED });
  reader.start();
  running.push(reader);
  return { search, reader, changed };
}

function start(changes: Partial<WriterData> = {}, others: readonly Reading[] = []): Started {
  const { connectionString, schema } = app;
  const logged: string[] = [];
  const reading = startReader();
  const writer = new SearchWriter({
    data: { connectionString, schema, snapshotFolder: null, ...changes },
    maxShelfBytes: 1e9,
    log: createLog('info', { write: (line: string) => void logged.push(line) }),
    onStart() {
      for (const { reader } of [reading, ...others]) reader.attach(writer.connect() as MessagePort);
    },
  });
  running.push(writer);
  writer.start();
  return { ...reading, writer, logged };
}

async function loaded(changes: Partial<WriterData> = {}): Promise<Started> {
  const started = start(changes);
  await started.reader.catchUp();
  return started;
}

/** The pages that searches return for all stores. */
function searchPages(search: StoreSearch): string[] {
  return [0, 1, 20, 30].map((page) => {
    const query = queryOf({ page });
    return search.writePage(search.search(query, NOW_S), NOW_S).toString();
  });
}

const has = ({ logged }: Pick<Started, 'logged'>, text: string) => logged.some((line) => line.includes(text));

/** Waits until a node has written its snapshot. */
async function givenSnapshot(): Promise<Started> {
  rmSync(manifest, { force: true });
  const node = await loaded({ snapshotFolder: folder, manyStores: 1000, quietMs: 50 });
  await until('the snapshot is written', () => has(node, 'search snapshot written'));
  return node;
}

test('stores are loaded as the change feed gives them, in the thread itself and by a thread of their own', async () => {
  const expected = await followed();
  const own = await loaded();
  assert.deepEqual(searchPages(own.search), searchPages(expected));
  assert.deepEqual(own.search.count(), expected.count());
  const other = await loaded({ manyStores: 1000 });
  assert.ok(has(other, 'search loaded from the database'));
  assert.deepEqual(searchPages(other.search), searchPages(expected));
});

test("a change is in every search after catchUp, and the store's caches are invalidated before", async () => {
  const { search, reader, changed } = await loaded();
  changed.length = 0;
  const storeId = await givenStore(app.service.deps.db, { external_id: 'fresh', name: 'Fresh Fish' });
  await reader.catchUp();
  const found = search.search(queryOf({ text: 'fresh fish' }), NOW_S).stores;
  assert.deepEqual(
    found.map(({ segment, slot }) => segment.ids.at(slot)),
    [storeId],
  );
  assert.deepEqual(changed, [storeId]);
  assert.ok((reader.lagSeconds() ?? Infinity) < 60);
});

test('a node starts from its snapshot and reads only later changes', async () => {
  await givenSnapshot();
  await givenStore(app.service.deps.db, { external_id: 'odd-0', name: 'Changed Later' });
  await givenStore(app.service.deps.db, { external_id: 'later', name: 'Come Later' });
  const node = await loaded({ snapshotFolder: folder });
  assert.ok(has(node, 'search loaded from its snapshot'));
  assert.deepEqual(searchPages(node.search), searchPages(await followed()));
  const [name = ''] = readdirSync(folder).filter((entry) => entry !== 'snapshot.json');
  for (const file of [manifest, join(folder, name, 'segment-0.zst')]) assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a truncated or changed snapshot is rejected, and the stores are read from the database', async () => {
  await givenSnapshot();
  const { name } = JSON.parse(readFileSync(manifest, 'utf8').split('\n')[1] ?? '');
  const expected = searchPages(await followed());
  for (const file of [manifest, join(folder, name, 'segment-0.zst')]) {
    const whole = readFileSync(file);
    const damaged = [whole.subarray(0, whole.length >> 1)];
    for (let nth = 0; nth < CHANGED_BYTES; nth += 1) {
      const changed = Buffer.from(whole);
      const at = Math.floor((nth * whole.length) / CHANGED_BYTES);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      damaged.push(changed);
    }
    for (const bytes of damaged) {
      writeFileSync(file, bytes);
      const node = await loaded({ snapshotFolder: folder });
      assert.equal(has(node, 'search loaded from its snapshot'), false);
      assert.deepEqual(searchPages(node.search), expected);
      await node.writer.close();
    }
    writeFileSync(file, whole);
  }
  assert.ok(has(await loaded({ snapshotFolder: folder }), 'search loaded from its snapshot'));
});

test('a snapshot of another database, or of a history that a restore has undone, is refused', async () => {
  await givenSnapshot();
  await app.service.deps.db.deleteFrom('searchSnapshots').execute();
  const node = await loaded({ snapshotFolder: folder });
  assert.ok(has(node, 'it is of another database'));
  assert.deepEqual(searchPages(node.search), searchPages(await followed()));
});

/** Replaces the snapshot with another that lacks a store, and returns the store's id. */
async function givenHole(): Promise<string> {
  const found = await findSnapshot(folder);
  const memory = new SegmentMemory(0);
  const segments = found && (await readSnapshot(folder, found, memory));
  assert.ok(segments);
  const writer = new Writer(memory, COMPACTION_LIMITS);
  writer.restore(segments);
  const storeId = segments[0] ? new Segment(segments[0].data).ids.at(7) : '';
  writer.remove(storeId);
  writer.flush();
  await writeSnapshot(folder, { name: 'snp_hole', facts: found.facts, nowMs: 0 }, writer.snapshot());
  return storeId;
}

test('a snapshot that lacks a store is neither served nor kept: it says which, and all stores are read again', async () => {
  await givenSnapshot();
  const storeId = await givenHole();
  const node = await loaded({ snapshotFolder: folder });
  assert.ok(has(node, 'search loaded from its snapshot'));
  assert.ok(has(node, `"missing":1,"firstMissing":"${storeId}","surplus":0`), node.logged.join(''));
  assert.ok(has(node, 'starting it again'));
  assert.equal(existsSync(manifest), false);
  assert.deepEqual(searchPages(node.search), searchPages(await followed()));
  const [difference] = await listSearchDifferences(app.service.deps.db, systemClock.now().subtract({ minutes: 5 }));
  assert.deepEqual([difference?.missing, difference?.firstMissing], [1, storeId]);
});

test('a store that search has lost is missed by the next comparison, and found again after it', async () => {
  const node = await loaded({ compareMs: 50 });
  const storeId = await givenStore(app.service.deps.db, { external_id: 'unseen', name: 'Unseen' });
  await node.reader.catchUp();
  // A change that no follower reads: it has the number of an earlier one.
  const relist = async (listed: boolean, seq: number | null) =>
    sql`update stores set listed = ${listed}, changed_seq = coalesce(${seq}::bigint, changed_seq) where store_id = ${storeId}`.execute(
      app.service.deps.db,
    );
  await change(storeId, { listed: false });
  await node.reader.catchUp();
  await relist(true, 1);
  await until('the difference is found', () => has(node, 'search differs from the database'));
  assert.ok(has(node, `"firstMissing":"${storeId}"`));
  await until('it is found again', () => node.search.isOpen(storeId, NOW_S) !== undefined);
  await until('no store is missing', () => node.reader.missing === 0);
  // Listed no more, again unseen: search has a store too many.
  await relist(false, 1);
  await until('it has left search', () => node.search.isOpen(storeId, NOW_S) === undefined);
  assert.ok(has(node, '"missing":0,"firstMissing":null,"surplus":1'));
});

test('a store that cannot be converted is left out, said and counted, and search has all others', async () => {
  const expected = searchPages(await followed());
  await givenSnapshot();
  const storeId = await givenStore(app.service.deps.db, { external_id: 'unfit', name: 'Unfit' });
  const following = await loaded();
  const profileIs = (profile: string) =>
    sql`with clock as (update change_clock set seq = seq + 1 returning seq)
      update stores set profile = ${sql.raw(profile)}, changed_seq = (select seq from clock) where store_id = ${storeId}`.execute(
      app.service.deps.db,
    );
  await profileIs(`profile || '{"cuisines": null}'`);
  const nodes = [
    following,
    await loaded(),
    await loaded({ manyStores: 1000 }),
    await loaded({ snapshotFolder: folder }),
  ];
  for (const node of nodes) {
    await node.reader.catchUp();
    await until('it is counted', () => node.reader.leftOut === 1);
    assert.ok(node.logged.some((line) => line.includes('store left out of search') && line.includes(storeId)));
    assert.equal(has(node, 'search differs'), false);
    assert.deepEqual(searchPages(node.search), expected);
  }
  const [left] = await listLeftOutStores(app.service.deps.db, 10);
  assert.equal(left?.storeId, storeId);
  await profileIs(`profile || '{"cuisines": []}'`);
  await following.reader.catchUp();
  assert.notEqual(following.search.isOpen(storeId, NOW_S), undefined);
  await until('it is not counted', () => following.reader.leftOut === 0);
  await change(storeId, { listed: false });
});

test('a snapshot of the format that may lack stores is not read', async () => {
  await givenSnapshot();
  const [, text = ''] = readFileSync(manifest, 'utf8').split('\n');
  const before = text.replaceAll('"layout":"4 ', '"layout":"3 ');
  assert.notEqual(before, text);
  writeFileSync(manifest, `${crc32(before)}\n${before}`);
  const node = await loaded({ snapshotFolder: folder });
  assert.equal(has(node, 'search loaded from its snapshot'), false);
  assert.deepEqual(searchPages(node.search), searchPages(await followed()));
});

test('a load has every listed store for any row order of PostgreSQL', async () => {
  const { db } = app.service.deps;
  const pool = openPool({ ...app, max: 1, applicationName: 'test' });
  const { stores } = (await followed()).count();
  await sql`create index stores_named on stores ((profile->>'name'))`.execute(db);
  for (const index of ['stores_by_spot', 'stores_named', 'stores_by_change']) {
    await sql`cluster stores using ${sql.raw(index)}`.execute(db);
    const writer = new Writer(new SegmentMemory(0), { ...COMPACTION_LIMITS, range: 500 });
    await loadStores(pool, writer);
    assert.equal(writer.liveStores, stores, index);
  }
  await pool.end();
});

test('each step of a load is progress, sealing included, so that none on a busy machine counts as stuck', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const pool = openPool({ ...app, max: 1, applicationName: 'test' });
  const writer = new Writer(new SegmentMemory(0), { ...COMPACTION_LIMITS, range: 500 });
  const seen = { steps: 0, stuck: 0 };
  const monitor = new HeartbeatMonitor(() => {
    seen.stuck += 1;
  });
  const onProgress = () => {
    seen.steps += 1;
    t.mock.timers.tick(11 * HEARTBEAT_MS);
    monitor.receive();
  };
  await loadStores(pool, writer, { onProgress });
  monitor.stop();
  await pool.end();
  const segments = writer.snapshot().length;
  assert.ok(segments >= 6);
  assert.ok(seen.steps > 8 * segments, `${seen.steps} steps for ${segments} segments`);
  assert.equal(seen.stuck, 0);
});

test('a snapshot is written once stores are quiet, again after enough changes, and never of few stores', async () => {
  const few = await loaded({ snapshotFolder: join(folder, 'few'), manyStores: 1e6, quietMs: 10 });
  const node = await givenSnapshot();
  const written = () => node.logged.filter((line) => line.includes('search snapshot written')).length;
  assert.equal(written(), 1);
  await sql`with clock as (update change_clock set seq = seq + 1 returning seq)
    update stores set changed_seq = (select seq from clock) where external_id like 'copy-1%'`.execute(
    app.service.deps.db,
  );
  // Possibly more than once, if changes arrive in parts with pauses in between.
  await until('the snapshot is written again', () => written() > 1);
  assert.equal(existsSync(join(folder, 'few')), false);
  assert.equal(has(few, 'search snapshot'), false);
});

test('a snapshot that breaks off leaves nothing behind', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'doorstep-broken-'));
  const cut = [null as never];
  await assert.rejects(writeSnapshot(empty, { name: 'snp_cut', facts: null, nowMs: 0 }, cut));
  assert.deepEqual(readdirSync(empty), []);
  rmSync(empty, { recursive: true });
});

test('an unwritable snapshot is retried, and the log contains no database address', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const node = await loaded({ snapshotFolder: join(file, 'below'), manyStores: 1000, quietMs: 50 });
  await until('it was tried twice', () => node.logged.filter((line) => line.includes('not written')).length > 1);
  assert.equal(has(node, app.connectionString), false);
});

test('a thread that ends by itself is started again; search goes on meanwhile, and sees later changes', async () => {
  const node = await loaded();
  const before = searchPages(node.search);
  await (node.writer as unknown as { thread: Worker }).thread.terminate();
  assert.deepEqual(searchPages(node.search), before);
  assert.ok(node.reader.isLoaded);
  await givenStore(app.service.deps.db, { external_id: 'after', name: 'After The End' });
  await node.reader.catchUp();
  assert.ok(has(node, 'starting it again'));
  assert.deepEqual(searchPages(node.search), searchPages(await followed()));
});

test("search threads share one writer's segments, and a thread that starts or ends later loses nothing", async () => {
  const other = startReader();
  const node = start({}, [other]);
  await Promise.all([node.reader.catchUp(), other.reader.catchUp()]);
  const [one, another] = [node, other].map(({ search }) => {
    const [store] = search.search(queryOf(), NOW_S).stores;
    return new Uint8Array(store?.segment.data.memory as SharedArrayBuffer);
  });
  assert.ok(one && another);
  // The last byte of a block is outside of all columns.
  const at = one.length - 1;
  one[at] = 1 - (one[at] as number);
  assert.equal(another[at], one[at]);
  await givenStore(app.service.deps.db, { external_id: 'shared', name: 'Shared By All' });
  await other.reader.catchUp();
  await node.reader.catchUp();
  const late = startReader();
  late.reader.attach(node.writer.connect() as MessagePort);
  await late.reader.catchUp();
  const expected = searchPages(await followed());
  for (const { search } of [node, other, late]) assert.deepEqual(searchPages(search), expected);
  await other.reader.close();
  await givenStore(app.service.deps.db, { external_id: 'shared', name: 'Shared By Two' });
  await late.reader.catchUp();
  assert.deepEqual(searchPages(late.search), searchPages(await followed()));
});

test('a thread that closes while it takes a version in closes its port after it, and then nothing follows', async () => {
  const seen: string[] = [];
  let isHeld = true;
  class LateSearch extends StoreSearch {
    override *show(publication: Parameters<StoreSearch['show']>[0]): Generator<void, number> {
      seen.push('begun');
      while (isHeld) yield;
      const oldest = yield* super.show(publication);
      seen.push('shown');
      return oldest;
    }
  }
  const { writer, reader: first } = start();
  await first.catchUp();
  const onLoaded = () => void seen.push('loaded');
  const reader = new SearchReader({ search: new LateSearch(), onChange: () => {}, ...IGNORED, onLoaded });
  const port = writer.connect() as MessagePort;
  port.once('close', () => seen.push('port closed'));
  reader.attach(port);
  await until('the version is being taken in', () => seen.includes('begun'));
  const closed = reader.close().then(() => seen.push('closed'));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  isHeld = false;
  await closed;
  await until('the port is closed', () => seen.includes('port closed'));
  assert.deepEqual(seen, ['begun', 'shown', 'loaded', 'closed', 'port closed']);
});

test('a node that closes while its database is silent ends its thread', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const node = start({ connectionString: `postgres://user@127.0.0.1:${port}/none` });
  await once(silent, 'connection');
  assert.equal(node.reader.isLoaded, false);
  await node.writer.close();
  silent.close();
});
