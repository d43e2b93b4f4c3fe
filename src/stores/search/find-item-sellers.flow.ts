import type { Sql } from '../../db/connect.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { findSellersAmong } from './item-sellers.db.ts';
import { wordPatterns } from './item-words.ts';
import type { SearchIndex } from './search-index.ts';
import { PAGE_SIZE_BROWSING, PAGE_SIZE_WITH_TEXT, type StorePage, type StoreQuery } from './store-query.ts';

/** Stores whose products are looked at in one request: until a first one is found, and to fill the page. */
const MOST_LOOKED_AT = 20_000;
const ENOUGH_LOOKED_AT = 500;
const READ_TIMEOUT_MS = 5000;

type Needs = { db: Sql; sellers: SearchIndex };
type Candidate = { storeId: string; ordinal: number; miles: number };

/**
 * Stores that sell a product with all words of the text in its name, in the order of the query. Candidates come from
 * the index of stores with a catalogue, a hundred at a time, and only their products are looked at: no query runs over
 * the products of all stores. `page` counts candidates passed, so a walk goes on exactly where it stopped. A page may
 * be short before the last one; an empty one means that none of the next `MOST_LOOKED_AT` candidates sells it.
 */
export async function findItemSellers(needs: Needs, query: StoreQuery, nowEpochS: number): Promise<StorePage> {
  const found: Candidate[] = [];
  let passed = query.page;
  for (let isEnd = false; !isEnd && found.length < PAGE_SIZE_WITH_TEXT; ) {
    const looked = passed - query.page;
    if (looked >= (found.length > 0 ? ENOUGH_LOOKED_AT : MOST_LOOKED_AT)) break;
    const batch = candidatesOf(needs.sellers, query, passed, nowEpochS);
    const selling = await sellingAmong(needs.db, query, batch.candidates);
    for (const candidate of batch.candidates) {
      if (found.length === PAGE_SIZE_WITH_TEXT) break;
      passed += 1;
      if (selling.has(candidate.storeId)) found.push(candidate);
    }
    isEnd = batch.isLast;
  }
  // The index may have changed while the database was asked: a number may be another store's by now.
  const still = found.filter(({ ordinal, storeId }) => needs.sellers.storeIdAt(ordinal) === storeId);
  const [ordinals, miles] = [still.map(({ ordinal }) => ordinal), still.map((candidate) => candidate.miles)];
  return { ordinals, miles, nextPage: passed };
}

/** The rest of the page of candidates on which the one of that number lies. */
function candidatesOf(sellers: SearchIndex, query: StoreQuery, from: number, nowEpochS: number) {
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
