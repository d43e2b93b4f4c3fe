import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/platform/lib/clock.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { compareWithBare, turnsOf } from './compare.ts';
import { startLoadClient } from './continent/load.ts';
import { createReport } from './report.ts';
import { type BenchService, givenBench } from './setup.ts';

/**
 * Menus with quotes, the first level of a grocery and product details, by turns with a bare route that answers as many
 * bytes from a buffer. `npm run bench -- inventory [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const RESTAURANTS = 40;
const DISHES = 120;
const AISLES = 200;
const AISLE_PRODUCTS = 200;

const turns = turnsOf(values.quick);
const report = createReport('inventory');
const client = await startLoadClient();
const service = await givenBench(async (db) => {
  const lines = [...Array.from({ length: RESTAURANTS }, (_, n) => restaurant(n)), grocery()];
  const stdin = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`));
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'generated', stdin });
});
const stores = await service.db
  .selectFrom('stores')
  .select(['storeId', 'profile'])
  .where('hasCatalog', '=', true)
  .execute();
const restaurants = stores.filter(({ profile }) => profile.type === 'restaurant');
const groceries = stores.filter(({ profile }) => profile.type === 'grocery');

const quotesOf = (some: typeof stores) => some.map((store) => pathOf(store, { include_quote: true }));
for (const [what, paths] of [
  ['a restaurant with its quote', quotesOf(restaurants)],
  ['the first level of a grocery with its quote', quotesOf(groceries)],
  ['product details', await productPaths(service)],
] as const) {
  await compareWithBare({ ...service, client, keys: [service.key], paths }, what, turns, report);
}
await client.close();
await service.close();
report.finish(`menus of ${DISHES} dishes, a grocery of ${(AISLES * AISLE_PRODUCTS).toLocaleString('en-US')} products`);

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

function restaurant(n: number): object {
  const place = { latitude: 40.71 + n * 0.001, longitude: -74, scheduling: { enabled: true } };
  return storeWith(
    `kitchen-${n}`,
    'restaurant',
    [{ id: 'all', name: 'All', products: products('dish', DISHES) }],
    place,
  );
}

/** A grocery of which an inventory shows one level at a time. */
function grocery(): object {
  const aisles = Array.from({ length: AISLES }, (_, n) => {
    return { id: `aisle-${n}`, name: `Aisle ${n}`, products: products(`aisle-${n}`, AISLE_PRODUCTS) };
  });
  return storeWith('grocery', 'grocery', [{ id: 'all', name: 'All', categories: aisles }], {
    latitude: 40.7383,
    longitude: -73.9927,
  });
}

function products(of: string, count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${of}-${n}`,
    name: `Product number ${n} of ${of}`,
    description: 'As it says on the card, made to order.',
    price: 500 + n * 10,
  }));
}

function storeWith(id: string, type: string, categories: object[], more: object): object {
  return {
    external_id: id,
    name: `Store ${id}`,
    type,
    address: { street_addr: '1 Main St', city: 'New York', state: 'NY', zipcode: '10007', country: 'US' },
    hours: { operational: 'Mo-Su 00:00-24:00' },
    pickup: { enabled: true },
    delivery: { enabled: true },
    categories,
    ...more,
  };
}
