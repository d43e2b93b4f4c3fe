import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from 'doorstep/files';
import type { Db, Sql } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Geocoder } from '../addresses/geocoder.ts';
import { stageCategories, stageProducts } from '../menus/write-catalogs.db.ts';
import type { SettingsPort } from './feed-settings.ts';
import { findFeedStates, withReplacedHashes } from './feed-states.db.ts';
import { type FeedEntry, MAX_STAGED_CHARACTERS, MAX_STAGED_ROWS } from './formats.ts';
import type { Audience } from './import.db.ts';
import type { ImportTally, LinePlace, StoreOutcome } from './import-result.ts';
import { mergeStaged, type WrittenStores } from './merge-staged.flow.ts';
import type { FeedStore } from './parse-store-line.ts';
import { createStaging, stageStores } from './staging.db.ts';
import { createStoreRows, type StoreRows } from './store-rows.ts';

/** A feed during its import. */
export type Feed = {
  source: string;
  /** The feed's name in errors; null if only one file is read. */
  name: string | null;
  folder: string;
  entries: AsyncIterable<readonly FeedEntry[]>;
  /** Collects every store that the feed lists, also in faulty lines. */
  seen?: Set<string>;
  tally: ImportTally;
  onProgress?: () => void;
};

export type ImportDeps = { db: Db; clock: Clock; settings?: SettingsPort | undefined; geocoder?: Geocoder | undefined };

/** A store with its catalog as rows, its line, and the earlier line it repeats. `characters` includes its products. */
export type StagedStore = StoreRows & {
  place: LinePlace;
  products: string[];
  characters: number;
  repeats: number | undefined;
};

/** SQLSTATEs of deadlocks and serialization failures, which are retried. */
const RETRYABLE_STATES = new Set(['40P01', '40001']);
const MAX_TRANSACTION_ATTEMPTS = 6;
const RETRY_STEP_MS = 40;

/** SQLSTATE classes for errors of the data: data exception, constraint violation, program limit. */
const DATA_ERROR_CLASSES = /^(22|23|54)/;

export const isDataError = (error: unknown): boolean => DATA_ERROR_CLASSES.test(errorCode(error) ?? '');

/** Retries the transaction after a deadlock or serialization failure. */
export async function retryTransaction<T>(db: Db, work: (tx: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === MAX_TRANSACTION_ATTEMPTS || !RETRYABLE_STATES.has(errorCode(error) ?? '')) throw error;
      await delay(RETRY_STEP_MS * attempt);
    }
  }
}

/**
 * Writes one store without a menu as an import does, and returns its id; a menu that it has is removed. Takes the
 * change clock.
 */
export async function writeBareStore(
  tx: Sql,
  { source, store, at, audience }: { source: string; store: FeedStore; at: Temporal.Instant; audience: Audience },
): Promise<string> {
  const rows = createStoreRows(source, store, at).finish([]);
  await createStaging(tx);
  await stageStores(tx, [rows]);
  await mergeStaged(tx, { source, stores: [rows], at, audience });
  return rows.storeId;
}

type StoresBatch = {
  source: string;
  stores: readonly StagedStore[];
  /** Whether a line may wait for the later line that replaced it in the previous import. */
  mayWait: boolean;
};

/**
 * The outcome of a batch. `waiting` stores are not written. `differing` stores had other
 * contents before: from an earlier import, or an earlier line of the file.
 */
export type WrittenBatch = WrittenStores & { waiting: ReadonlySet<string>; differing: ReadonlySet<string> };

/** Writes stores with their catalogs in one transaction; unchanged stores are not touched. */
export async function writeStores(
  { db, clock, settings }: ImportDeps,
  { source, stores, mayWait }: StoresBatch,
): Promise<WrittenBatch> {
  const outcomes = new Map<string, StoreOutcome>(stores.map(({ storeId }) => [storeId, 'unchanged']));
  const states = await findFeedStates(db, [...outcomes.keys()]);
  const changed: StagedStore[] = [];
  const [waiting, differing] = [new Set<string>(), new Set<string>()];
  for (const store of stores) {
    const { storeId, feedHash, repeats } = store;
    const state = states.get(storeId);
    if (state?.listed && state.feedHash === feedHash) continue;
    if (state) differing.add(storeId);
    if (state?.listed && state.replacedHashes.includes(feedHash) && mayWait) {
      waiting.add(storeId);
      outcomes.delete(storeId);
    } else if (state && repeats !== undefined)
      changed.push({ ...store, feedHash: withReplacedHashes(feedHash, state) });
    else changed.push(store);
  }
  const kept = { outcomes, waiting, differing };
  if (changed.length === 0) return { ...kept, merged: 0, crowded: [], promotionFaults: new Map() };
  const written = await retryTransaction(db, async (tx) => {
    await createStaging(tx);
    await stageStores(tx, changed);
    const hasCatalogs = await stageCatalogs(tx, changed);
    return mergeStaged(tx, { source, stores: changed, at: clock.now(), hasCatalogs, settings });
  });
  for (const [storeId, outcome] of written.outcomes) outcomes.set(storeId, outcome);
  return { ...written, ...kept };
}

/** Stages the catalogs, if there are any. */
async function stageCatalogs(tx: Sql, stores: readonly StagedStore[]): Promise<boolean> {
  if (stores.every(({ categories, products }) => categories.length + products.length === 0)) return false;
  await stageCategories(
    tx,
    stores.flatMap(({ categories }) => categories),
  );
  const staging = createProductStaging(tx);
  for (const { products } of stores) await staging.add(products);
  await staging.drain();
  return true;
}

/** Stages product rows in pieces, writing one while the next is collected. */
export function createProductStaging(tx: Sql) {
  let rows: string[] = [];
  let characters = 0;
  const writes = createWriteBehind((piece: readonly string[]) => stageProducts(tx, piece));
  const flush = () => {
    const full = rows;
    rows = [];
    characters = 0;
    return writes.add(full);
  };
  return {
    async add(more: readonly string[]): Promise<void> {
      for (const row of more) {
        rows.push(row);
        characters += row.length;
        if (rows.length >= MAX_STAGED_ROWS || characters >= MAX_STAGED_CHARACTERS) await flush();
      }
    },
    async drain(): Promise<void> {
      await flush();
      await writes.drain();
    },
  };
}

/** Writes pieces in order while the caller prepares the next one; up to one write runs at a time. */
type WriteBehind<Piece> = {
  /** Waits for the previous write, then starts this one. Throws if the previous one failed. */
  add(piece: Piece): Promise<void>;
  /** Waits for the last write; throws if it failed. */
  drain(): Promise<void>;
};

export function createWriteBehind<Piece>(write: (piece: Piece) => Promise<void>): WriteBehind<Piece> {
  let writing: Promise<void> = Promise.resolve();
  return {
    async add(piece) {
      await writing;
      writing = write(piece);
      // `add` or `drain` will throw the error; until then it must not be an unhandled rejection.
      writing.catch(() => {});
    },
    drain: () => writing,
  };
}
