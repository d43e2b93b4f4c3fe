import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { compareProducts } from './continent/compare-products.ts';
import { type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import { measureChanges } from './continent/measure-changes.ts';
import {
  type MeasuredMenus,
  measureCarts,
  measureCold,
  measureFirstQueries,
  measureProducts,
} from './continent/measure-products.ts';
import { productPath } from './continent/product-workloads.ts';
import { measureRelevance } from './relevance/measure-relevance.ts';
import { createReport, print, type Report } from './report.ts';
import { type BenchDatabase, givenDatabase, startBenchService } from './setup.ts';

/**
 * Product search and cart search on the menus of a continent: 20,000 menus with three million products on one node. And the
 * relevance of store search, product search and carts: labeled queries over real names, where the feeds are beside the
 * clone, and over the demo's.
 *
 *   npm run bench -- products-and-carts [--quick] [--menus N] [--only PART,…] [--data FOLDER] [--compare QUERIES] [--misses]
 *
 * `--quick` is 400 menus. Every other store has a menu. `--data` keeps the imported database in a folder for the next
 * run. `--only` measures some of the parts first, products, carts, changes, cold, relevance. `--misses` lists the
 * queries that missed a right answer. The service has its ordinary settings: every request is logged (`info`, to
 * nowhere), rate limits are counted (raised to ten million a minute), and each connection has a key of an account of
 * its own. The service's clock begins in the afternoon of the East, when most stores are open.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    menus: { type: 'string' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    compare: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const MENUS = 20_000;
const QUICK_MENUS = 400;
/** One key for each of 8 connections, plus one for single-connection runs. */
const KEYS = 9;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000' };
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;
const QUERIES_COMPARED = 300;
const QUICK_COMPARED = 60;
const CHANGES_S = 120;
const QUICK_CHANGES_S = 20;
/** Menus between sampled stores; a search reads the nearest 500. */
const MENUS_APART = 50;

const menus = Number(values.menus ?? (values.quick ? QUICK_MENUS : MENUS));
const stores = 2 * menus;
const compared = Number(values.compare ?? (values.only !== '' ? 0 : values.quick ? QUICK_COMPARED : QUERIES_COMPARED));
const isWanted = (part: string) => values.only.split(',').some((wanted) => part.includes(wanted));
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-menus-'));
mkdirSync(folder, { recursive: true });

const report = createReport('products-and-carts');
if (isWanted('relevance')) await measureRelevance({ showsMisses: values.misses, moment: afternoon() }, report);
if (['first', 'cold', 'products', 'carts', 'changes'].some(isWanted)) await measureMenus();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores, menus })) process.exitCode = 1;

async function measureMenus(): Promise<void> {
  print(`${menus.toLocaleString('en-US')} menus of ${stores.toLocaleString('en-US')} stores`);
  const database = await givenDatabase({ folder: join(folder, 'database'), schema: 'bench_menus' });
  await importContinent(database, { stores, menus, folder }, report);
  await sql`vacuum analyze`.execute(database.db);
  await measureService(database, await keysOf(database, KEYS), report);
  await database.close();
}

async function measureService(at: BenchDatabase, keys: readonly string[], to: Report): Promise<void> {
  const sellers: ContinentStore[] = [];
  for (const store of continentStores(stores, menus)) if (store.products > 0) sellers.push(store);
  const client = await startLoadClient();
  const settings = { ...SETTINGS, DATA_DIR: folder };
  const service = await startBenchService(at, settings, { moment: afternoon() });
  const measured: MeasuredMenus = { ...service, keys, client, sellers };
  await addMemory(service, 'memory after the start', to);
  if (isWanted('first')) await measureFirstQueries(measured, 'first query of a region, nothing in memory', to);
  await readAllMenus(measured, to);
  await addMemory(service, 'memory with the menus', to);
  if (isWanted('first')) await measureFirstQueries(measured, 'the same, menus in memory', to);
  if (isWanted('products')) await measureProducts(measured, to);
  if (isWanted('carts')) await measureCarts(measured, to);
  if (isWanted('changes')) await measureChanges(at.db, measured, values.quick ? QUICK_CHANGES_S : CHANGES_S, to);
  await addMemory(service, 'memory after the load', to);
  if (compared > 0) await compareProducts(measured, compared, to);
  await service.close();
  if (isWanted('cold')) {
    const again = await startBenchService(at, settings, { moment: afternoon() });
    await measureCold({ ...measured, ...again }, to);
    await again.close();
  }
  await client.close();
}

/** The next afternoon in the East, which is morning in the West. */
function afternoon(): Temporal.Instant {
  const now = Temporal.Now.zonedDateTimeISO('America/New_York');
  return now.add({ days: 1 }).with({ hour: 14, minute: 0 }).toInstant();
}

type BenchedService = Awaited<ReturnType<typeof startBenchService>>;

async function addMemory(service: BenchedService, what: string, to: Report): Promise<void> {
  const { products, menus: inMemory } = await service.productsInMemory();
  const value = (await service.rssBytesNow()) / MIB;
  const details = `resident; ${products.toLocaleString('en-US')} products of ${inMemory} menus`;
  to.add({ what, value, unit: 'MB', limit: { max: MAX_RSS_MB }, details });
}

/** Warms up: searches near every 50th menu so that measured searches find their menus in memory. */
async function readAllMenus({ client, url, keys, sellers, cpuMs }: MeasuredMenus, to: Report): Promise<void> {
  const beforeMs = await cpuMs();
  const startMs = performance.now();
  const beside = sellers.filter((_, nth) => nth % MENUS_APART === 0);
  const paths = beside.map(({ latitude, longitude }) =>
    productPath({ user_latitude: String(latitude), user_longitude: String(longitude), query: 'naan' }),
  );
  await client.run({ url, keys: keys.slice(-1), paths, rounds: paths.length });
  const value = (performance.now() - startMs) / 1000;
  const details = `${paths.length} searches; ${(((await cpuMs()) - beforeMs) / 1000).toFixed(1)} s of the service's processor`;
  to.add({ what: 'all menus are read by searches', value, unit: 's', limit: null, details });
}
