import type { Sql } from '../db/connect.ts';
import { updatePause } from './set-store.db.ts';
import type { Store } from './store.ts';
import { isPausedAt } from './store-open-state.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from './stores.db.ts';

/**
 * Closes a store for orders until a moment, in the caller's transaction; undefined where there is no such store. A second
 * pause replaces the first. The moment is rounded up to a whole second, as search counts time. The caller evicts the
 * store's inventory once the transaction is through.
 */
export async function pauseStore(
  sql: Sql,
  storeId: string,
  until: Temporal.Instant,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  return setPause(sql, storeId, until.round({ smallestUnit: 'second', roundingMode: 'ceil' }), at);
}

/** Ends a pause, in the same way. Writes nothing where the pause has ended by itself. */
export async function resumeStore(sql: Sql, storeId: string, at: Temporal.Instant): Promise<Store | undefined> {
  return setPause(sql, storeId, null, at);
}

async function setPause(
  sql: Sql,
  storeId: string,
  until: Temporal.Instant | null,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  const before = await findStore(sql, storeId);
  if (!before || isUnchanged(before, until, at)) return before;
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  await updatePause(sql, storeId, until);
  await notifyChange(sql);
  return findStore(sql, storeId);
}

function isUnchanged(store: Store, until: Temporal.Instant | null, at: Temporal.Instant): boolean {
  if (until === null) return !isPausedAt(store, at);
  return store.pausedUntil?.epochMilliseconds === until.epochMilliseconds;
}
