import { wordsOf } from '../../lib/text/normalise-text.ts';
import { openStateAtEpoch } from '../open-state.ts';
import { formatHours } from '../parse-hours.ts';
import type { Store } from '../store.ts';
import { weekLineOf } from '../week-line.ts';
import { zoneClock } from '../zone-clock.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import { PAGE_SIZE_WITH_TEXT, type StoreQuery } from './store-query.ts';

export type Coordinate = { latitude: number; longitude: number };

/** Everything that finds stores, in memory: what the change feed fills and the search endpoints ask. */
export type StoreSearch = {
  /** All listed stores. */
  stores: SearchIndex;
  /** Those of them with a catalogue: where products can be looked for. */
  sellers: SearchIndex;
  apply(store: Store): void;
  /**
   * Ids of the stores whose name is the same but for case, accents and punctuation, nearest first. Looks at the
   * nearest `MOST_LOOKED_AT` stores that have all words of the name; empty for a name without letter or digit.
   */
  nearestNamed(name: string, near: Coordinate, limit: number): string[];
};

const MOST_LOOKED_AT = 1000;
const UNFILTERED: Omit<StoreQuery, 'latitude' | 'longitude' | 'text' | 'page'> = {
  autocomplete: false,
  storeType: null,
  pickup: null,
  open: false,
  maximumMiles: null,
  cuisine: null,
  dollarSigns: null,
  minimumRating: null,
  viewport: null,
  sort: 'relevance',
};

export function createStoreSearch(): StoreSearch {
  const stores = createIndex();
  const sellers = createIndex();

  return {
    stores,
    sellers,
    apply(store) {
      stores.upsert(store);
      sellers.upsert(store.hasCatalogue ? store : { ...store, listed: false });
    },
    nearestNamed(name, near, limit) {
      const wanted = sameness(name);
      const found: string[] = [];
      if (wanted === '') return found;
      for (let page = 0; page * PAGE_SIZE_WITH_TEXT < MOST_LOOKED_AT && found.length < limit; page += 1) {
        const named = namesOn(stores, { ...UNFILTERED, ...near, text: name, page });
        for (const store of named) if (sameness(store.name) === wanted) found.push(store._id);
        if (named.length < PAGE_SIZE_WITH_TEXT) break;
      }
      return found.slice(0, limit);
    },
  };
}

function createIndex(): SearchIndex {
  return createSearchIndex({
    openAtOf(hours, timeZone) {
      const line = weekLineOf(hours);
      const clock = zoneClock(timeZone);
      return (epochS) => openStateAtEpoch(line, clock, epochS);
    },
    formatHours,
  });
}

function sameness(name: string): string {
  return wordsOf(name).join(' ');
}

function namesOn(index: SearchIndex, query: StoreQuery): { _id: string; name: string }[] {
  const body = index.writePage(index.search(query, 0), 0, []);
  return (JSON.parse(body.toString()) as { stores: { _id: string; name: string }[] }).stores;
}
