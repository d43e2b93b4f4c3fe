import { bringBackMerged } from '../stores/merges/merge-places.flow.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { findListedStoreIds, unlistStores } from './feed-states.db.ts';
import type { SeenStores } from './seen-stores.ts';
import { type ImportDeps, inRetriedTransaction } from './write-stores.flow.ts';

/** Stores of one page and one transaction: nodes read all stores of one change number at once. */
const PAGE_STORES = 500;

/** Takes the stores of a feed that it no longer names out of search, and returns how many. */
export async function pruneFeed({ db, clock }: ImportDeps, source: string, seen: SeenStores): Promise<number> {
  let pruned = 0;
  let lastId = '';
  for (;;) {
    const listed = await findListedStoreIds(db, source, lastId, PAGE_STORES);
    const missing = listed.filter((storeId) => !seen.has(storeId));
    if (missing.length > 0) {
      pruned += await inRetriedTransaction(db, async (tx) => {
        const seq = await nextChange(tx);
        await notifyChange(tx);
        const change = { seq, at: clock.now() };
        const unlisted = await unlistStores(tx, missing, change);
        await bringBackMerged(tx, missing, change);
        return unlisted;
      });
    }
    const last = listed.at(-1);
    if (last === undefined || listed.length < PAGE_STORES) return pruned;
    lastId = last;
  }
}
