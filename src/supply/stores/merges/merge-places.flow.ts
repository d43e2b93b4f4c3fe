import type { Sql } from '../../../platform/db/connect.ts';
import { randomId } from '../../../platform/lib/random-id.ts';
import { nextChange, notifyChange } from '../stores.db.ts';
import { type ComparedStore, decideMerges, pairKey, standingStores } from './decide-merges.ts';
import {
  endMerge,
  findCompared,
  findMerge,
  findMergedOwn,
  findNearby,
  findUndonePairs,
  hasPlaceStores,
  MAX_NEARBY,
  type MergeRow,
  markUndone,
  mergeInto,
  releaseMerged,
  saveMerges,
  unmergeStore,
} from './merges.db.ts';

/** The change number that the caller's transaction has locked, and its time. */
type Change = { seq: number; at: Temporal.Instant };

/**
 * `merged`: the number of merges. `crowded`: stores with too many others nearby, which were compared with only some.
 */
export type Arrivals = { merged: number; crowded: readonly string[] };

/**
 * Merges stores that are new in search with nearby duplicates (docs/adr/0011-one-place-one-store.md). Without
 * directories it costs one index read. The caller's transaction must have locked the change clock.
 */
export async function mergeArrivals(tx: Sql, storeIds: readonly string[], change: Change): Promise<Arrivals> {
  if (storeIds.length === 0 || !(await hasPlaceStores(tx))) return { merged: 0, crowded: [] };
  const arrivals = await findCompared(tx, storeIds);
  const nearby = await findAround(tx, arrivals);
  const crowded = [...nearby].filter(([, others]) => others.length > MAX_NEARBY).map(([storeId]) => storeId);
  const undone = await findUndonePairs(tx, storeIds);
  const merges = decideMerges(
    arrivals,
    (storeId) => nearby.get(storeId) ?? [],
    new Set(undone.map(([one, other]) => pairKey(one, other))),
  );
  if (merges.length === 0) return { merged: 0, crowded };
  await saveMerges(
    tx,
    merges.map((merge) => ({ ...merge, mergeId: randomId('mrg_', 9) })),
    change.at,
  );
  await mergeInto(tx, standingStores(merges), change);
  return { merged: merges.length, crowded };
}

/** Finds stores around each new store, by id. One with its own feed is compared only with open directories' stores. */
async function findAround(tx: Sql, arrivals: readonly ComparedStore[]): Promise<Map<string, ComparedStore[]>> {
  const around = new Map<string, ComparedStore[]>();
  for (const isOwn of [true, false]) {
    const some = arrivals.filter((store) => store.isOwn === isOwn);
    const nearby = await findNearby(tx, some, { placesOnly: isOwn });
    for (const [nth, { storeId }] of some.entries()) {
      const others = nearby[nth]?.filter((store) => store.storeId !== storeId) ?? [];
      if (others.length > 0) around.set(storeId, others);
    }
  }
  return around;
}

/**
 * Returns merged stores to search that now have their own feed or a catalog, with the stores merged into them.
 * `storeIds` were not in search before. Runs in the transaction that wrote them.
 */
export async function releaseOwn(tx: Sql, storeIds: readonly string[], change: Change): Promise<void> {
  if (storeIds.length === 0) return;
  for (const storeId of await findMergedOwn(tx, storeIds)) {
    await endMerge(tx, storeId, change.at);
    await unmergeStore(tx, storeId, change);
  }
}

/**
 * Returns stores to search whose standing store left it, unless they duplicate another listed store. The caller's
 * transaction must have locked the change clock.
 */
export async function relistMerged(tx: Sql, goneIds: readonly string[], change: Change): Promise<void> {
  await mergeArrivals(tx, await releaseMerged(tx, goneIds, change), change);
}

/**
 * Undoes a decision permanently, in the caller's transaction: the store returns to search alongside its standing store.
 * Undefined for an unknown decision; a second undo changes nothing.
 */
export async function undoMerge(tx: Sql, mergeId: string, at: Temporal.Instant): Promise<MergeRow | undefined> {
  const seq = await nextChange(tx);
  const merge = await findMerge(tx, mergeId);
  if (!merge) return undefined;
  const isNew = await markUndone(tx, mergeId, at);
  // An ended decision moves no store, because the store is in search or merged elsewhere.
  if (isNew && merge.endedAt === null) {
    const isListed = await unmergeStore(tx, merge.storeId, { seq, at });
    // If the store left its feed while it was merged, stores merged into it return on their own.
    if (!isListed) await relistMerged(tx, [merge.storeId], { seq, at });
    await notifyChange(tx);
  }
  return findMerge(tx, mergeId);
}
