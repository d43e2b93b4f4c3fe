import { openingAt } from '../opening.ts';
import type { Store } from '../store.ts';
import { zoneClock } from '../zone-clock.ts';
import type { IndexedStore } from './indexed-store.ts';
import { createStoreIndex, type StoreIndex } from './store.index.ts';

/** The indexes of stores: the change feed fills them, search reads them. */
export type StoreSearch = {
  /** All listed stores. */
  stores: StoreIndex;
  /** Listed stores with a catalogue: product search looks there. */
  sellers: StoreIndex;
  apply(store: Store): void;
  /** The same as `apply`, in steps: a store with large areas takes some ten milliseconds in each index. */
  applySteps(store: Store): Generator<void, void>;
  /** Takes in a listed store of a snapshot, of which the indexes have no other version. */
  load(store: IndexedStore, head: Uint8Array): void;
  /** Ends the load of all stores, in steps (`StoreIndex.finishLoad`). */
  finishLoad(): Generator<void, void>;
};

export function createStoreSearch(): StoreSearch {
  const stores = createIndex();
  const sellers = createIndex();

  function* applySteps(store: Store): Generator<void, void> {
    stores.upsert(store);
    yield;
    sellers.upsert(store.hasCatalogue ? store : { ...store, listed: false });
  }

  return {
    stores,
    sellers,
    apply(store) {
      for (const _step of applySteps(store));
    },
    applySteps,
    load(store, head) {
      stores.load(store, head);
      if (store.hasCatalogue) sellers.load(store, head);
    },
    *finishLoad() {
      yield* stores.finishLoad();
      yield* sellers.finishLoad();
    },
  };
}

function createIndex(): StoreIndex {
  return createStoreIndex({
    openAtOf(schedule, timeZone) {
      const clock = zoneClock(timeZone);
      return (epochS) => openingAt(schedule, clock, epochS);
    },
  });
}
