import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Pool } from '../../platform/db/connect.ts';
import { copyListedStores } from '../../supply/stores/copy-stores.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import { finish } from '../engine/seal.ts';
import type { RestoredSegment } from '../engine/snapshot.ts';
import type { Publication, Writer } from '../engine/writer.ts';
import { engineRow } from './store-row.ts';

/**
 * Settings of the loading thread. They are not passed in the environment, because the connection string has a password.
 */
export type LoadOrder = { connectionString: string; schema: string };

/** All stores, and the number of the last change they include. */
export type LoadedStores = { segments: RestoredSegment[]; seq: number };

/** Messages of the loading thread: `reading` as heartbeats, then all stores. */
export type LoadMessage = 'reading' | LoadedStores;

/** Milliseconds without a message after which the thread is terminated, because its database may be hanging. */
const SILENCE_MS = 30_000;
/** Heap limit of the thread: rows of 1.5 million stores take 1.2 GB until they are sealed. */
const HEAP_MB = 6144;

/**
 * Fills an empty writer with all listed stores, complete up to the returned change number. Stores that cannot be
 * converted are skipped.
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

/** Loads in a separate thread, whose heap is freed when it ends. */
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
