import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { compareWith, turnsOf } from './compare.ts';
import { compareWithScan, randomQueries } from './continent/compare-with-scan.ts';
import { CONTINENT_STORES, type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { createStoreForm } from './continent/forms.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import { compareAnswers, startLucene } from './continent/lucene.ts';
import { type MeasuredService, measureSingles } from './continent/measure-singles.ts';
import { writeNodeSnapshot } from './continent/node-snapshot.ts';
import { startPostgis } from './continent/postgis.ts';
import { createScan, type Scan } from './continent/scan.ts';
import { pathOf, queriesOf, SAMPLED_STORES, WORKLOADS } from './continent/workloads.ts';
import { createReport, type Report } from './report.ts';
import { givenDatabase, startBenchService, untilIdle } from './setup.ts';

/**
 * Store search over HTTP on one node, by turns with Lucene and PostGIS, and compared with a scan of all stores.
 *
 *   POSTGIS_URL=… npm run bench -- search [--quick] [--stores N]
 *
 * The stores are a sample of a made-up continent, which has 1,497,521: `--stores 1500000` is all of it. POSTGIS_URL is a
 * database that may create PostGIS. The service starts from its snapshot and has its ordinary settings: it logs every
 * request (`info`, to nowhere), counts rate limits (raised to ten million a minute), and serves a key of an account of
 * its own on each of 8 connections.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, stores: { type: 'string' } } });
const STORES = 300_000;
const QUICK_STORES = 20_000;
const KEYS = 8;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000' };
const MAX_RSS_MB = 2048;
const COMPARED = values.quick ? 300 : 2000;
const MIB = 2 ** 20;

const stores = Math.min(Number(values.stores ?? (values.quick ? QUICK_STORES : STORES)), CONTINENT_STORES);
const folder = mkdtempSync(join(tmpdir(), 'doorstep-search-'));
const report = createReport('search');
const database = await givenDatabase();
await importContinent(database, { stores, menus: 0, folder });
await sql`vacuum analyze`.execute(database.db);
const keys = await keysOf(database, KEYS);
const settings = await writeNodeSnapshot(database, folder);
const service = await startBenchService(database, { ...SETTINGS, ...settings });
if (!values.quick) await untilIdle(service);
const client = await startLoadClient();
const { sample, scan } = readContinent();
const measured: MeasuredService = { ...service, client, keys, sample, stores };
let isWhole = true;
for (const start of [startLucene, startPostgis]) {
  const rival = await start(stores);
  if (rival === undefined) {
    isWhole = false;
    continue;
  }
  for (const workload of WORKLOADS.filter(({ rivals }) => rivals.some((name) => name === rival.name))) {
    if (workload.isExact) await compareAnswers(measured, rival, workload, report);
    const paths = queriesOf(workload, sample).map(pathOf);
    await compareWith({ ...measured, paths }, rival, workload.name, turnsOf(values.quick), report);
  }
  await rival.close();
}
await measureSingles(measured, report);
const rssMb = (await service.rssBytesNow()) / MIB;
report.add({ what: 'memory after the load', value: rssMb, unit: 'MB', limit: { max: MAX_RSS_MB } });
await compare(measured, scan, report);
await client.close();
await service.close();
await database.close();
rmSync(folder, { recursive: true, force: true });
report.finish(isWhole ? `${stores.toLocaleString('en-US')} stores` : undefined);

/** A scan of all stores, and a sample of them. */
function readContinent(): { sample: ContinentStore[]; scan: Scan } {
  const places: ContinentStore[] = [];
  const all = createScan();
  const form = createStoreForm();
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  for (const store of continentStores(stores, 0)) {
    if (store.number % every === 0) places.push(store);
    all.add(form(store));
  }
  return { sample: places, scan: all };
}

type Body = { stores: { _id: string; miles: number }[] };

async function compare(
  { url, keys: [key = ''], sample: places }: MeasuredService,
  all: Scan,
  to: Report,
): Promise<void> {
  const found = await compareWithScan(all, randomQueries(places, COMPARED), async (query) => {
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
