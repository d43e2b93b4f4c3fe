import type { Logger } from 'pino';
import type { Sql } from '../../../db/connect.ts';
import type { ProductIndex } from '../product.index.ts';
import type { ProductTerms } from '../product-terms.index.ts';
import { packIndex } from './pack-index.ts';
import { findUnstored, saveIndexes } from './stored-indexes.db.ts';

/** An index is stored once its store has not changed for so long: a store that changes all the time is not written each time. */
const DELAY_MS = 10_000;
/** Indexes of one statement, some 200 kB. */
const BATCH = 25;
/** Indexes that wait: further ones are stored by the next node that builds them. */
const MAX_WAITING = 10_000;
/** The longest pause between two writes. */
const MAX_REST_MS = 2000;

/**
 * Stores the product indexes that this node has built from rows, in the background, for the next node that starts. Nothing
 * depends on it: an index that is not stored is built from rows.
 */
export type IndexWriter = {
  /** `changedSeq` is the number of the store's last change when the read of its rows began. */
  note(index: ProductIndex, changedSeq: number): void;
  /** Called for every change of a store: its index is old. */
  drop(storeId: string): void;
  /** Indexes that are still to be stored. */
  readonly waiting: number;
  close(): Promise<void>;
};

export type IndexWriterOptions = {
  db: Sql;
  terms: Pick<ProductTerms, 'termOf'>;
  format: () => Promise<string>;
  log: Logger;
  delayMs?: number;
};

type Noted = { index: ProductIndex; changedSeq: number; fromMs: number };

/** One write at a time, then a rest of the same length: at most half of one connection. */
export function createIndexWriter(options: IndexWriterOptions): IndexWriter {
  const { log, delayMs = DELAY_MS } = options;
  /** By store, the earliest first. */
  const waiting = new Map<string, Noted>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;

  function wake(afterMs: number): void {
    if (isClosed || timer || running || waiting.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = writeSome().then((restMs) => {
        running = undefined;
        wake(restMs);
      });
    }, afterMs);
    timer.unref();
  }

  /** Returns the milliseconds of the rest that follows. */
  async function writeSome(): Promise<number> {
    const startMs = performance.now();
    const due = [...waiting.values().take(BATCH)].filter(({ fromMs }) => fromMs <= startMs);
    for (const { index } of due) waiting.delete(index.storeId);
    if (due.length === 0) return delayMs;
    try {
      await writeUnstored(options, due);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) log.warn({ err: error }, 'product indexes not stored');
      isFailing = true;
    }
    return Math.min(MAX_REST_MS, performance.now() - startMs);
  }

  return {
    note(index, changedSeq) {
      if (waiting.size >= MAX_WAITING) return;
      waiting.delete(index.storeId);
      waiting.set(index.storeId, { index, changedSeq, fromMs: performance.now() + delayMs });
      wake(delayMs);
    },
    drop(storeId) {
      waiting.delete(storeId);
    },
    get waiting() {
      return waiting.size;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Other nodes have stored most indexes that a node builds after a change of their stores. */
async function writeUnstored(
  { db, terms, format }: Pick<IndexWriterOptions, 'db' | 'terms' | 'format'>,
  noted: readonly Noted[],
): Promise<void> {
  const changes = noted.map(({ index: { storeId }, changedSeq }) => ({ storeId, changedSeq }));
  const unstored = await findUnstored(db, changes, await format());
  const written = noted.filter(({ index }) => unstored.has(index.storeId));
  if (written.length === 0) return;
  const stored = written.map(({ index, changedSeq }) => ({
    storeId: index.storeId,
    changedSeq,
    bytes: packIndex(index, terms.termOf),
  }));
  await saveIndexes(db, stored, await format());
}
