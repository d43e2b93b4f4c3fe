import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Db } from '../src/platform/db/connect.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { setProduct } from '../src/supply/catalog/set-product.flow.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { compareWithBare, turnsOf } from './compare.ts';
import { quantile, startLoadClient } from './continent/load.ts';
import { MARKET, MARKET_FILE, writeMarket } from './market-feed.ts';
import { createReport, print } from './report.ts';
import { type BenchService, givenBench, importRealFeeds } from './setup.ts';

/**
 * How much of the machine an inventory leaves to HTTP: menus with quotes, product details, and each level of a market
 * of 40,000 products, by turns with a bare route. Levels are also timed cold and after a change. `npm run bench --
 * inventory [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const MIN_RATIO = 0.35;
const FIRST_MS = 5;
const GENERATED_STORES = 40;
const GENERATED_PRODUCTS = 120;
/** Distinct categories requested per level. */
const ASKED = 200;
/** Maximum delay until a service sees a change made by another node. */
const CHANGE_MS = 1500;

const turns = turnsOf(values.quick);
const report = createReport('inventory');
const client = await startLoadClient();
const service = await givenBench(async (db) => {
  if (!(await importRealFeeds(db, ['bay-area', 'pizza']))) {
    print('No real feeds beside the clone: generated menus.');
    await importGeneratedMenus(db);
  }
  await importMarket(db);
});
const stores = await service.db
  .selectFrom('stores')
  .select(['storeId', 'profile'])
  .where('hasCatalog', '=', true)
  .execute();
const restaurants = stores.filter(({ profile }) => profile.type === 'restaurant');
const groceries = stores.filter(({ profile }) => profile.type === 'grocery');

const quotesOf = (some: typeof stores) => some.map((store) => pathOf(store, { include_quote: true }));
await compare('restaurant with quote', quotesOf(restaurants), MIN_RATIO);
await compare('grocery, first level, with quote', quotesOf(groceries), MIN_RATIO);
await compare('product details', await productPaths(service), null);
for (const market of groceries) await measureLevels(service, market.storeId);
await client.close();
await service.close();
if (!report.finish({ turns })) process.exitCode = 1;

function compare(what: string, paths: readonly string[], minRatio: number | null): Promise<void> {
  return compareWithBare({ ...service, client, keys: [service.key], paths }, { what, minRatio }, turns, report);
}

function pathOf({ storeId, profile }: (typeof stores)[number], more: Record<string, string | boolean> = {}): string {
  const query = {
    store_id: storeId,
    pickup: false,
    user_latitude: profile.latitude,
    user_longitude: profile.longitude,
    ...more,
  };
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/details/inventory?${new URLSearchParams(texts)}`;
}

/** The first product of each restaurant. */
async function productPaths({ url, key }: BenchService): Promise<string[]> {
  const paths: string[] = [];
  for (const store of restaurants) {
    const reply = await fetch(url + pathOf(store), { headers: { 'id-token': key } });
    const { categories } = (await reply.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
    const item = categories.flatMap((category) => category.menu_item_list)[0];
    if (item) paths.push(`/details/product?product_id=${item.product_id}`);
  }
  return paths;
}

type Category = { subcategory_id: string };

/** Walks the levels from the top down. The walk requests delivery, so pickup stays cold. */
async function measureLevels({ url, key, db }: BenchService, storeId: string): Promise<void> {
  let paths = [levelPath(storeId)];
  for (const [nth, level] of ['departments', 'aisles', 'shelves', 'products'].entries()) {
    const pickup = paths.map((path) => path.replace('pickup=false', 'pickup=true'));
    const timeAll = async (what: string) => {
      const { latenciesMs } = await client.run({ url, keys: [key], paths: pickup, rounds: pickup.length });
      // Only a median of several samples is checked against a limit.
      const limit = pickup.length > 1 ? { max: FIRST_MS } : null;
      const details = `p99 ${quantile(latenciesMs, 0.99).toFixed(2)} ms, ${pickup.length} levels`;
      report.add({ what: `${level}, ${what}, p50`, value: quantile(latenciesMs, 0.5), unit: 'ms', limit, details });
    };
    await timeAll('first request');
    const place = { storeId, externalId: `product-${nth}` };
    await db.transaction().execute((tx) => setProduct(tx, place, { qtyAvailable: 5 }, systemClock.now()));
    await delay(CHANGE_MS);
    await timeAll('after a change');
    await compare(`${level}, again`, pickup, MIN_RATIO);
    const below = await Promise.all(
      paths.map(async (path) => {
        const reply = await fetch(url + path, { headers: { 'id-token': key } });
        const { categories } = (await reply.json()) as { categories: Category[] };
        return categories.map((one) => levelPath(storeId, one.subcategory_id));
      }),
    );
    const next = below.flat();
    const step = Math.max(1, Math.floor(next.length / ASKED));
    paths = next.filter((_, n) => n % step === 0).slice(0, ASKED);
  }
}

function levelPath(storeId: string, subcategory?: string): string {
  const query = { store_id: storeId, pickup: 'false', ...(subcategory && { subcategory_id: subcategory }) };
  return `/details/inventory?${new URLSearchParams(query)}`;
}

async function importMarket(db: Db): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-bench-'));
  await writeMarket(folder, MARKET);
  await importFiles({ db, clock: systemClock }, { files: [join(folder, MARKET_FILE)], stdin: Readable.from([]) });
  rmSync(folder, { recursive: true });
}

async function importGeneratedMenus(db: Db): Promise<void> {
  const lines = Array.from({ length: GENERATED_STORES }, (_, n) => {
    const products = Array.from({ length: GENERATED_PRODUCTS }, (_, at) => ({
      id: `p${at}`,
      name: `Dish number ${at}`,
      description: 'As it says on the card, made to order.',
      price: 500 + at * 10,
    }));
    const store = {
      external_id: `store-${n}`,
      name: `Kitchen ${n}`,
      type: 'restaurant',
      address: { street_addr: `${n + 1} Main St`, city: 'New York', state: 'NY', zipcode: '10007', country: 'US' },
      latitude: 40.71 + n * 0.001,
      longitude: -74.0,
      hours: { operational: 'Mo-Su 00:00-24:00' },
      pickup: { enabled: true },
      delivery: { enabled: true },
      scheduling: { enabled: true },
      categories: [{ id: 'all', name: 'All', products }],
    };
    return `${JSON.stringify(store)}\n`;
  });
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'generated', stdin: Readable.from(lines) });
}
