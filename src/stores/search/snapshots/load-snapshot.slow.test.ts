import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../../test/given/stores.ts';
import { type App, givenApp } from '../../../../test/harness.ts';
import { migrationNames } from '../../../db/migrations.ts';
import { snapshotFile } from '../../../wiring/begin-node-snapshot.ts';
import { findStores } from '../../stores.db.ts';
import { createStoreSearch, type StoreSearch } from '../store-search.index.ts';
import { beginSnapshot } from './begin-snapshot.flow.ts';
import { loadSnapshot } from './load-snapshot.flow.ts';
import { writeSnapshotFile } from './snapshot-file.cache.ts';
import { snapshotFormat } from './snapshot-format.ts';
import { writeSnapshot } from './write-snapshot.flow.ts';

const STORES = 40;
const NOW_S = 1_780_000_000;
/** Changed bytes that are tried, one at a time, over the whole file. */
const CHANGED_BYTES = 60;

const folder = mkdtempSync(join(tmpdir(), 'doorstep-snapshot-'));
const format = snapshotFormat('0000-test.sql');
const logged: string[] = [];
let app: App;
let file: string;

before(async () => {
  app = await givenApp({
    env: { DATA_DIR: folder, LOG_LEVEL: 'info' },
    onLogLine: (line) => logged.push(line),
  });
  file = join(folder, 'search', 'test.snapshot');
  for (let n = 0; n < STORES; n += 1)
    await givenStore(app.service.deps.db, { external_id: `s${n}`, name: `Store ${n}` });
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const write = (as = format, blockStores = STORES) =>
  writeSnapshot(app.service.deps.db, { file, format: as, at: app.now(), blockStores });

async function load(
  search: Pick<StoreSearch, 'startBlocks'> = createStoreSearch(),
  as = format,
  { signal = new AbortController().signal, snapshot = beginSnapshot(file) } = {},
) {
  const { db, log } = app.service.deps;
  return loadSnapshot({ db, log, snapshot, format: as, search, signal });
}

/** The reason of the last refusal in the log. */
function refusal(): string | undefined {
  const lines = logged.map((line) => JSON.parse(line) as { msg: string; reason?: string });
  return lines.findLast(({ msg }) => msg.startsWith('search snapshot refused'))?.reason;
}

async function storeIds(): Promise<string[]> {
  const rows = await app.service.deps.db.selectFrom('stores').select('storeId').execute();
  return rows.map(({ storeId }) => storeId);
}

function pageOf({ stores }: StoreSearch): string {
  const query = {
    latitude: 40.7383,
    longitude: -73.9927,
    text: '',
    autocomplete: false,
    storeType: null,
    pickup: null,
  };
  const more = { open: false, deliversHere: true, maximumMiles: 5, cuisine: null, dollarSigns: null, viewport: null };
  const asked = { ...query, ...more, sandbox: null, minimumRating: null, sort: 'relevance' as const, page: 0 };
  return stores.writePage(stores.search(asked, NOW_S), NOW_S).toString();
}

test('a snapshot loads what the database would, and says from which change on it is incomplete', async () => {
  const { db } = app.service.deps;
  const { seq, stores } = await write();
  assert.equal(stores, STORES);
  const search = createStoreSearch();
  const point = await load(search);
  assert.equal(point?.seq, seq);
  const clock = await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow();
  assert.equal(seq, clock.seq);
  await app.catchUp();
  assert.equal(pageOf(search), pageOf(app.service.deps.search));
  assert.equal(statSync(file).mode & 0o777, 0o600, 'the file is the owner’s alone');
});

test('a node that starts from a snapshot finds a store that changed after it, and reads no other store', async () => {
  const { db } = app.service.deps;
  const newest = snapshotFormat((await migrationNames()).at(-1) ?? '');
  await writeSnapshot(db, { file: snapshotFile(join(folder, 'search'), app.schema), format: newest, at: app.now() });
  await givenStore(db, { external_id: 's3', name: 'Changed Later' });
  await givenStore(db, { external_id: 'new', name: 'Come Later' });
  await db.updateTable('stores').set({ listed: false }).where('externalId', '=', 's7').execute();
  await givenStore(db, { external_id: 's8', name: 'Last' });
  const node = await app.givenNode('api');
  await node.deps.storeFeed.catchUp();
  assert.equal(node.deps.storeFeed.changes, 3);
  const names = JSON.parse(pageOf(node.deps.search)).stores.map(({ name }: { name: string }) => name);
  for (const name of ['Changed Later', 'Come Later', 'Last', 'Store 7']) assert.ok(names.includes(name), name);
  assert.ok(!names.includes('Store 3'));
});

test('a snapshot of another version is refused', async () => {
  await write('of another version');
  assert.equal(await load(), null);
  assert.equal(refusal(), 'another version wrote it');
});

test('a snapshot of another database is refused, and so is one of a history that a restore has undone', async () => {
  await write();
  const { db } = app.service.deps;
  await db.deleteFrom('searchSnapshots').execute();
  assert.equal(await load(), null);
  assert.equal(refusal(), 'it is of another database');
});

test('no file is no snapshot, and nothing to warn of', async () => {
  rmSync(file, { force: true });
  logged.length = 0;
  assert.equal(await load(), null);
  assert.equal(refusal(), undefined);
});

test('a file that is cut or changed anywhere is refused', async () => {
  await write();
  const whole = readFileSync(file);
  for (const length of [0, 10, 20, whole.length >> 1, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, length));
    logged.length = 0;
    assert.equal(await load(), null, `${length} bytes`);
    assert.ok(refusal(), `${length} bytes`);
  }
  for (let at = 0; at < whole.length; at += Math.ceil(whole.length / CHANGED_BYTES)) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    writeFileSync(file, changed);
    assert.equal(await load(), null, `byte ${at}`);
  }
  writeFileSync(file, whole);
  assert.notEqual(await load(), null);
});

/** Calls `before` ahead of each block that the search takes in. */
function watched(search: StoreSearch, before: (nth: number) => void): Pick<StoreSearch, 'startBlocks'> {
  return {
    startBlocks(stores) {
      const { load, ...others } = search.startBlocks(stores);
      let nth = 0;
      return {
        ...others,
        load(block) {
          before(nth);
          nth += 1;
          load(block);
        },
      };
    },
  };
}

test('a snapshot that breaks off is followed by a read of all stores', async () => {
  const { seq } = await write(format, 5);
  const search = createStoreSearch();
  const breaksOff = watched(search, (nth) => {
    if (nth === 3) throw new Error('The disk is gone.');
  });
  assert.equal(await load(breaksOff), null);
  assert.equal(search.stores.storeCount, 15);
  assert.ok(seq > 0);
  const read = createStoreSearch();
  for (const store of await findStores(app.service.deps.db, await storeIds())) {
    search.apply(store);
    read.apply(store);
  }
  assert.equal(pageOf(search), pageOf(read));
});

test('a node that closes loads no further, and says nothing of its snapshot', async () => {
  await write(format, 3);
  logged.length = 0;
  const search = createStoreSearch();
  const closing = new AbortController();
  const closes = watched(search, () => closing.abort());
  assert.equal(await load(closes, format, { signal: closing.signal }), null);
  assert.equal(search.stores.storeCount, 3);
  assert.equal(refusal(), undefined);
});

test('a snapshot of more blocks than are unpacked ahead is loaded whole', async () => {
  await write(format, 3);
  const search = createStoreSearch();
  assert.notEqual(await load(search, format, { snapshot: beginSnapshot(file, 2) }), null);
  assert.equal(search.stores.storeCount, STORES);
});

test('a snapshot that is begun and not loaded is closed, with its thread far ahead', async () => {
  await write(format, 3);
  const snapshot = beginSnapshot(file, 2);
  const opened = await snapshot.open();
  assert.equal((await opened?.blocks().next())?.done, false);
  await snapshot.close();
  await assert.rejects(snapshot.open(), /has ended/);
});

test('the thread that unpacks ends by itself, when it is closed and before its process ends', async () => {
  await write(format, 3);
  for (const end of [
    (snapshot: ReturnType<typeof beginSnapshot>) => void snapshot.close(),
    () => process.listeners('exit').at(-1)?.(0),
  ]) {
    const started = once(process, 'worker');
    const snapshot = beginSnapshot(file, 2);
    const [thread] = await started;
    const ended = once(thread, 'exit');
    await snapshot.open();
    end(snapshot);
    // A thread that is terminated has the status 1.
    assert.deepEqual(await ended, [0]);
  }
});

test('a snapshot that cannot be written to its end leaves the earlier one, and nothing else', async () => {
  await write();
  const before = readFileSync(file);
  async function* breaksOff() {
    yield { columns: Buffer.from('columns'), documents: Buffer.from('documents') };
    throw new Error('The database is gone.');
  }
  const facts = () => ({ format, mark: 'snp_1', seq: 1, stores: 1 });
  await assert.rejects(writeSnapshotFile(file, breaksOff(), facts, app.now()), /gone/);
  assert.deepEqual(readFileSync(file), before);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('what a killed writer left is removed by a later writer, what one writes now is not', async () => {
  const [old, fresh] = [`${file}.old.tmp`, `${file}.fresh.tmp`];
  writeFileSync(old, '');
  writeFileSync(fresh, '');
  const epochS = app.now().epochMilliseconds / 1000;
  utimesSync(old, epochS - 7200, epochS - 7200);
  utimesSync(fresh, epochS - 60, epochS - 60);
  await write();
  assert.deepEqual(
    [old, fresh].map((path) => existsSync(path)),
    [false, true],
  );
});
