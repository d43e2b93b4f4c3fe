import type { Coordinate } from 'doorstep/search-engine/geography';
import { singularOf } from 'doorstep/search-engine/text';
import type { Db } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { isSliceOver, nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import { foodClaims, hasClaims } from '../../supply/catalog/food.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import { isVisibleTo, type Mode } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import type { storeFiltersOf } from '../stores/search-request.ts';
import { ANY_STORE, type NearStore, type StoreQuery } from '../stores/store-query.ts';
import type { StoreSearch } from '../stores/store-search.index.ts';
import { type FoundProduct, findProductsByNumber } from './found-products.db.ts';
import { MatchMarks } from './mark-matches.ts';
import {
  BY_CUISINE,
  GUESSED_END,
  NO_GUESS,
  type ProductMatch,
  QUALITIES,
  visitCategoryMatches,
  visitMatches,
} from './match-products.ts';
import { type PreparedQuery, queryWordsOf, readQuery } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { IN_DELIVERY, IN_PICKUP, type RequestedMode, requestedModeOf, soldMode } from './product-layout.ts';
import { nextPageNumber, rankOfPage } from './product-page.ts';
import { ProductPool, type ProductSort, type RankedProduct } from './rank-products.ts';

/** `owner` is the account and mode whose limits the search uses. */
export type FindProductsDeps = {
  db: Db;
  search: StoreSearch;
  productIndexes: ProductIndexes;
  knownStores: KnownStores;
  owner: string;
};

/** Selects and sorts the stores whose products a search covers. */
export type SellerFilter = Coordinate &
  Pick<StoreQuery, 'sandbox' | 'sort'> &
  ReturnType<typeof storeFiltersOf> & {
    /** Limits the search to this store, at any distance; null for all stores. */
    storeId: string | null;
  };

/** A product search by words, codes, food claims, or several of them. */
export type ProductQuery = Omit<SellerFilter, 'sort'> & {
  sort: ProductSort;
  text: string;
  /** GTIN-14 as numbers; null for any product. */
  gtins: ReadonlySet<number> | null;
  /** Required food claims, as bits of `foodClaims`. */
  claims: number;
  page: number;
  /** Whether products that are sold out are found too. */
  withSoldOut?: boolean;
};

/** A product in the response, its seller, and the mode of its price. */
export type ProductHit = { product: FoundProduct; seller: NearStore; mode: Mode };
/** `relaxed`: the words of the text that the products lack. */
export type ProductPage = { hits: ProductHit[]; nextPage: number; relaxed: readonly string[] };

export type IndexedSeller<Seller> = Seller & { productIndex: ProductIndex };

/** Maximum stores and products that a request searches, nearest stores first. */
const MAX_SELLERS = 500;
export const MAX_SEARCHED_PRODUCTS = 2_000_000;
export const PRODUCT_PAGE_SIZE = 50;
/** Product indexes per batch: the first batch is small, later ones grow up to the maximum. */
const FIRST_BATCH_SIZE = 10;
const MAX_BATCH_SIZE = 100;
/** Batches loaded concurrently. */
const MAX_BATCHES = 2;
/** Ranks read at once for a page, more than it needs. If all of them are sold out, the page is short. */
const RANKS_READ = PRODUCT_PAGE_SIZE + 10;
const MAX_RANKS_READ = 1000;
/**
 * Finds a page of matching products in the product indexes. Only these products are read from the database; those off
 * sale or sold out by then are dropped. Refuses an unknown `storeId` with `store_not_found`.
 */
export async function findProducts(
  deps: FindProductsDeps,
  query: ProductQuery,
  nowEpochS: number,
): Promise<ProductPage> {
  await nextSlice();
  const filter: SellerFilter = { ...query, sort: query.sort === 'unit_price' ? 'distance' : query.sort };
  const sellers = await findSellers(deps, filter, nowEpochS);
  const indexed = await withProductIndexes(deps, sellers);
  await nextSlice();
  const indexes = indexed.map(({ productIndex }) => productIndex);
  const byCuisine = () => findByCuisine(deps, { ...query, ...filter }, sellers, nowEpochS);
  const pool = await matchSellers(query, requestedModeOf(query.pickup), indexes, byCuisine);
  return readPage(deps, pool, query, sellers);
}

type IndexDeps = { productIndexes: Pick<ProductIndexes, 'of'>; owner: string };

/**
 * Returns the sellers with their product indexes, nearest first: up to `maxProducts` products, but at least one seller.
 * All share one set of terms: if the writer thread, and with it the terms, was started again meanwhile, it reads again.
 */
export async function withProductIndexes<Seller extends Pick<NearStore, 'storeId'>>(
  deps: IndexDeps,
  sellers: readonly Seller[],
  maxProducts = MAX_SEARCHED_PRODUCTS,
): Promise<IndexedSeller<Seller>[]> {
  const taken: IndexedSeller<Seller>[] = [];
  let products = 0;
  let begun = 0;
  const begin = (size: number) => {
    const batch = sellers.slice(begun, begun + size);
    begun += batch.length;
    const storeIds = batch.map(({ storeId }) => storeId);
    const indexes = deps.productIndexes.of(storeIds, deps.owner);
    // If the caller has ended, its failure must not become an unhandled rejection.
    indexes.catch(() => {});
    return { batch, indexes };
  };
  const running = [begin(FIRST_BATCH_SIZE)];
  for (let next = running.shift(); next; next = running.shift()) {
    const indexes = await next.indexes;
    for (const seller of next.batch) {
      const productIndex = indexes.get(seller.storeId);
      if (!productIndex) throw new Error(`The product index of store ${seller.storeId} wasn't read.`);
      products += productIndex.productCount;
      if (products > maxProducts && taken.length > 0) return taken;
      const [first = { productIndex }] = taken;
      if (productIndex.terms !== first.productIndex.terms) return withProductIndexes(deps, sellers, maxProducts);
      taken.push({ ...seller, productIndex });
    }
    const meanSize = Math.max(1, products / taken.length);
    while (begun < sellers.length && running.length < MAX_BATCHES) {
      // Up to as many indexes as `maxProducts` is likely to hold: loading more would evict others from the cache.
      const size = Math.min(MAX_BATCH_SIZE, Math.floor((maxProducts - products) / meanSize) - (begun - taken.length));
      if (size < 1 && running.length > 0) break;
      running.push(begin(Math.max(1, size)));
    }
  }
  return taken;
}

/**
 * Finds stores with a catalog that pass the filters, nearest first, ties by id; `key` is the query's sort key. Refuses
 * an unknown `storeId` with `store_not_found`.
 */
export async function findSellers(
  { db, search }: Pick<FindProductsDeps, 'db' | 'search'>,
  filter: SellerFilter,
  nowEpochS: number,
): Promise<NearStore[]> {
  const sellers = nearestSellers(search, filter, nowEpochS);
  if (filter.storeId === null || sellers.length > 0) return sellers;
  const store = await findStore(db, filter.storeId);
  if (store && isVisibleTo(store, filter.sandbox)) return [];
  throw new Refusal('store_not_found', 'There is no store with this store_id.');
}

function nearestSellers(
  search: StoreSearch,
  filter: SellerFilter & Partial<Pick<StoreQuery, 'cuisine'>>,
  nowEpochS: number,
): NearStore[] {
  const query: StoreQuery = { ...ANY_STORE, ...filter, sellersOnly: true };
  if (filter.storeId === null) return search.nearest(query, MAX_SELLERS, nowEpochS);
  const seller = search.nearestOf(filter.storeId, query, nowEpochS);
  return seller ? [seller] : [];
}

/** Returns the numbers of the restaurants with the text, or its singular, as a cuisine. Those of a grocery are categories. */
function findByCuisine(
  { search }: FindProductsDeps,
  query: SellerFilter & Pick<ProductQuery, 'text'>,
  sellers: readonly NearStore[],
  nowEpochS: number,
): Set<number> {
  if (query.storeType === 'grocery') return new Set();
  const cuisines = new Set([query.text, queryWordsOf(query.text).map(singularOf).join(' ')]);
  const near = [...cuisines].flatMap((cuisine) =>
    nearestSellers(search, { ...query, storeType: 'restaurant', cuisine }, nowEpochS),
  );
  const storeIds = new Set(near.map(({ storeId }) => storeId));
  return new Set(sellers.keys().filter((sellerNo) => storeIds.has(sellers[sellerNo]?.storeId ?? '')));
}

/** What to match: a text, codes, and food claims. */
type MatchedQuery = Pick<ProductQuery, 'text' | 'gtins' | 'claims'>;

/**
 * Maximum matching steps of a text: about 60 ms, fifty times a typical search near 500 stores. All its rewrites
 * together get half as many, and so do its parts.
 */
const MAX_STEPS = 500_000;
const MAX_REWRITE_STEPS = 250_000;
/** Maximum products of a store that match by its cuisine alone. */
const MAX_BY_CUISINE = 20;

const nobody = (): ReadonlySet<number> => new Set();

/**
 * Returns the matches of all product indexes, which share their terms, nearest first. If names give less than a page,
 * products match by category too, and other sellers' products by cuisine (`byCuisine` returns the sellers' numbers). If
 * the text as typed matches only with typos, or nothing, its other readings (`readQuery`) are tried one by one, parts
 * by name before category. Beyond the budget, the farthest indexes are left out.
 */
export async function matchSellers(
  { text, gtins, claims }: MatchedQuery,
  mode: RequestedMode,
  indexes: readonly ProductIndex[],
  byCuisine = nobody,
): Promise<ProductPool> {
  const terms = indexes[0]?.terms;
  if (!terms) return new ProductPool();
  const marks = new MatchMarks();
  let stepsLeft = MAX_STEPS;
  async function visitAll(visitOne: (sellerNo: number, index: ProductIndex) => number): Promise<void> {
    for (let sellerNo = 0; sellerNo < indexes.length && stepsLeft > 0; sellerNo += 1) {
      stepsLeft -= visitOne(sellerNo, indexes[sellerNo] as ProductIndex);
      if (isSliceOver()) await nextSlice();
    }
  }
  /** Without sellers by cuisine (null), products match by name only. */
  async function match(prepared: PreparedQuery, byCuisine: (() => ReadonlySet<number>) | null): Promise<ProductPool> {
    const pool = new ProductPool();
    const matching = new Set<number>();
    const add = (sellerNo: number) => (found: Readonly<ProductMatch>) => {
      pool.add(sellerNo, found);
      matching.add(sellerNo);
    };
    await visitAll((sellerNo, index) => visitMatches(marks, index, prepared, mode, add(sellerNo)));
    if (byCuisine === null || prepared.words.length === 0 || pool.named >= PRODUCT_PAGE_SIZE) return pool;
    await visitAll((sellerNo, index) => visitCategoryMatches(marks, index, prepared, mode, add(sellerNo)));
    const withCuisine = byCuisine();
    await visitAll((sellerNo, index) => {
      if (!withCuisine.has(sellerNo) || matching.has(sellerNo)) return 0;
      let left = MAX_BY_CUISINE;
      return visitMatches(marks, index, { ...prepared, words: [] }, mode, (found) => {
        if (left > 0) pool.add(sellerNo, { ...found, quality: BY_CUISINE * QUALITIES });
        left -= 1;
      });
    });
    return pool;
  }

  async function first(
    queries: Iterable<PreparedQuery>,
    byCuisine: typeof nobody | null,
  ): Promise<ProductPool | undefined> {
    for (const query of queries) {
      const found = await match(query, byCuisine);
      if (found.size > 0) return found;
    }
    return undefined;
  }

  const readings = readQuery(text, terms, indexes, gtins, claims);
  const joined = await first(readings.joined(), null);
  if (joined) return joined;
  const typed = await match(readings.typed, byCuisine);
  stepsLeft = MAX_REWRITE_STEPS;
  if (typed.size > 0) {
    const isSpelled = typed.minWordGuess === NO_GUESS || typed.minWordGuess === GUESSED_END;
    return isSpelled ? typed : ((await first(readings.spelled(), null)) ?? typed);
  }
  const rewritten = await first(readings.rewrites(), null);
  if (rewritten) return rewritten;
  stepsLeft = MAX_REWRITE_STEPS;
  for (const { query, relaxed } of readings.parts()) {
    const found = await match(query, nobody);
    if (found.size > 0) return Object.assign(found, { relaxed });
  }
  return typed;
}

async function readPage(
  deps: Pick<FindProductsDeps, 'db' | 'knownStores'>,
  pool: ProductPool,
  query: ProductQuery,
  sellers: readonly NearStore[],
): Promise<ProductPage> {
  const start = rankOfPage(query.page, PRODUCT_PAGE_SIZE);
  const hits: ProductHit[] = [];
  let passed = 0;
  while (hits.length < PRODUCT_PAGE_SIZE && passed < MAX_RANKS_READ) {
    const from = start + passed;
    const limit = Math.min(RANKS_READ, MAX_RANKS_READ - passed);
    const ranked = await runInSlices(pool.rank(sellers, query.sort, from, limit));
    // Reads one page of ranks at a time, because nearly always all of their products are still on sale.
    for (let at = 0; at < ranked.length && hits.length < PRODUCT_PAGE_SIZE; ) {
      const some = ranked.slice(at, at + PRODUCT_PAGE_SIZE - hits.length);
      hits.push(...(await readHits(deps, some, query)));
      at += some.length;
      passed += some.length;
    }
    if (ranked.length < limit) break;
  }
  return { hits, nextPage: nextPageNumber(query.page, PRODUCT_PAGE_SIZE, passed), relaxed: pool.relaxed };
}

/** Reads the ranked products that are still on sale and still have the claims, in order. */
async function readHits(
  { db, knownStores }: Pick<FindProductsDeps, 'db' | 'knownStores'>,
  ranked: readonly RankedProduct[],
  { claims, sandbox, pickup, withSoldOut }: Pick<ProductQuery, 'claims' | 'sandbox' | 'pickup' | 'withSoldOut'>,
): Promise<ProductHit[]> {
  const refs = ranked.map(({ seller: { storeId }, productNo }) => ({ storeId, productNo }));
  // The response also shows stores, so unknown ones are read together with the products.
  const storeIds = new Set(refs.map(({ storeId }) => storeId));
  const reading = findProductsByNumber(db, refs, sandbox, withSoldOut);
  const [found] = await Promise.all([reading, knownStores.of([...storeIds])]);
  const byRef = new Map(found.map((product) => [`${product.storeId}${product.productNo}`, product]));
  return ranked.flatMap(({ seller, productNo }) => {
    const product = byRef.get(`${seller.storeId}${productNo}`);
    const mode =
      product && hasClaims(foodClaims(product.food), claims)
        ? soldMode(flagsOf(product), requestedModeOf(pickup))
        : undefined;
    return product && mode ? [{ product, seller, mode }] : [];
  });
}

const flagsOf = ({ modes }: FoundProduct) => (modes.delivery ? IN_DELIVERY : 0) | (modes.pickup ? IN_PICKUP : 0);
