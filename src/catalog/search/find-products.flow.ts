import type { Db } from '../../db/connect.ts';
import { Refusal } from '../../http/refusal.ts';
import type { ConcurrencyLimit } from '../../lib/limit-concurrency.ts';
import { createSlice, type Slice } from '../../lib/slice.ts';
import type { Mode } from '../../stores/mode.ts';
import type { NearStore } from '../../stores/search/store-query.ts';
import type { StoreSearch } from '../../stores/search/store-search.index.ts';
import { findStore } from '../../stores/stores.db.ts';
import { type FoundProduct, findProductsByNumber } from './found-products.db.ts';
import { createShelfMarks, type ShelfMarks } from './mark-matches.ts';
import { eachMatch } from './match-products.ts';
import { namedSeller, nearbySellers, type SellerQuery } from './nearby-sellers.ts';
import { type PreparedQuery, prepareQuery, prepareReadings } from './prepare-query.ts';
import type { Shelf } from './product.index.ts';
import type { Shelves } from './product-indexes.cache.ts';
import { type AskedMode, IN_DELIVERY, IN_PICKUP, modeOf } from './product-layout.ts';
import { pageAfter, rankOfPage } from './product-page.ts';
import { createProductPool, type ProductPool, type RankedProduct } from './rank-products.ts';
import { wordsOnShelves } from './terms-in-indexes.ts';

/** `inTurn` lets few searches be computed at a time; whoever waits holds no connection. */
export type SearchNeeds = { db: Db; search: StoreSearch; shelves: Shelves; inTurn: ConcurrencyLimit };

/** Which stores a search looks at. */
export type SellersWanted = SellerQuery & {
  /** Only this store, however far it is. */
  storeId: string | null;
};

/** What a client asks of product search: words, codes, or both. */
export type ProductQuery = SellersWanted & {
  text: string;
  /** GTIN-14 as numbers; null where codes do not matter. */
  gtins: ReadonlySet<number> | null;
  page: number;
};

/** A product of the answer, where it is sold, and the mode that its price is for. */
export type ProductHit = { product: FoundProduct; seller: NearStore; mode: Mode };
export type ProductPage = { hits: ProductHit[]; nextPage: number };

/** Products of all shelves that one request looks at; the nearest stores come first. */
export const MOST_PRODUCTS_LOOKED_AT = 2_000_000;
export const PRODUCT_PAGE_SIZE = 50;
/** Shelves that are asked for together: a few at first, then as many as there may be room for. */
const FIRST_TOGETHER = 10;
const MOST_TOGETHER = 100;
/** Ranks that are read at a time, and at most for one page: where all of them have just been sold out, it is short. */
const RANKS_READ = 2 * PRODUCT_PAGE_SIZE;
const MOST_RANKS_READ = 1000;
/**
 * Steps of matching a text with shelves: some 60 ms, fifty times what a usual search takes near 500 stores. Then its other
 * readings have half as many, all together.
 */
const MOST_STEPS = 500_000;
const MOST_READING_STEPS = 250_000;

/**
 * A page of the products that answer the query, from shelves in memory; only those of the page are read from the
 * database, and those that it no longer has on sale or in stock are left out. Refuses an unknown `storeId` with
 * store_not_found.
 */
export async function findProducts(needs: SearchNeeds, query: ProductQuery, nowEpochS: number): Promise<ProductPage> {
  const sellers = await sellersOf(needs, query, nowEpochS);
  const shelves = await shelvesOf(needs.shelves, sellers);
  const mode = askedModeOf(query.pickup);
  return needs.inTurn(async () => {
    const slice = createSlice();
    const pool = await matchAll(needs.shelves, { shelves, query, mode, slice });
    return readPage(needs.db, pool, { sellers, query, mode, slice });
  });
}

/** The shelves of the sellers, nearest first, up to `mostProducts` products in all. */
export async function shelvesOf(
  shelves: Pick<Shelves, 'of'>,
  sellers: readonly Pick<NearStore, 'storeId'>[],
  mostProducts = MOST_PRODUCTS_LOOKED_AT,
): Promise<Shelf[]> {
  const taken: Shelf[] = [];
  let products = 0;
  let together = FIRST_TOGETHER;
  for (let at = 0; at < sellers.length; at += together) {
    // Large shelves that would not count must not push others out of memory.
    if (at > 0) together = countWithin(mostProducts - products, products / taken.length);
    const storeIds = sellers.slice(at, at + together).map(({ storeId }) => storeId);
    const some = await shelves.of(storeIds);
    for (const storeId of storeIds) {
      const shelf = some.get(storeId) as Shelf;
      products += shelf.productNos.length;
      if (products > mostProducts && taken.length > 0) return taken;
      taken.push(shelf);
    }
  }
  return taken;
}

/** How many shelves of that mean size are within so many products, at least one. */
function countWithin(products: number, meanSize: number): number {
  return Math.max(1, Math.min(MOST_TOGETHER, Math.floor(products / Math.max(1, meanSize))));
}

export function askedModeOf(pickup: boolean | null): AskedMode {
  return pickup === null ? null : pickup ? 'pickup' : 'delivery';
}

/** The stores to be looked at, nearest first. Refuses an unknown `storeId` with store_not_found. */
export async function sellersOf(
  { db, search }: Pick<SearchNeeds, 'db' | 'search'>,
  query: SellersWanted,
  nowEpochS: number,
): Promise<NearStore[]> {
  if (query.storeId === null) return nearbySellers(search, query, nowEpochS);
  const sellers = namedSeller(search, query.storeId, query, nowEpochS);
  if (sellers.length === 0 && !(await findStore(db, query.storeId))) {
    throw new Refusal('store_not_found', 'There is no store with this store_id.');
  }
  return sellers;
}

type Asked = { query: ProductQuery; mode: AskedMode; slice: Slice };

/**
 * Where nothing answers the text as it stands, it is read in other ways, until something does. Where that is too much
 * work, shelves are left out, the farthest first.
 */
async function matchAll(
  { lexicon }: Shelves,
  { shelves, query: { text, gtins }, mode, slice }: Asked & { shelves: readonly Shelf[] },
): Promise<ProductPool> {
  const asked = { shelves, mode, marks: createShelfMarks(), stepsLeft: MOST_STEPS };
  const pool = await matchShelves(asked, prepareQuery(text, lexicon, gtins), slice);
  if (pool.size > 0) return pool;
  asked.stepsLeft = MOST_READING_STEPS;
  for (const reading of prepareReadings(text, wordsOnShelves(lexicon, shelves), gtins)) {
    const found = await matchShelves(asked, reading, slice);
    if (found.size > 0) return found;
  }
  return pool;
}

async function matchShelves(
  asked: { shelves: readonly Shelf[]; mode: AskedMode; marks: ShelfMarks; stepsLeft: number },
  prepared: PreparedQuery,
  slice: Slice,
): Promise<ProductPool> {
  const pool = createProductPool();
  const { mode, marks } = asked;
  for (const [seller, shelf] of asked.shelves.entries()) {
    if (asked.stepsLeft <= 0) break;
    asked.stepsLeft -= eachMatch(marks, shelf, prepared, mode, (match) => pool.add(seller, match));
    if (slice.isOver()) await slice.next();
  }
  return pool;
}

async function readPage(
  db: Db,
  pool: ProductPool,
  { sellers, query, mode, slice }: Asked & { sellers: readonly NearStore[] },
): Promise<ProductPage> {
  const start = rankOfPage(query.page, PRODUCT_PAGE_SIZE);
  const hits: ProductHit[] = [];
  let passed = 0;
  while (hits.length < PRODUCT_PAGE_SIZE && passed < MOST_RANKS_READ) {
    const ranked = await slice.run(pool.rank(sellers, query.sort, start + passed, RANKS_READ));
    if (ranked.length === 0) break;
    // Nearly always all are still there, and what was ranked beyond them need not be read.
    for (let at = 0; at < ranked.length && hits.length < PRODUCT_PAGE_SIZE; ) {
      const some = ranked.slice(at, at + PRODUCT_PAGE_SIZE - hits.length);
      hits.push(...(await readHits(db, some, sellers, mode)));
      at += some.length;
      passed += some.length;
    }
  }
  return { hits, nextPage: pageAfter(query.page, PRODUCT_PAGE_SIZE, passed) };
}

/** Those of the ranked that are still sold, in their order. */
async function readHits(
  db: Db,
  ranked: readonly RankedProduct[],
  sellers: readonly NearStore[],
  asked: AskedMode,
): Promise<ProductHit[]> {
  const refs = ranked.map(({ seller, productNo }) => ({ storeId: (sellers[seller] as NearStore).storeId, productNo }));
  const found = await findProductsByNumber(db, refs);
  const byRef = new Map(found.map((product) => [`${product.storeId}${product.productNo}`, product]));
  return ranked.flatMap(({ seller: number, productNo }) => {
    const seller = sellers[number] as NearStore;
    const product = byRef.get(`${seller.storeId}${productNo}`);
    const mode = product && modeOf(factsOf(product), asked);
    return product && mode ? [{ product, seller, mode }] : [];
  });
}

function factsOf({ modes }: FoundProduct): number {
  return (modes.delivery ? IN_DELIVERY : 0) | (modes.pickup ? IN_PICKUP : 0);
}
