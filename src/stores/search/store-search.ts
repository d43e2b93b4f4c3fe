import { openStateAtEpoch } from '../open-state.ts';
import type { Store } from '../store.ts';
import { weekLineOf } from '../week-line.ts';
import { zoneClock } from '../zone-clock.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

/** Everything that finds stores, in memory: what the change feed fills and the search endpoints ask. */
export type StoreSearch = {
  /** All listed stores. */
  stores: SearchIndex;
  /** Those of them with a catalogue: where products can be looked for. */
  sellers: SearchIndex;
  apply(store: Store): void;
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
  };
}

function createIndex(): SearchIndex {
  return createSearchIndex({
    openAtOf(hours, timeZone) {
      const line = weekLineOf(hours);
      const clock = zoneClock(timeZone);
      return (epochS) => openStateAtEpoch(line, clock, epochS);
    },
  });
}
