import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../db/connect.ts';
import type { OwnHours } from './hours-exceptions.ts';
import { findOwnHours, updateOwnHours } from './set-store.db.ts';
import type { Store } from './store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from './stores.db.ts';

/**
 * Sets the hours or the exceptions of a store in place of those of its feed, or returns to the feed's (null), in the
 * caller's transaction. An omitted value is not written, so that two changes at once keep each other's. Each value stays
 * until the store sets another, or an import brings a value that differs from that feed's previous value. Undefined where
 * there is no such store; writes nothing where nothing changes. The caller evicts the store's inventory once the
 * transaction is through.
 */
export async function setOwnHours(
  sql: Sql,
  storeId: string,
  changes: Partial<OwnHours>,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  const before = await findStore(sql, storeId);
  const known = await findOwnHours(sql, storeId);
  if (!before || isDeepStrictEqual(known, { ...known, ...changes })) return before;
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  await updateOwnHours(sql, storeId, changes);
  await notifyChange(sql);
  return findStore(sql, storeId);
}
