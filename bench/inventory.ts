import { Readable } from 'node:stream';
import type { Db } from '../src/db/connect.ts';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { systemClock } from '../src/lib/clock.ts';
import { compareWithBare, print } from './compare.ts';
import { type BenchService, givenBench, importRealFeeds } from './setup.ts';

/**
 * How much of the machine an inventory with its quote leaves to HTTP itself: `/details/inventory` against a bare route
 * that answers the same bytes, by turns in the same run. `node bench/inventory.ts [seconds a turn]`
 */
const TURN_S = Number(process.argv[2] ?? 5);
const TARGET = 0.35;
const GENERATED_STORES = 40;
const GENERATED_PRODUCTS = 120;

const service = await givenBench(async (db) => {
  if (await importRealFeeds(db, ['bay-area', 'pizza', 'market'])) return;
  print('No real feeds beside the clone: generated stores.');
  await importGeneratedMenus(db);
});
const stores = await service.db
  .selectFrom('stores')
  .select(['storeId', 'profile'])
  .where('hasCatalogue', '=', true)
  .execute();
const restaurants = stores.filter(({ profile }) => profile.type === 'restaurant');
const groceries = stores.filter(({ profile }) => profile.type === 'grocery');

const quoted = restaurants.map((store) => pathOf(store, { include_quote: true }));
const enough = [await compareWithBare(service, { what: 'restaurant with quote', paths: quoted, turnS: TURN_S })];
if (groceries.length > 0) {
  const paths = groceries.map((store) => pathOf(store, { include_quote: true }));
  enough.push(await compareWithBare(service, { what: 'grocery, first level, with quote', paths, turnS: TURN_S }));
}
await compareWithBare(service, { what: 'product details', paths: await productPaths(service), turnS: TURN_S });
await service.close();
if (enough.some((ratio) => ratio < TARGET)) process.exitCode = 1;

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
