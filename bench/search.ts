import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { turnsOf } from './compare.ts';
import { compareWithScan, randomQueries } from './continent/compare-with-scan.ts';
import { CONTINENT_STORES, type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { createStoreForm } from './continent/forms.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import { compareLucene } from './continent/lucene.ts';
import { type MeasuredService, measureBeside, measureSingles, measureWorkloads } from './continent/measure-http.ts';
import { writeNodeSnapshot } from './continent/node-snapshot.ts';
import { comparePostgis } from './continent/postgis.ts';
import { createScan, type Scan } from './continent/scan.ts';
import { pathOf, SAMPLED_STORES } from './continent/workloads.ts';
import { createReport, print, type Report } from './report.ts';
import { givenDatabase, startBenchService, untilIdle } from './setup.ts';

/**
 * Store search over HTTP on one node, by turns with a bare route, and compared with a scan of all stores.
 *
 *   npm run bench -- search [--quick] [--stores N] [--only WORD] [--data FOLDER] [--compare QUERIES] [--postgis URL]
 *     [--before CLONE] [--lucene]
 *
 * The stores are a sample of a made-up continent, which has 1,497,521: `--stores 1500000` is all of it. `--quick` is 20,000
 * stores with short turns. `--only` measures the workloads whose name has the word. `--data` keeps the imported database
 * in a folder for the next run. `--postgis` measures three searches beside a database that may create PostGIS.
 * `--before` measures processor time per answer beside the version in another clone, and `--lucene` beside Lucene, instead
 * of the bare route. The service starts from its snapshot and has its ordinary settings: it logs every request
 * (`info`, to nowhere), counts rate limits (raised to ten million a minute), and serves a key of an account of its own on
 * each of 8 connections.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    stores: { type: 'string' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    compare: { type: 'string' },
    postgis: { type: 'string' },
    before: { type: 'string' },
    lucene: { type: 'boolean', default: false },
  },
});
const STORES = 200_000;
const QUICK_STORES = 20_000;
const MANY_STORES = 20_000;
const KEYS = 8;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000' };
const MAX_RSS_MB = 2048;
const QUERIES_COMPARED = 2000;
const QUICK_COMPARED = 300;
const MIB = 2 ** 20;

const stores = Math.min(Number(values.stores ?? (values.quick ? QUICK_STORES : STORES)), CONTINENT_STORES);
const compared = Number(values.compare ?? (values.only !== '' ? 0 : values.quick ? QUICK_COMPARED : QUERIES_COMPARED));
const turns = turnsOf(values.quick);
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-search-'));
mkdirSync(folder, { recursive: true });

const report = createReport('search');
print(`${stores.toLocaleString('en-US')} stores`);
const database = await givenDatabase({ folder: join(folder, 'database'), schema: 'bench_search' });
await importContinent(database, { stores, menus: 0, folder }, report);
await sql`vacuum analyze`.execute(database.db);
const keys = await keysOf(database, KEYS);
const { sample, scan } = readContinent(compared > 0);
// A node with few stores writes no snapshot.
const settings = stores >= MANY_STORES ? (await writeNodeSnapshot(database, folder)).settings : {};
const service = await startBenchService(database, { ...SETTINGS, ...settings });
if (!values.quick) await untilIdle(service);
const client = await startLoadClient();
const measured: MeasuredService = { ...service, client, keys, sample, stores };
if (values.before === undefined && !values.lucene) {
  await measureWorkloads(measured, values.only, turns, report);
  await measureSingles(measured, values.only, report);
}
if (values.before !== undefined) {
  const before = await startBenchService(database, { ...SETTINGS, ...settings }, { clone: values.before });
  await untilIdle(before);
  await measureBeside(measured, { ...before, name: 'the version before' }, values.only, turns, report);
  await before.close();
}
if (values.lucene) await compareLucene(measured, values.only, turns, report);
if (values.postgis !== undefined) {
  await comparePostgis(measured, { url: values.postgis, only: values.only }, turns, report);
}
const rssMb = (await service.rssBytesNow()) / MIB;
report.add({
  what: 'memory after the load',
  value: rssMb,
  unit: 'MB',
  limit: { max: MAX_RSS_MB },
  details: 'resident',
});
if (compared > 0) await compare(measured, scan, report);
await client.close();
await service.close();
await database.close();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores, turns })) process.exitCode = 1;

/** A sample of the stores; `withScan` also loads all of them into a scan. */
function readContinent(withScan: boolean): { sample: ContinentStore[]; scan: Scan } {
  const places: ContinentStore[] = [];
  const all = createScan();
  const form = createStoreForm();
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  for (const store of continentStores(stores, 0)) {
    if (store.number % every === 0) places.push(store);
    if (withScan) all.add(form(store));
  }
  return { sample: places, scan: all };
}

type Body = { stores: { _id: string; miles: number }[] };

async function compare(
  { url, keys: [key = ''], sample: places }: MeasuredService,
  all: Scan,
  to: Report,
): Promise<void> {
  const found = await compareWithScan(all, randomQueries(places, compared), async (query) => {
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
