import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Logger } from 'pino';
import { beginReading, copyListedStores } from '../../stores/copy-stores.db.ts';
import { finish } from '../engine/seal.ts';
import type { RestoredSegment } from '../engine/snapshot.ts';
import type { Publication, Writer } from '../engine/writer.ts';
import { rowOf } from './store-row.ts';

/** Where the stores are. The order, and not the environment, has the address of the database: it holds a password. */
export type LoadOrder = { connectionString: string; schema: string };

/** All stores, and the last change that is in them. */
export type LoadedStores = { segments: RestoredSegment[]; seq: number };

/** What the loading thread posts: signs of life, and at the end all stores. */
export type LoadMessage = { loaded: number } | LoadedStores;

/** A thread that posts nothing for so long is given up: a database, or a network, may be silent. */
const SILENCE_MS = 30_000;
/** Rows of a million and a half stores take 1.2 GB until they are sealed. */
const HEAP_MB = 6144;

/**
 * Reads all listed stores, in one transaction that sees one state of the database, and seals them. Every change up to the
 * returned number is in them. A store that cannot be taken in is left out.
 */
export async function loadStores(
  client: pg.ClientBase,
  writer: Writer,
  log: Pick<Logger, 'error'>,
  onProgress: (loaded: number) => void = () => {},
): Promise<{ publication: Publication; seq: number }> {
  const { seq, stores } = await beginReading(client);
  const load = writer.startLoad(stores);
  let loaded = 0;
  for await (const some of copyListedStores(client)) {
    for (const store of some) {
      try {
        load.add(rowOf(store));
      } catch (error) {
        log.error({ err: error, storeId: store.storeId }, 'store left out of search');
      }
    }
    loaded += some.length;
    onProgress(loaded);
  }
  await client.query('commit');
  return { publication: finish(writer.finishLoad(load)), seq };
}

/** The same by a thread that ends afterwards: the heap of a load of many stores goes with it. */
export async function loadInThread(order: LoadOrder, signal: AbortSignal): Promise<LoadedStores> {
  const thread = new Worker(new URL('load-thread.flow.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    name: 'doorstep-cold-load',
  });
  const { promise, resolve, reject } = Promise.withResolvers<LoadedStores>();
  const silence = setTimeout(() => reject(new Error('The thread that reads stores is silent.')), SILENCE_MS);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  thread.on('message', (message: LoadMessage) => {
    silence.refresh();
    if ('segments' in message) resolve(message);
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
