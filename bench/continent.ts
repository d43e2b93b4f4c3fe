import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { migrationNames } from '../src/db/migrations.ts';
import { snapshotFormat } from '../src/stores/search/snapshots/snapshot-format.ts';
import type { SnapshotOrder, SnapshotOutcome } from '../src/stores/search/snapshots/snapshot-process.flow.ts';
import { snapshotFile } from '../src/wiring/begin-node-snapshot.ts';
import { compareWithScan, randomQueries } from './continent/compare-with-scan.ts';
import { CONTINENT_STORES, type ContinentStore, continentStores, menusOf } from './continent/continent-stores.ts';
import { createStoreForm } from './continent/forms.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import { type Measured, measureSingles, measureWorkloads } from './continent/measure-http.ts';
import { createScan, type Scan } from './continent/scan.ts';
import { pathOf, SAMPLED_STORES } from './continent/workloads.ts';
import { createReport, type Report } from './report.ts';
import { type BenchDatabase, givenDatabase, startBenchService, startChild } from './setup.ts';

/**
 * The stores of a continent on one node: imported, searched over HTTP beside a bare route, compared with a scan.
 *
 *   node bench/continent.ts [--quick | --stores N] [--only WORD] [--data FOLDER] [--compare QUERIES]
 *
 * `--quick` is 200,000 stores with short turns. `--only` measures the workloads whose name has the word. `--data` keeps
 * the imported database in a folder for the next run. The service has its ordinary settings: it logs every request
 * (`info`, to nowhere), counts rate limits (raised to ten million a minute), and serves a key of an account of its own
 * on each of 8 connections.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    stores: { type: 'string' },
    menus: { type: 'string' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    compare: { type: 'string' },
  },
});
const QUICK_STORES = 200_000;
const QUICK_MENUS = 400;
const KEYS = 8;
/** `bench/continent-products.ts` measures the products. */
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000', PRODUCTS_READ_AHEAD: '0' };
const READY_MS = 40_000;
const READY_FROM_SNAPSHOT_MS = 8000;
const MAX_RSS_MB = 2048;
const QUERIES_COMPARED = 2000;
const QUICK_COMPARED = 300;
const MIB = 2 ** 20;
const SNAPSHOT_PROCESS = '../src/stores/search/snapshots/snapshot-process.flow.ts';

const stores = Number(values.stores ?? (values.quick ? QUICK_STORES : CONTINENT_STORES));
const menus = Number(values.menus ?? (values.quick ? QUICK_MENUS : menusOf(stores)));
const compared = Number(values.compare ?? (values.only !== '' ? 0 : values.quick ? QUICK_COMPARED : QUERIES_COMPARED));
const turns = values.quick ? { turns: 2, turnMs: 500 } : { turns: 3, turnMs: 3000 };
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-continent-'));
mkdirSync(folder, { recursive: true });

const report = createReport('continent');
process.stdout.write(`A continent of ${stores.toLocaleString('en-US')} stores, ${menus} with menus\n`);
const database = await givenDatabase({ folder: join(folder, 'database'), schema: 'bench_continent' });
await importContinent(database, { stores, menus, folder }, report);
await sql`vacuum analyze`.execute(database.db);
const keys = await keysOf(database, KEYS);
await measureService(database, keys, report);
await database.close();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores, menus, turns })) process.exitCode = 1;

async function measureService(at: BenchDatabase, accountKeys: readonly string[], to: Report): Promise<void> {
  const snapshots = join(folder, 'search');
  const settings = { ...SETTINGS, SEARCH_SNAPSHOT_DIR: snapshots };
  rmSync(snapshots, { recursive: true, force: true });
  const first = await measureStart('ready from PostgreSQL', READY_MS, () => startBenchService(at, settings), to);
  await first.close();
  const format = snapshotFormat((await migrationNames()).at(-1) ?? '');
  const writing = writeNodeSnapshot({ ...at, file: snapshotFile(snapshots, at.schema), format }, to);
  const { sample, scan } = readContinent(compared > 0);
  await writing;
  const start = () => startBenchService(at, settings);
  const service = await measureStart('ready from the snapshot', READY_FROM_SNAPSHOT_MS, start, to);
  const client = await startLoadClient();
  const measured: Measured = { ...service, client, keys: accountKeys, sample, stores };
  await measureWorkloads(measured, values.only, turns, to);
  await measureSingles(measured, values.only, to);
  const rssMb = (await service.rssBytesNow()) / MIB;
  to.add({ what: 'memory after the load', value: rssMb, unit: 'MB', limit: { max: MAX_RSS_MB }, details: 'resident' });
  if (compared > 0) await compare(measured, scan, to);
  await client.close();
  await service.close();
}

async function measureStart<Started extends { rssBytes: number; loadMs: number }>(
  what: string,
  maxMs: number,
  start: () => Promise<Started>,
  to: Report,
): Promise<Started> {
  const startMs = performance.now();
  const started = await start();
  const seconds = (performance.now() - startMs) / 1000;
  const details = `from the start of its process; the stores alone ${(started.loadMs / 1000).toFixed(1)} s`;
  to.add({ what, value: seconds, unit: 's', limit: { max: maxMs / 1000 }, details });
  const value = started.rssBytes / MIB;
  to.add({ what: `${what}, memory`, value, unit: 'MB', limit: { max: MAX_RSS_MB }, details: 'resident' });
  return started;
}

/** Writes the snapshot that the service would write a minute after its start, in the process that the service has for it. */
async function writeNodeSnapshot({ connectionString, schema, file, format }: SnapshotOrder, to: Report): Promise<void> {
  const startMs = performance.now();
  const first: SnapshotOrder = { connectionString, schema, file, format };
  const outcome = await startChild<SnapshotOutcome>(SNAPSHOT_PROCESS, [], { first });
  if ('fault' in outcome) throw new Error(outcome.fault);
  const seconds = (performance.now() - startMs) / 1000;
  const details = `${Math.round(statSync(file).size / MIB)} MB; the stores of the scan are made beside it`;
  to.add({ what: 'a snapshot is written', value: seconds, unit: 's', limit: null, details });
}

/** A sample of the stores, and with `withScan` all of them in a scan. */
function readContinent(withScan: boolean): { sample: ContinentStore[]; scan: Scan } {
  const sample: ContinentStore[] = [];
  const scan = createScan();
  const form = createStoreForm();
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  for (const store of continentStores(stores, menus)) {
    if (store.number % every === 0) sample.push(store);
    if (withScan) scan.add(form(store));
  }
  return { sample, scan };
}

type Body = { stores: { _id: string; miles: number }[] };

async function compare({ url, keys: [key = ''], sample }: Measured, scan: Scan, to: Report): Promise<void> {
  const found = await compareWithScan(scan, randomQueries(sample, compared), async (query) => {
    const reply = await fetch(url + pathOf({ ...query, projections: 'miles' }), { headers: { 'id-token': key } });
    if (reply.status !== 200) throw new Error(`${reply.status} for ${JSON.stringify(query)}`);
    const body = (await reply.json()) as Body;
    return body.stores.map(({ _id, miles }) => ({ storeId: _id, miles }));
  });
  to.add({
    what: 'random queries that differ from a scan',
    value: found.differences.length,
    unit: `of ${found.compared}`,
    limit: { max: 0 },
    details: found.differences.slice(0, 3).join(' | ') || `${found.stores} stores compared`,
  });
}
