import { setTimeout as delay } from 'node:timers/promises';
import { pruneOptions } from '../catalog/prune-options.flow.ts';
import type { Db, Sql } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { mergeArrivals, releaseOwn } from '../stores/merges/merge-places.flow.ts';
import { findKnown } from '../stores/merges/merges.db.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { findFeedStates } from './feed-states.db.ts';
import { findMisplaced } from './find-misplaced.flow.ts';
import {
  type Audience,
  insertStores,
  lockProducts,
  removeMissing,
  type StoresWrite,
  upsertCategories,
  upsertProducts,
  upsertStores,
} from './import.db.ts';
import type { LinePlace, StoreOutcome } from './import-result.ts';
import type { Misplaced } from './inferred-feed.ts';
import { resetSandboxStock } from './reset-sandbox-stock.db.ts';
import type { SeenStores } from './seen-stores.ts';
import { createStaging, stageCategories, stageProducts, stageStores } from './staging.db.ts';
import type { StoreRows } from './store-rows.ts';

export type ImportDeps = { db: Db; clock: Clock };

/** A store with its whole catalogue as rows, and where it stood. */
export type StagedStore = StoreRows & { place: LinePlace; products: string[] };

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
  return BLAMES_DATA.test(sqlStateOf(error));
}

/** Runs the transaction again where it lost a race against another transaction. */
export async function inRetriedTransaction<T>(db: Db, work: (tx: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(sqlStateOf(error))) throw error;
      await delay(RETRY_STEP_MS * attempt);
    }
  }
}

export type StoresBatch = {
  source: string;
  stores: readonly StagedStore[];
  /** Stores that may become another business; null: every store may. */
  taken: SeenStores | null;
  /** Ends once the batch before is written: rows are staged beside that write, and written after it. */
  turn: Promise<void>;
};

/**
 * Writes stores with their catalogues in one transaction: every store whole, or nothing. Unchanged stores are not
 * touched; where no store has changed, nothing is written at all. With `taken`, a store that would become another
 * business is left as it is, unless it is among the taken stores.
 */
export async function writeStores(
  { db, clock }: ImportDeps,
  { source, stores, taken, turn }: StoresBatch,
): Promise<WrittenStores & { known: readonly string[] }> {
  const outcomes = new Map<string, StoreOutcome>(stores.map(({ storeId }) => [storeId, 'unchanged']));
  const states = await findFeedStates(db, [...outcomes.keys()]);
  const changed = stores.filter(({ storeId, feedHash }) => {
    const state = states.get(storeId);
    return !state?.listed || state.feedHash !== feedHash;
  });
  const known = [...states.keys()];
  if (changed.length === 0) return { outcomes, merged: 0, misplaced: new Map(), known };
  const written = await inRetriedTransaction(db, async (tx) => {
    await createStaging(tx);
    await stageStores(tx, changed);
    await stageCategories(
      tx,
      changed.flatMap(({ categories }) => categories),
    );
    for (const rows of chunksOf(changed)) await stageProducts(tx, rows);
    await turn;
    const hasCatalogues = changed.some(({ categories, products }) => categories.length + products.length > 0);
    return mergeStaged(tx, { source, stores: changed, at: clock.now(), taken, hasCatalogues });
  });
  for (const [storeId, outcome] of written.outcomes) outcomes.set(storeId, outcome);
  for (const storeId of written.misplaced.keys()) outcomes.delete(storeId);
  return { ...written, outcomes, known };
}

/** The outcome of each store but the misplaced stores, which are not written, and the number of merged stores. */
export type WrittenStores = {
  outcomes: Map<string, StoreOutcome>;
  merged: number;
  misplaced: ReadonlyMap<string, Misplaced>;
};

/** Stores that are staged with their catalogues. Imports bring stores for everyone. */
type StagedStores = {
  source: string;
  stores: readonly StoreRows[];
  at: Temporal.Instant;
  audience?: Audience;
  /** Stores that may become another business, of a feed without a stated source; without this set every store may. */
  taken?: SeenStores | null;
  /** False where no category or product is staged. */
  hasCatalogues?: boolean;
};

/**
 * Moves the staged rows of this transaction into the catalogue, and merges stores that are one business. The number of
 * the change is the first lock: no other import writes a store between its comparison and its change.
 */
export async function mergeStaged(tx: Sql, { stores, taken = null, ...staged }: StagedStores): Promise<WrittenStores> {
  const seq = await nextChange(tx);
  const misplaced = taken === null ? new Map<string, Misplaced>() : await findMisplaced(tx, stores, taken);
  const placed = stores.filter(({ storeId }) => !misplaced.has(storeId));
  if (placed.length === 0) return { outcomes: new Map(), merged: 0, misplaced };
  return { ...(await mergePlaced(tx, { ...staged, stores: placed, seq })), misplaced };
}

async function mergePlaced(
  tx: Sql,
  {
    source,
    stores,
    at,
    audience = 'everyone',
    hasCatalogues = true,
    seq,
  }: Omit<StagedStores, 'taken'> & { seq: number },
): Promise<Omit<WrittenStores, 'misplaced'>> {
  const asked = stores.map(({ storeId }) => storeId);
  const { known, away } = await findKnown(tx, asked);
  const write = { source, seq, at, audience };
  const written = known === 0 ? await insertAll(tx, asked, write) : await upsertStores(tx, asked, write);
  const storeIds = written.map(({ storeId }) => storeId);
  const existing = written.filter(({ created }) => !created).map(({ storeId }) => storeId);
  if (existing.length > 0 || (hasCatalogues && storeIds.length > 0)) await mergeCatalogues(tx, storeIds, existing);
  if (storeIds.length > 0) await notifyChange(tx);
  const outcomes = new Map<string, StoreOutcome>(stores.map(({ storeId }) => [storeId, 'unchanged']));
  for (const { storeId, created } of written) outcomes.set(storeId, created ? 'created' : 'updated');
  const back = new Set(away);
  const arrivals = [...outcomes].filter(([storeId, outcome]) => outcome === 'created' || back.has(storeId));
  await releaseOwn(tx, away, { seq, at });
  const merged = await mergeArrivals(
    tx,
    arrivals.map(([storeId]) => storeId),
    { seq, at },
  );
  return { outcomes, merged };
}

async function insertAll(tx: Sql, storeIds: readonly string[], write: StoresWrite) {
  await insertStores(tx, storeIds, write);
  return storeIds.map((storeId) => ({ storeId, created: true }));
}

/** Writes the staged catalogues of the stores, of which some existed before. */
async function mergeCatalogues(tx: Sql, storeIds: readonly string[], existing: readonly string[]): Promise<void> {
  if (existing.length > 0) await lockProducts(tx, existing);
  await upsertCategories(tx, storeIds);
  if (existing.length > 0) await resetSandboxStock(tx, existing);
  await upsertProducts(tx, storeIds);
  if (existing.length === 0) return;
  await pruneOptions(tx, existing);
  await removeMissing(tx, existing);
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

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
