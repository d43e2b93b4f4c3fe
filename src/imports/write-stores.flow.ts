import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Sql } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { errorCode } from '../lib/error-code.ts';
import { findFeedStates, replacingHash } from './feed-states.db.ts';
import type { LinePlace, StoreOutcome } from './import-result.ts';
import { mergeStaged, type WrittenStores } from './merge-staged.flow.ts';
import type { SeenStores } from './seen-stores.ts';
import { createStaging, stageCategories, stageProducts, stageStores } from './staging.db.ts';
import type { Turn } from './store-batches.ts';
import type { StoreRows } from './store-rows.ts';

export type ImportDeps = { db: Db; clock: Clock };

/** A store with its whole catalogue as rows, where it stood, and the earlier line of the file that it repeats. */
export type StagedStore = StoreRows & { place: LinePlace; products: string[]; repeats?: number | undefined };

/** Deadlock and serialization failure: the same transaction, tried again, can succeed. */
const RETRIED = new Set(['40P01', '40001']);
const ATTEMPTS = 6;
const RETRY_STEP_MS = 40;

/** Classes of SQLSTATE that blame the data and not the database: data exception, constraint, program limit. */
const BLAMES_DATA = /^(22|23|54)/;

/** Limits of one insert into the staging table: rows and characters. */
export const STAGED_ROWS = 2000;
export const STAGED_CHARACTERS = 4 * 1024 * 1024;

export function blamesData(error: unknown): boolean {
  return BLAMES_DATA.test(errorCode(error) ?? '');
}

/** Runs the transaction again where it lost a race against another transaction. */
export async function inRetriedTransaction<T>(db: Db, work: (tx: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(errorCode(error) ?? '')) throw error;
      await delay(RETRY_STEP_MS * attempt);
    }
  }
}

export type StoresBatch = {
  source: string;
  stores: readonly StagedStore[];
  /** Stores that may become another business; null: every store may. */
  taken: SeenStores | null;
  turn: Turn;
  /** Whether a line that a later line of the same file replaced in an earlier import may wait for that line. */
  mayWait: (store: StagedStore) => boolean;
};

/**
 * Writes stores with their catalogues in one transaction: every store whole, or nothing. Unchanged stores are not
 * touched; where no store has changed, nothing is written at all. With `taken`, a store that would become another
 * business is left as it is, unless it is among the taken stores.
 */
export async function writeStores(deps: ImportDeps, { stores, mayWait, ...batch }: StoresBatch): Promise<WrittenBatch> {
  const outcomes = new Map<string, StoreOutcome>(stores.map(({ storeId }) => [storeId, 'unchanged']));
  const states = await findFeedStates(deps.db, [...outcomes.keys()]);
  const changed: StagedStore[] = [];
  const waiting: StagedStore[] = [];
  const replacing: StagedStore[] = [];
  for (const store of stores) {
    const state = states.get(store.storeId);
    if (state?.listed && state.feedHash === store.feedHash) continue;
    if (state?.listed && state.replacedHashes.includes(store.feedHash) && mayWait(store)) {
      waiting.push(store);
      outcomes.delete(store.storeId);
      continue;
    }
    if (state && store.repeats !== undefined) replacing.push(store);
    changed.push(
      state && store.repeats !== undefined ? { ...store, feedHash: replacingHash(store.feedHash, state) } : store,
    );
  }
  const known = [...states.keys()];
  const kept = { known, waiting, replacing };
  if (changed.length === 0) return { outcomes, merged: 0, misplaced: new Map(), ...kept };
  const written = await writeChanged(deps, { ...batch, stores: changed });
  for (const [storeId, outcome] of written.outcomes) outcomes.set(storeId, outcome);
  for (const storeId of written.misplaced.keys()) outcomes.delete(storeId);
  return { ...written, outcomes, ...kept };
}

/** `waiting` stores are not written, `replacing` ones had other contents by an earlier line of the file. */
type WrittenBatch = WrittenStores & {
  known: readonly string[];
  waiting: readonly StagedStore[];
  replacing: readonly StagedStore[];
};

function writeChanged(
  { db, clock }: ImportDeps,
  { source, stores, taken, turn }: Omit<StoresBatch, 'mayWait'>,
): Promise<WrittenStores> {
  return inRetriedTransaction(db, async (tx) => {
    await createStaging(tx);
    await stageStores(tx, stores);
    const hasCatalogues = await stageCatalogues(tx, stores);
    await turn.begins;
    const written = await mergeStaged(tx, { source, stores, at: clock.now(), taken, hasCatalogues });
    turn.passOn();
    return written;
  });
}

/** Stages the catalogues, if there are any. */
async function stageCatalogues(tx: Sql, stores: readonly StagedStore[]): Promise<boolean> {
  if (stores.every(({ categories, products }) => categories.length + products.length === 0)) return false;
  await stageCategories(
    tx,
    stores.flatMap(({ categories }) => categories),
  );
  for (const rows of chunksOf(stores)) await stageProducts(tx, rows);
  return true;
}

function* chunksOf(stores: readonly StagedStore[]): Generator<string[]> {
  let rows: string[] = [];
  let characters = 0;
  for (const { products } of stores) {
    for (const row of products) {
      rows.push(row);
      characters += row.length;
      if (rows.length < STAGED_ROWS && characters < STAGED_CHARACTERS) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield rows;
}
