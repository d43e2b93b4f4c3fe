import type { Logger } from 'pino';
import { createPacedLoop } from '../../jobs/paced-loop.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';

/** Reading ahead counts for no account, and comes after the searches of every account. */
const OWNER = 'products read ahead';
/** Stores of one statement. */
const BATCH = 25;
/** A look for the end of the first load, and a pause after a read that failed. */
const RETRY_MS = 1000;

/** A store as far as reading ahead is concerned. */
export type AheadStore = { storeId: string; listed: boolean; hasCatalogue: boolean };

/**
 * Reads product indexes before a search asks for them, so that the first search of a region finds its products in memory.
 * Nothing depends on it: a product index that has not been read ahead is read by the search that needs it.
 */
export type ReadAhead = {
  /** Called for every store that comes or changes, after its product index is dropped. */
  note(store: AheadStore): void;
  /** Stores whose products are still to be read. */
  readonly waiting: number;
  close(): Promise<void>;
};

export type ReadAheadOptions = {
  productIndexes: Pick<ProductIndexes, 'of' | 'productCount'>;
  /** Whether all stores are known: nothing is read before that. */
  isLoaded(): boolean;
  /** Nothing is read ahead once so many products are in memory, so that no product index pushes another one out. */
  maxProducts: number;
  log: Logger;
};

/** One statement at a time, then a rest of the same length: at most half of one connection and of the event loop. */
export function createReadAhead({ productIndexes, isLoaded, maxProducts, log }: ReadAheadOptions): ReadAhead {
  const waiting = new Set<string>();
  const loop = createPacedLoop({ hasWork: () => waiting.size > 0, run: readSome });
  let isFailing = false;

  async function readSome(): Promise<number | undefined> {
    if (!isLoaded()) return RETRY_MS;
    if (productIndexes.productCount >= maxProducts) {
      waiting.clear();
      return 0;
    }
    const batch = [...waiting.values().take(BATCH)];
    for (const storeId of batch) waiting.delete(storeId);
    try {
      await productIndexes.of(batch, OWNER);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !loop.isClosed) log.warn({ err: error }, 'products not read ahead');
      isFailing = true;
      for (const storeId of batch) waiting.add(storeId);
      return RETRY_MS;
    }
    return undefined;
  }

  return {
    note({ storeId, listed, hasCatalogue }) {
      if (listed && hasCatalogue) waiting.add(storeId);
      else waiting.delete(storeId);
      loop.wake(0);
    },
    get waiting() {
      return waiting.size;
    },
    close: loop.close,
  };
}
