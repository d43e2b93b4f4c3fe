import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { turnsOf } from './compare.ts';
import { compareProducts } from './continent/compare-products.ts';
import { type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { startLoadClient } from './continent/load.ts';
import {
  compareWithPostgres,
  type MeasuredMenus,
  measureCold,
  measureProducts,
  measurePromotedCarts,
} from './continent/measure-products.ts';
import { productPath } from './continent/product-workloads.ts';
import { createReport } from './report.ts';
import { afternoon, givenDatabase, startBenchService } from './setup.ts';

/**
 * Product search and cart search on the menus of a continent, by turns with PostgreSQL's text search, and compared with
 * a scan of the menus: 20,000 menus with three million products on one node.
 *
 *   npm run bench -- products-and-carts [--quick] [--menus N]
 *
 * `--quick` returns 400 menus. Every other store has a menu. The service has its ordinary settings: every request is
 * logged (`info`, to nowhere), rate limits are counted (raised to ten million a minute), and each connection has a key
 * of an account of its own. The service's clock begins in the afternoon of the East, when most stores are open.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, menus: { type: 'string' } } });
const MENUS = 20_000;
const QUICK_MENUS = 400;
/** One key for each of 8 connections, plus one for single-connection runs. */
const KEYS = 9;
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;
const COMPARED = values.quick ? 60 : 300;
/** Menus between sampled stores; a search reads the nearest 500. */
const MENUS_APART = 50;

const menus = Number(values.menus ?? (values.quick ? QUICK_MENUS : MENUS));
const stores = 2 * menus;
const folder = mkdtempSync(join(tmpdir(), 'doorstep-menus-'));
const report = createReport('products-and-carts');
const database = await givenDatabase();
await importContinent(database, { stores, menus, folder });
await sql`vacuum analyze`.execute(database.db);
const sellers: ContinentStore[] = continentStores(stores, menus)
  .filter(({ products }) => products > 0)
  .toArray();
const client = await startLoadClient();
const settings = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000', DATA_DIR: folder };
const service = await startBenchService(database, settings, afternoon());
const measured: MeasuredMenus = { ...service, keys: await keysOf(database, KEYS), client, sellers };
await readAllMenus();
await measureProducts(measured, report);
await measurePromotedCarts(measured, database, turnsOf(values.quick), report);
await compareWithPostgres(measured, database, turnsOf(values.quick), report);
const rssMb = (await service.rssBytesNow()) / MIB;
report.add({ what: 'memory after the load', value: rssMb, unit: 'MB', limit: { max: MAX_RSS_MB } });
await compareProducts(measured, COMPARED, report);
await service.close();
const restarted = await startBenchService(database, settings, afternoon());
await measureCold({ ...measured, ...restarted }, report);
await restarted.close();
await client.close();
await database.close();
rmSync(folder, { recursive: true, force: true });
const products = sellers.reduce((sum, store) => sum + store.products, 0);
report.finish(`${products.toLocaleString('en-US')} products on ${menus.toLocaleString('en-US')} menus`);

/** Searches near every 50th menu, so that measured searches find their menus in memory. */
async function readAllMenus(): Promise<void> {
  const paths = sellers
    .filter((_, nth) => nth % MENUS_APART === 0)
    .map(({ latitude, longitude }) =>
      productPath({ user_latitude: String(latitude), user_longitude: String(longitude), query: 'naan' }),
    );
  await client.run({ url: measured.url, keys: measured.keys.slice(-1), paths, rounds: paths.length });
}
