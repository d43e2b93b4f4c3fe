import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { findProducts } from '../src/catalog/search/find-products.flow.ts';
import { presentFound, presentStores } from '../src/catalog/search/present-found.ts';
import { bytesOf } from '../src/catalog/search/product.index.ts';
import { createProductIndexes } from '../src/catalog/search/product-indexes.cache.ts';
import { productQueryOf } from '../src/catalog/search/product-search-request.ts';
import type { Db } from '../src/db/connect.ts';
import { createFairTurns } from '../src/lib/fair-turns.ts';
import { wordsOf } from '../src/lib/text/normalise-text.ts';
import { createTokenSealer } from '../src/lib/tokens.ts';
import { createKnownStores } from '../src/stores/known-stores.cache.ts';
import { wordPatterns } from '../src/stores/search/item-words.ts';
import { createStoreSearch } from '../src/stores/search/store-search.index.ts';
import { FEED_START, findStores, findStoresChangedSince } from '../src/stores/stores.db.ts';
import { print } from './compare.ts';
import { type BenchService, givenBench, importRealFeeds } from './setup.ts';
import { CITY, importShops, SHOP_PRODUCTS, SHOPS } from './shops.ts';

/**
 * Product search near 500 stores with 200,000 products: over HTTP, in process, and beside both the same question as
 * bare SQL through the same driver, by turns. `node bench/products.ts [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 10);
const LIMIT_MS = 20;
const POSITIONS = 5;
const NOW_EPOCH_S = 1_790_000_000;

type Position = { latitude: number; longitude: number; miles: number };

const QUERIES = [
  'milk',
  'whole milk',
  'organic eggs',
  'bread',
  'banana',
  'chicken breast',
  'ground beef',
  'orange juice',
  'peanut butter',
  'olive oil',
  'ice cream',
  'paper towels',
  'cheddar',
  'green tea',
  'black beans',
  'sparkling water',
];
const MISSPELT = ['chedar', 'bananna', 'organic egs', 'yoghurt', 'mozarella', 'spagetti', 'avacado', 'tortila'];
const SORTS = ['relevance', 'cheapest', 'distance'] as const;
/** The sorts as far as SQL can express them: by relevance, a short name comes first. */
const ORDER_BY = {
  relevance: sql`length(p.search_words), s.nearest, p.price`,
  cheapest: sql`p.price, s.nearest`,
  distance: sql`s.nearest, p.price`,
};
/** The stores of the real feeds: restaurants with menus, and far from them a market. */
const REAL = [
  { near: { latitude: 37.87, longitude: -122.27, miles: 100 }, queries: ['chicken tikka masala', 'pizza', 'pad thai'] },
  { near: { latitude: 38.9, longitude: -77.4, miles: 100 }, queries: ['chocolate milk', 'white bread', 'eggs'] },
];

let hasReal = false;
const service = await givenBench(async (db) => {
  await importShops(db);
  hasReal = await importRealFeeds(db, ['market', 'bay-area', 'pizza']);
});
const city = { ...CITY, miles: 50 };
print(`${SHOPS} stores with ${SHOP_PRODUCTS} products each`);

const cold = await timeOf(() => ask(service, 'milk', city));
print(`cold first request, all product indexes read: ${cold.toFixed(0)} ms`);

const http: number[] = [];
const typos: number[] = [];
const bare: number[] = [];
const storeIds = await storesNear(service.db, city);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [at, query] of QUERIES.entries()) {
    const position = { ...city, latitude: city.latitude + ((round + at) % POSITIONS) * 0.004 };
    const sort = SORTS[(round + at) % SORTS.length] as (typeof SORTS)[number];
    http.push(await timeOf(() => ask(service, query, position, sort)));
    bare.push(await timeOf(() => bareSql(service.db, query, storeIds, sort)));
    typos.push(await timeOf(() => ask(service, MISSPELT[at % MISSPELT.length] as string, position)));
  }
}
report('over HTTP', http);
report('over HTTP, misspelt', typos);
report('bare SQL', bare);
print(`ratio of p50s to bare SQL: ${(percentile(http, 50) / percentile(bare, 50)).toFixed(3)}`);
if (hasReal) {
  const real: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { near, queries } of REAL) {
      for (const query of queries) real.push(await timeOf(() => ask(service, query, near)));
    }
  }
  report('over HTTP, real menus and market', real);
}
await measureInProcess(service.db);
await service.close();
if (percentile(http, 50) > LIMIT_MS) process.exitCode = 1;

/** The work of the endpoint without HTTP: its own product indexes, read cold first. */
async function measureInProcess(db: Db): Promise<void> {
  const search = createStoreSearch();
  const knownStores = createKnownStores({ read: (storeIds) => findStores(db, storeIds) });
  for (let after = FEED_START; ; ) {
    const { changes } = await findStoresChangedSince(db, after, { stores: 400, bytes: 1_000_000 });
    const last = changes.at(-1);
    if (!last) break;
    for (const { read } of changes) {
      const store = read();
      search.apply(store);
      knownStores.apply(store);
    }
    after = last.point;
  }
  const turns = createFairTurns();
  const productIndexes = createProductIndexes({ db, turns });
  const owner = 'bench';
  const tokens = createTokenSealer({ current: 'bench', previous: [] });
  const answer = async (query: string, round: number) => {
    const near = { user_latitude: city.latitude + (round % POSITIONS) * 0.004, user_longitude: city.longitude };
    const request = productQueryOf({ query, ...near, maximum_miles: city.miles }, null);
    const { hits } = await findProducts(
      { db, search, productIndexes, knownStores, owner, slice: turns.sliceOf(owner) },
      request,
      NOW_EPOCH_S,
    );
    const sellers = hits.map(({ seller }) => seller);
    const stores = await presentStores({ search, knownStores }, sellers, NOW_EPOCH_S);
    return hits.map(({ product, mode }) => presentFound(tokens, product, stores.get(product.storeId) as never, mode));
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const coldMs = await timeOf(() => answer('milk', 0));
  delay.disable();
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const query of QUERIES) times.push(await timeOf(() => answer(query, round)));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  report('in process', times);
  print(`  ${((user + system) / 1000 / times.length).toFixed(2)} ms of processor each, PostgreSQL's apart`);
  const storeIdsKept = await storesNear(db, city);
  const kept = [...(await productIndexes.of(storeIdsKept, owner)).values()];
  const products = kept.reduce((sum, { productCount }) => sum + productCount, 0);
  const bytes = kept.reduce((sum, index) => sum + bytesOf(index), 0);
  print(
    `cold in process: ${coldMs.toFixed(0)} ms, the event loop held for ${(delay.max / 1e6).toFixed(0)} ms at most; ${(bytes / products).toFixed(0)} bytes a product in ${kept.length} product indexes, ${productIndexes.terms.size} terms`,
  );
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function ask({ url, key }: BenchService, query: string, near: Position, sort = 'relevance'): Promise<void> {
  const parameters = new URLSearchParams({
    query,
    sort,
    user_latitude: String(near.latitude),
    user_longitude: String(near.longitude),
    maximum_miles: String(near.miles),
  });
  const reply = await fetch(`${url}/search/product/v4?${parameters}`, { headers: { 'id-token': key } });
  const { products } = (await reply.json()) as { products?: unknown[] };
  if (!products || products.length === 0) throw new Error(`${reply.status}, and no product for ${query}`);
}

/** Nearest first, as the search reads them. */
async function storesNear(db: Db, { latitude, longitude }: Position): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id from stores where has_catalogue
    order by (latitude - ${latitude}) ^ 2 + ((longitude - ${longitude}) * cos(radians(${latitude}))) ^ 2
    limit ${SHOPS}`.execute(db);
  return rows.map((row) => row.storeId);
}

/** The same page, as far as SQL can give it: all words in the name, with the requested sort. */
async function bareSql(db: Db, query: string, ids: readonly string[], sort: keyof typeof ORDER_BY): Promise<void> {
  const patterns = wordsOf(query).flatMap((word) => wordPatterns([word.replace(/s$/, '')], true));
  await sql`
    select p.store_id, p.product_no, p.name, p.price, p.pickup_price, p.original_price, p.image, p.unit_size,
      p.unit_of_measurement, p.upc_code, c.name as category
    from unnest(${ids}::text[]) with ordinality as s (store_id, nearest)
    join products as p on p.store_id = s.store_id
    join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
    where not p.removed and p.available and p.qty_available is distinct from 0
      and p.search_words like all (${patterns}::text[])
    order by ${ORDER_BY[sort]}, p.product_no limit 50`.execute(db);
}

function report(what: string, times: readonly number[]): void {
  const [p10, p50, p95] = [10, 50, 95].map((percent) => percentile(times, percent).toFixed(1));
  print(`${what.padEnd(34)} p50 ${p50} ms, p95 ${p95} ms, fastest tenth ${p10} ms`);
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] as number;
}
