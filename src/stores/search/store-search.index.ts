import { openingAt } from '../open-state.ts';
import type { Store } from '../store.ts';
import { zoneClock } from '../zone-clock.ts';
import type { LoadedTables } from './load-blocks.index.ts';
import { createStoreIndex, type StoreIndex } from './store.index.ts';
import { hasCatalogue, type StoreBlock } from './store-block.ts';

/** The indexes of stores: the change feed fills them, search reads them. */
export type StoreSearch = {
  /** All listed stores. */
  stores: StoreIndex;
  /** Listed stores with a catalogue: product search looks there. */
  sellers: StoreIndex;
  apply(store: Store): void;
  /** The same as `apply`, in steps: a store with large areas takes some ten milliseconds in each index. */
  applySteps(store: Store): Generator<void, void>;
  /** Begins to take in the blocks of a snapshot of so many stores. */
  startBlocks(stores: number): SnapshotLoader;
  /** Ends the load of all stores, in steps (`StoreIndex.finishLoad`). */
  finishLoad(): Generator<void, void>;
};

export type SnapshotLoader = {
  load(block: StoreBlock): void;
  /** Takes what another thread has made of all blocks, after the last of them (`BlockLoader`). */
  adopt(tables: LoadedTables): void;
  close(): void;
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
    startBlocks(count) {
      const loaders = { stores: stores.startBlocks(count), sellers: sellers.startBlocks(0) };
      return {
        load(block) {
          // The index of all stores keeps the bytes of the documents: the sellers are copied before that.
          loaders.sellers.load(block, (nth) => hasCatalogue(block, nth));
          loaders.stores.load(block);
        },
        adopt: loaders.stores.adopt,
        close() {
          for (const loader of Object.values(loaders)) loader.close();
        },
      };
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
