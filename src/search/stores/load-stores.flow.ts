import { Worker } from 'node:worker_threads';
import type { Publication, RestoredSegment, StoreRow, Writer } from 'doorstep/search-engine';
import type { Pool } from '../../platform/db/connect.ts';
import { HeartbeatMonitor } from '../../platform/lib/heartbeat-monitor.ts';
import { readListedStores } from '../../supply/stores/listed-stores.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import { engineRow } from './store-row.ts';

/**
 * Settings of the loading thread. They are not passed in the environment, because the connection string has a password.
 */
export type LoadData = { connectionString: string; schema: string };

/** All stores, and the number of the last change they include. */
export type LoadedStores = { segments: RestoredSegment[]; seq: number };

/** Messages of the loading thread: `progress` after each step as a heartbeat, then all stores. */
export type LoadMessage = 'progress' | LoadedStores;

/** Heap limit of the thread: rows of 1.5 million stores take 1.2 GB until they are sealed. */
const HEAP_MB = 6144;

/**
 * Fills an empty writer with all listed stores, complete up to the returned change number. A store that cannot be
 * converted is left out here; the comparison with the database, before the first search, finds and reports it.
 */
export async function loadStores(
  pool: Pool,
  writer: Writer,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: () => void } = {},
): Promise<{ publication: Publication; seq: number }> {
  const load = writer.startLoad();
  const seq = await readListedStores(
    pool,
    (stores) => {
      for (const { read } of stores) {
        const row = rowOrNull(read);
        if (row !== null) load.add(row);
      }
      onProgress?.();
    },
    signal,
  );
  const steps = writer.finishLoad(load);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { publication: value, seq };
    onProgress?.();
  }
}

function rowOrNull(read: () => Store): StoreRow | null {
  try {
    return engineRow(read());
  } catch {
    return null;
  }
}

/** Loads in a separate thread, whose heap is freed when it ends. */
export async function loadInThread(data: LoadData, signal: AbortSignal): Promise<LoadedStores> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('load-thread.flow.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
    name: 'doorstep-cold-load',
  });
  const { promise, resolve, reject } = Promise.withResolvers<LoadedStores>();
  const heartbeat = new HeartbeatMonitor(() => reject(new Error('The thread that loads stores makes no progress.')));
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  thread.on('message', (message: LoadMessage) => {
    heartbeat.receive();
    if (message !== 'progress') resolve(message);
  });
  thread.on('error', reject);
  thread.on('exit', () => reject(new Error('The thread that reads stores ended before its last store.')));
  try {
    return await promise;
  } finally {
    heartbeat.stop();
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
