import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Pool } from '../../platform/db/connect.ts';
import { copyListedStores } from '../../supply/stores/copy-stores.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import { finish } from '../engine/seal.ts';
import type { RestoredSegment } from '../engine/snapshot.ts';
import type { Publication, Writer } from '../engine/writer.ts';
import { engineRow } from './store-row.ts';

/** Where the stores are. The order, and not the environment, has the address of the database: it holds a password. */
export type LoadOrder = { connectionString: string; schema: string };

/** All stores, and the last change that is in them. */
export type LoadedStores = { segments: RestoredSegment[]; seq: number };

/** What the loading thread posts: signs of life, and at the end all stores. */
export type LoadMessage = 'reading' | LoadedStores;

/** A thread that posts nothing for this long times out: a database or a network may be silent. */
const SILENCE_MS = 30_000;
/** Rows of a million and a half stores take 1.2 GB until they are sealed. */
const HEAP_MB = 6144;

/**
 * Fills an empty writer with all listed stores; every change up to the returned number is in them. A store that cannot be
 * taken in is left out.
 */
export async function loadStores(
  pool: Pool,
  writer: Writer,
  { log, signal, onProgress }: { log: Pick<Logger, 'error'>; signal?: AbortSignal; onProgress?: () => void },
): Promise<{ publication: Publication; seq: number }> {
  const reader = {
    seq: 0,
    load: writer.startLoad(0),
    begin({ seq, stores }: { seq: number; stores: number }) {
      this.seq = seq;
      this.load = writer.startLoad(stores);
    },
    take(some: readonly Store[]) {
      for (const store of some) {
        try {
          this.load.add(engineRow(store));
        } catch (error) {
          log.error({ err: error, storeId: store.storeId }, 'store left out of search');
        }
      }
      onProgress?.();
    },
  };
  await copyListedStores(pool, reader, signal);
  return { publication: finish(writer.finishLoad(reader.load)), seq: reader.seq };
}

/** The same by a thread that ends afterwards: the heap of a load of many stores goes with it. */
export async function loadInThread(order: LoadOrder, signal: AbortSignal): Promise<LoadedStores> {
  const thread = new Worker(new URL('load-thread.flow.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
    name: 'doorstep-cold-load',
  });
  const { promise, resolve, reject } = Promise.withResolvers<LoadedStores>();
  const silence = setTimeout(() => reject(new Error('The thread that reads stores is silent.')), SILENCE_MS);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  thread.on('message', (message: LoadMessage) => {
    silence.refresh();
    if (message !== 'reading') resolve(message);
  });
  thread.on('error', reject);
  thread.on('exit', () => reject(new Error('The thread that reads stores has ended before its last store.')));
  try {
    return await promise;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
