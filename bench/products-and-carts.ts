import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { compareProducts } from './continent/compare-products.ts';
import { type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import {
  type MeasuredMenus,
  measureCarts,
  measureFirstQueries,
  measureProducts,
} from './continent/measure-products.ts';
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
 * run. `--only` measures some of the parts first, products, carts, relevance. `--misses` lists the queries that missed a
 * right answer. The service has its ordinary settings: every request is logged (`info`, to nowhere), rate limits are
 * counted (raised to ten million a minute), and each connection has a key of an account of its own. The service's clock
 * begins in the afternoon of the East, when most stores are open.
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
/** One for each of 8 connections, and one for a connection that asks alone. */
const KEYS = 9;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000' };
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;
const QUERIES_COMPARED = 300;
const QUICK_COMPARED = 60;
/** Menus are read once none has come for so long. */
const READ_PAUSE_MS = 5000;
const MAX_READ_MS = 300_000;
const POLL_MS = 500;

const menus = Number(values.menus ?? (values.quick ? QUICK_MENUS : MENUS));
const stores = 2 * menus;
const compared = Number(values.compare ?? (values.only !== '' ? 0 : values.quick ? QUICK_COMPARED : QUERIES_COMPARED));
const isWanted = (part: string) => values.only.split(',').some((wanted) => part.includes(wanted));
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-menus-'));
mkdirSync(folder, { recursive: true });

const report = createReport('products-and-carts');
if (isWanted('relevance')) await measureRelevance({ showsMisses: values.misses }, report);
if (['first', 'products', 'carts'].some(isWanted)) await measureMenus();
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
  /** Without reading ahead, so that each search reads the menus of its region. */
  const measureCold = async (what: string) => {
    const cold = await startService(at, { PRODUCTS_READ_AHEAD: '0' });
    await measureFirstQueries({ ...cold, keys, client, sellers }, what, to);
    await cold.close();
  };
  if (isWanted('first')) {
    await sql`truncate product_indexes`.execute(at.db);
    await measureCold('first query of a region, nothing in memory, nothing stored');
    await sql`truncate product_indexes`.execute(at.db);
    const first = await startService(at, {});
    await waitUntilRead(first, 'menus are read in the background from rows', to);
    await waitUntilStored(at, first, to);
    await first.close();
    await measureCold('first query of a region, nothing in memory, indexes stored');
  }
  const service = await startService(at, {});
  const measured: MeasuredMenus = { ...service, keys, client, sellers };
  await addMemory(service, 'memory after the start', to);
  await waitUntilRead(service, 'menus are read in the background', to);
  await addMemory(service, 'memory with the menus', to);
  if (isWanted('first')) await measureFirstQueries(measured, 'first query of a region', to);
  if (isWanted('products')) await measureProducts(measured, to);
  if (isWanted('carts')) await measureCarts(measured, to);
  await addMemory(service, 'memory after the load', to);
  if (compared > 0) await compareProducts(measured, compared, to);
  await client.close();
  await service.close();
}

function startService(at: BenchDatabase, env: Record<string, string>) {
  return startBenchService(at, { ...SETTINGS, ...env }, afternoon());
}

/** The next afternoon in the East, which is a morning in the West. */
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

/** Waits while the service reads menus by itself. */
async function waitUntilRead(service: BenchedService, what: string, to: Report): Promise<void> {
  const beforeMs = await service.cpuMs();
  const startMs = performance.now();
  let [known, sinceMs] = [-1, startMs];
  while (performance.now() - sinceMs < READ_PAUSE_MS && performance.now() - startMs < MAX_READ_MS) {
    const { menus: inMemory } = await service.productsInMemory();
    if (inMemory !== known) [known, sinceMs] = [inMemory, performance.now()];
    await delay(POLL_MS);
  }
  const value = (sinceMs - startMs) / 1000;
  const cpuS = ((await service.cpuMs()) - beforeMs) / 1000;
  const details = `${known} menus; ${cpuS.toFixed(1)} s of the service's processor`;
  to.add({ what, value, unit: 's', limit: null, details });
}

/** Waits while the service stores the indexes that it has built. */
async function waitUntilStored(at: BenchDatabase, service: BenchedService, to: Report): Promise<void> {
  const startMs = performance.now();
  const { menus: inMemory } = await service.productsInMemory();
  let [stored, bytes] = [0, 0];
  while (stored < inMemory && performance.now() - startMs < MAX_READ_MS) {
    await delay(POLL_MS);
    const { rows } = await sql<{ stored: number; bytes: number }>`
      select count(*)::int as stored, pg_total_relation_size('product_indexes')::float8 as bytes from product_indexes`.execute(
      at.db,
    );
    [stored, bytes] = [rows[0]?.stored ?? 0, rows[0]?.bytes ?? 0];
  }
  const details = `${stored} indexes, ${(bytes / MIB).toFixed(0)} MB in PostgreSQL`;
  to.add({
    what: 'indexes are stored after that',
    value: (performance.now() - startMs) / 1000,
    unit: 's',
    limit: null,
    details,
  });
}
