import { on } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Sql } from '../../../db/connect.ts';
import { isSliceOver, nextSlice } from '../../../load/event-loop-scheduler.ts';
import { countStoresUpTo } from '../../copy-stores.db.ts';
import { AFTER_ALL_IDS, type FeedPoint } from '../../stores.db.ts';
import { createBlockReader } from '../snapshots/read-blocks.ts';
import { MIN_STORES } from '../snapshots/snapshot-keeper.cache.ts';
import type { SnapshotLoader, StoreSearch } from '../store-search.index.ts';
import { movedBytes } from './moved-block.ts';
import type { ReadingMessage, ReadingOrder } from './reading-thread.flow.ts';

/** A thread that tells nothing for so long is given up: a database, or a network, may be silent. */
const SILENCE_MS = 30_000;
const THREAD = join(import.meta.dirname, 'reading-thread.flow.ts');

export type ColdLoad = {
  db: Sql;
  log: Logger;
  order: ReadingOrder;
  search: Pick<StoreSearch, 'startBlocks'>;
  /** Ends the load: the node is closing. */
  signal: AbortSignal;
  minStores?: number;
  silenceMs?: number;
};

/**
 * Loads a new index with all stores of the database, which another thread reads and writes as blocks; returns the position
 * in the change feed from which on the index is incomplete. Null where there are few stores, and where the load breaks
 * off: the change feed is then read from its start (docs/adr/0050-a-cold-load-by-blocks.md).
 */
export async function loadAllStores(load: ColdLoad): Promise<FeedPoint | null> {
  const { db, log, signal, minStores = MIN_STORES } = load;
  try {
    if ((await countStoresUpTo(db, minStores)) < minStores) return null;
    const { seq, stores } = await loadFromThread(load);
    log.info({ stores, seq }, 'search loaded from the database');
    return { seq, storeId: AFTER_ALL_IDS };
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'stores were not read at once: they are read from the change feed');
    return null;
  }
}

async function loadFromThread({ order, search, ...load }: ColdLoad): Promise<{ seq: number; stores: number }> {
  const thread = new Worker(THREAD, { workerData: order });
  // The loop below hears of failures; a failure after the loop, while the thread is ended, would end the process.
  thread.on('error', () => {});
  const silence = startSilence(load.silenceMs ?? SILENCE_MS);
  const signal = AbortSignal.any([load.signal, silence.signal]);
  const read = createBlockReader();
  let loader: SnapshotLoader | undefined;
  let seq = 0;
  try {
    for await (const [message] of on(thread, 'message', { signal, close: ['exit'] })) {
      const told = message as ReadingMessage;
      if ('ended' in told) return { seq, stores: told.ended.stores };
      if ('begun' in told) {
        seq = told.begun.seq;
        loader = search.startBlocks(told.begun.stores);
      } else {
        if (isSliceOver()) await nextSlice();
        loader?.load(read(movedBytes(told.block)));
        thread.postMessage('taken');
      }
      silence.restart();
    }
  } finally {
    silence.end();
    loader?.close();
    await thread.terminate();
  }
  throw new Error('The thread that reads stores has ended before its last block.');
}

/** A signal that comes once its time has passed without a restart. */
function startSilence(ms: number) {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), ms);
  return { signal: silent.signal, restart: () => void timer.refresh(), end: () => clearTimeout(timer) };
}
