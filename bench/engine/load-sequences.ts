import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { COMPACTION_LIMITS } from '../../src/search/engine/compaction.ts';
import { finish } from '../../src/search/engine/seal.ts';
import { SegmentMemory } from '../../src/search/engine/segment-memory.ts';
import { findSnapshot, readSnapshot, writeSnapshot } from '../../src/search/engine/snapshot-files.cache.ts';
import { type Publication, Writer } from '../../src/search/engine/writer.ts';
import { loadInThread } from '../../src/search/stores/load-stores.flow.ts';
import { engineRow } from '../../src/search/stores/store-row.ts';
import { StoreSearch } from '../../src/search/stores/store-search.index.ts';
import { findStoresChangedSince } from '../../src/supply/stores/stores.db.ts';
import { compareWithScan, randomQueries } from '../continent/compare-with-scan.ts';
import { type ContinentStore, continentStores } from '../continent/continent-stores.ts';
import { createStoreForm } from '../continent/forms.ts';
import { importContinent } from '../continent/given-continent.ts';
import { createScan, type Scan, type ScanMatches } from '../continent/scan.ts';
import { createReport } from '../report.ts';
import { givenDatabase } from '../setup.ts';

/**
 * Whether search has every store, whatever the sequence in which PostgreSQL has them: loads sorted and shuffled stores
 * from PostgreSQL and from a snapshot, and takes them in as changes; compares the numbers, and queries with a scan.
 *
 *   node bench/engine/load-sequences.ts --folder FOLDER [--stores N] [--queries N]
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '/tmp/doorstep-load-sequences' },
    stores: { type: 'string', default: '400000' },
    queries: { type: 'string', default: '2000' },
  },
});
const [count, queries] = [Number(values.stores), Number(values.queries)];
const SEQUENCES = {
  longitude: 'longitude, store_id',
  latitude: 'latitude, store_id',
  name: "(profile->>'name'), store_id",
  shuffled: 'md5(store_id)',
};
const CHANGES_PER_BATCH = { stores: 400, bytes: 1_500_000 };
const SAMPLED = 2000;

mkdirSync(values.folder, { recursive: true });
const database = await givenDatabase({ folder: values.folder, schema: 'sequences' });
const { db, connectionString, schema } = database;
await importContinent(database, { stores: count, menus: 0, folder: values.folder }, createReport('load'));
const scan = createScan();
const sample: ContinentStore[] = [];
const form = createStoreForm();
for (const store of continentStores(count, 0)) {
  scan.add(form(store));
  if (store.number % Math.ceil(count / SAMPLED) === 0) sample.push(store);
}

/** An index, how it was filled, and how long that took. */
type Filled = { what: string; seconds: number; segments: number; search: StoreSearch };
const filled: Filled[] = [];

function note(what: string, startMs: number, writer: Writer, publication: Publication): void {
  const seconds = (performance.now() - startMs) / 1000;
  const search = new StoreSearch();
  finish(search.show(publication));
  filled.push({ what, seconds, segments: writer.whole().segments.length, search });
}

/** The scan is slow: the indexes answer the same query one after the other, so that one scan serves them all. */
const scanned = new LRUCache<string, ScanMatches>({ max: 16 });
const sharedScan: Scan = {
  ...scan,
  matches(query, nowEpochS, limit) {
    const key = JSON.stringify([query, query.open ? nowEpochS : 0, limit]);
    const found = scanned.get(key) ?? scan.matches(query, nowEpochS, limit);
    scanned.set(key, found);
    return found;
  },
};

async function compare({ what, seconds, segments, search }: Filled): Promise<void> {
  const { compared, differences } = await compareWithScan(
    sharedScan,
    randomQueries(sample, queries),
    async (_, query) =>
      search
        .search(query, Math.floor(Date.now() / 1000))
        .stores.map(({ segment, slot, miles }) => ({ storeId: segment.ids.at(slot), miles })),
  );
  process.stdout.write(
    `| ${what} | ${search.count().stores} of ${count} | ${differences.length} of ${compared} | ${segments} | ${seconds.toFixed(1)} s |\n`,
  );
}

const newWriter = (memory = new SegmentMemory(2 ** 26)) => new Writer(memory, COMPACTION_LIMITS);

/** Takes all stores in as changes, in the sequence of their rows, compacting as a running node does. */
async function takeIn(writer: Writer): Promise<Publication> {
  let point = { seq: 0, storeId: '' };
  for (let isEnd = false; !isEnd; ) {
    const batch = await findStoresChangedSince(db, point, CHANGES_PER_BATCH);
    for (const { read } of batch.changes) writer.upsert(engineRow(read()));
    point = batch.changes.at(-1)?.point ?? point;
    isEnd = batch.isEnd;
    const publication = writer.flush();
    if (publication) writer.release(publication.version);
    for (let next = finish(writer.compact()); next !== null; next = finish(writer.compact())) {
      writer.release(next.version);
    }
  }
  return writer.whole();
}

for (const [name, order] of Object.entries(SEQUENCES)) {
  await sql`create index by_sequence on stores (${sql.raw(order)})`.execute(db);
  await sql`cluster stores using by_sequence`.execute(db);
  await sql`drop index by_sequence`.execute(db);
  // The change feed follows the sequence of the rows too.
  await sql`update stores set changed_seq = numbered.nth from (
    select store_id, row_number() over (order by ${sql.raw(order)}) as nth from stores) as numbered
    where numbered.store_id = stores.store_id`.execute(db);
  await sql`cluster stores using stores_by_change`.execute(db);
  let startMs = performance.now();
  const { segments } = await loadInThread({ connectionString, schema }, new AbortController().signal);
  const writer = newWriter();
  note(`${name}, from PostgreSQL`, startMs, writer, writer.restore(segments));
  const folder = join(values.folder, 'snapshot');
  await writeSnapshot(folder, { name: 'bench', facts: null, nowMs: 0 }, writer.snapshot());
  startMs = performance.now();
  const memory = new SegmentMemory(2 ** 26);
  const found = await findSnapshot(folder);
  const read = found && (await readSnapshot(folder, found, memory));
  const restored = newWriter(memory);
  if (read) note(`${name}, from its snapshot`, startMs, restored, restored.restore(read));
  rmSync(folder, { recursive: true });
  startMs = performance.now();
  const running = newWriter();
  note(`${name}, imported beside a running node`, startMs, running, await takeIn(running));
}
await database.close();
process.stdout.write('| | stores | queries that differ from a scan | segments | time |\n|---|---|---|---|---|\n');
await Promise.all(filled.map(compare));
