import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Sql } from '../../../db/connect.ts';
import { createPacedLoop } from '../../../jobs/paced-loop.ts';
import type { ProductIndex } from '../product.index.ts';
import type { ProductTerms } from '../product-terms.index.ts';
import { packIndex } from './pack-index.ts';
import { findUnstored, type StoredIndex, saveIndexes } from './stored-indexes.db.ts';

/** An index is stored once its store has not changed for so long: a store that changes all the time is not written each time. */
const DELAY_MS = 10_000;
/** Indexes of one write. */
const BATCH = 25;
/** A statement of a write ends with the index that reaches so many bytes; 25 usual menus take some 200 kB. */
const STATEMENT_BYTES = 2 ** 20;
/** A larger index is not stored: packing it, or reading it, would hold the event loop for longer than a slice. */
export const MAX_STORED_PRODUCTS = 20_000;
/** Products of the indexes that wait: further indexes are stored by the next node that builds them. */
const MAX_WAITING_PRODUCTS = 1_500_000;
/** An index weighs as much as so many products more than it has. */
const INDEX_WEIGHT = 16;
/** Writes of an index that fail before the index is given up. */
const MAX_TRIES = 3;

/**
 * Stores the product indexes that this node has built from rows, in the background, for the next node that starts. Nothing
 * depends on it: an index that is not stored is built from rows.
 */
export type IndexWriter = {
  /** `changedSeq` is the number of the store's last change when the read of its rows began. */
  note(index: ProductIndex, changedSeq: number): void;
  /** Called for every change of a store: its index is old. */
  drop(storeId: string): void;
  /** Indexes that wait, and those of the running write. */
  readonly waiting: number;
  close(): Promise<void>;
};

export type IndexWriterOptions = {
  db: Sql;
  terms: Pick<ProductTerms, 'termOf'>;
  format: () => Promise<string | null>;
  log: Logger;
  delayMs?: number;
};

type Noted = { index: ProductIndex; changedSeq: number; fromMs: number; tries: number };
/** By store. */
type Writing = Map<string, Noted>;

/** One write at a time, then a rest of the same length: at most half of one connection. */
export function createIndexWriter(options: IndexWriterOptions): IndexWriter {
  const { log, delayMs = DELAY_MS } = options;
  const waiting = createWaiting();
  const writing: Writing = new Map();
  const loop = createPacedLoop({ hasWork: () => waiting.size > 0, run: writeSome });
  let isFailing = false;

  async function writeSome(): Promise<number | undefined> {
    for (const noted of waiting.takeDue(performance.now())) writing.set(noted.index.storeId, noted);
    if (writing.size === 0) return delayMs;
    try {
      await writeUnstored(options, writing);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !loop.isClosed) log.warn({ err: error }, 'product indexes not stored');
      isFailing = true;
      const fromMs = performance.now() + delayMs;
      for (const noted of writing.values()) waiting.add({ ...noted, fromMs, tries: noted.tries + 1 });
    }
    writing.clear();
    return undefined;
  }

  function drop(storeId: string): void {
    waiting.delete(storeId);
    writing.delete(storeId);
  }

  return {
    note(index, changedSeq) {
      drop(index.storeId);
      waiting.add({ index, changedSeq, fromMs: performance.now() + delayMs, tries: 0 });
      loop.wake(delayMs);
    },
    drop,
    get waiting() {
      return waiting.size + writing.size;
    },
    close: loop.close,
  };
}

/** The indexes that wait for a write, the earliest first. */
function createWaiting() {
  const byStore: Writing = new Map();
  let products = 0;
  const weightOf = ({ index }: Noted) => index.productCount + INDEX_WEIGHT;
  function remove(storeId: string): void {
    const noted = byStore.get(storeId);
    if (noted && byStore.delete(storeId)) products -= weightOf(noted);
  }
  return {
    /** Of a store that does not wait. Leaves out what is too large, or has failed too often. */
    add(noted: Noted): void {
      if (noted.index.productCount > MAX_STORED_PRODUCTS || noted.tries >= MAX_TRIES) return;
      if (products + weightOf(noted) > MAX_WAITING_PRODUCTS) return;
      byStore.set(noted.index.storeId, noted);
      products += weightOf(noted);
    },
    delete: remove,
    takeDue(nowMs: number): Noted[] {
      const due = [...byStore.values().take(BATCH)].filter(({ fromMs }) => fromMs <= nowMs);
      for (const { index } of due) remove(index.storeId);
      return due;
    },
    get size() {
      return byStore.size;
    },
  };
}

type Writer = Pick<IndexWriterOptions, 'db' | 'terms' | 'format'>;

/**
 * Takes each index out of `writing` once it is stored. Other nodes have stored most indexes that a node builds after a
 * change of their stores.
 */
async function writeUnstored({ db, terms, format }: Writer, writing: Writing): Promise<void> {
  const named = await format();
  if (named === null) return;
  const changes = Array.from(writing, ([storeId, { changedSeq }]) => ({ storeId, changedSeq }));
  const unstored = await findUnstored(db, changes, named);
  for (const storeId of writing.keys()) if (!unstored.has(storeId)) writing.delete(storeId);
  for await (const indexes of packed(writing, terms)) {
    await saveIndexes(db, indexes, named);
    for (const { storeId } of indexes) writing.delete(storeId);
  }
}

/** The indexes of one statement each time. Yields to other work after each index. */
async function* packed(writing: Writing, { termOf }: Writer['terms']): AsyncGenerator<StoredIndex[]> {
  let indexes: StoredIndex[] = [];
  let length = 0;
  for (const [storeId, { index, changedSeq }] of writing) {
    const bytes = packIndex(index, termOf);
    indexes.push({ storeId, changedSeq, bytes });
    length += bytes.length;
    await setImmediate();
    if (length < STATEMENT_BYTES) continue;
    yield indexes;
    indexes = [];
    length = 0;
  }
  if (indexes.length > 0) yield indexes;
}
