import type { Db } from '../db/connect.ts';
import { bringBackMerged } from '../stores/merges/merge-places.flow.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { findListedStoreIds, unlistStores } from './feed-states.db.ts';
import { type InferredFeed, keptFromPruning } from './inferred-feed.ts';
import type { SeenStores } from './seen-stores.ts';
import { type ImportDeps, inRetriedTransaction } from './write-stores.flow.ts';

/** Stores of one page and one transaction: nodes read all stores of one change number at once. */
const PAGE_STORES = 500;

/** Takes the stores of a feed that it no longer names out of search, and returns how many. */
export async function pruneFeed({ db, clock }: ImportDeps, source: string, seen: SeenStores): Promise<number> {
  let pruned = 0;
  for await (const listed of listedPages(db, source)) {
    const missing = listed.filter((storeId) => !seen.has(storeId));
    if (missing.length === 0) continue;
    pruned += await inRetriedTransaction(db, async (tx) => {
      const seq = await nextChange(tx);
      await notifyChange(tx);
      const change = { seq, at: clock.now() };
      const unlisted = await unlistStores(tx, missing, change);
      await bringBackMerged(tx, missing, change);
      return unlisted;
    });
  }
  return pruned;
}

/** Why the feed of a file name is not pruned; null where it may be, or where nothing of it is missing. */
export async function findPruneFault(
  db: Db,
  source: string,
  { seen, inferred }: { seen: SeenStores; inferred: InferredFeed },
): Promise<string | null> {
  // Most files name their feed, which needs no reading.
  if (keptFromPruning(source, inferred, false) === null) return null;
  let namesListed = false;
  let isMissing = false;
  for await (const listed of listedPages(db, source)) {
    namesListed ||= listed.some((storeId) => seen.has(storeId) && !inferred.taken.has(storeId));
    isMissing ||= listed.some((storeId) => !seen.has(storeId));
  }
  return isMissing ? keptFromPruning(source, inferred, namesListed) : null;
}

async function* listedPages(db: Db, source: string): AsyncGenerator<string[]> {
  for (let lastId: string | undefined = ''; lastId !== undefined; ) {
    const listed: string[] = await findListedStoreIds(db, source, lastId, PAGE_STORES);
    yield listed;
    lastId = listed.length < PAGE_STORES ? undefined : listed.at(-1);
  }
}
