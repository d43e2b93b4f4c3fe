import type { Sql } from '../../db/connect.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { findSellersAmong } from './item-sellers.db.ts';
import { wordPatterns } from './item-words.ts';
import type { StoreIndex } from './store.index.ts';
import { PAGE_SIZE_BROWSING, PAGE_SIZE_WITH_TEXT, type StorePage, type StoreQuery } from './store-query.ts';

/** Bounds on the stores whose products one request reads: until the first match, and to fill the page. */
const MAX_CANDIDATES = 20_000;
const MAX_CANDIDATES_AFTER_MATCH = 500;
const READ_TIMEOUT_MS = 5000;

type Needs = { db: Sql; sellers: StoreIndex };
type Candidate = { storeId: string; ordinal: number; miles: number };

/**
 * Stores that sell a product with all words of the text in its name, sorted as the query says. Candidates come from the
 * index of stores with a catalogue, a hundred at a time, and only their products are read: no query runs over the
 * products of all stores. `page` counts the candidates passed, so the next page starts exactly where this page stopped. A
 * page before the last one may be short; an empty page means that none of the next `MAX_CANDIDATES` sells the product.
 */
export async function findItemSellers(needs: Needs, query: StoreQuery, nowEpochS: number): Promise<StorePage> {
  const found: Candidate[] = [];
  let passed = query.page;
  for (let isEnd = false; !isEnd && found.length < PAGE_SIZE_WITH_TEXT; ) {
    if (passed - query.page >= (found.length > 0 ? MAX_CANDIDATES_AFTER_MATCH : MAX_CANDIDATES)) break;
    const batch = candidatesOf(needs.sellers, query, passed, nowEpochS);
    const selling = await sellingAmong(needs.db, query, batch.candidates);
    for (const candidate of batch.candidates) {
      if (found.length === PAGE_SIZE_WITH_TEXT) break;
      passed += 1;
      if (selling.has(candidate.storeId)) found.push(candidate);
    }
    isEnd = batch.isLast;
  }
  // The index may change during the query: an ordinal may belong to another store by now.
  const still = found.filter(({ ordinal, storeId }) => needs.sellers.storeIdAt(ordinal) === storeId);
  const [ordinals, miles] = [still.map(({ ordinal }) => ordinal), still.map((candidate) => candidate.miles)];
  return { ordinals, miles, nextPage: passed };
}

/** The candidates from number `from` to the end of its page. */
function candidatesOf(sellers: StoreIndex, query: StoreQuery, from: number, nowEpochS: number) {
  const page = Math.floor(from / PAGE_SIZE_BROWSING);
  const { ordinals, miles } = sellers.search({ ...query, text: '', page }, nowEpochS);
  const candidates = ordinals.map((ordinal, i): Candidate => {
    return { storeId: sellers.storeIdAt(ordinal), ordinal, miles: miles[i] as number };
  });
  return { candidates: candidates.slice(from % PAGE_SIZE_BROWSING), isLast: ordinals.length < PAGE_SIZE_BROWSING };
}

async function sellingAmong(db: Sql, query: StoreQuery, candidates: readonly Candidate[]): Promise<Set<string>> {
  if (candidates.length === 0) return new Set();
  const storeIds = candidates.map(({ storeId }) => storeId);
  const patterns = wordPatterns(wordsOf(query.text), query.autocomplete);
  return findSellersAmong(db, storeIds, { patterns, pickup: query.pickup }, AbortSignal.timeout(READ_TIMEOUT_MS));
}
