import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../db/connect.ts';
import type { StoreHours } from './hours.ts';
import { findOwnHours, updateOwnHours } from './set-store.db.ts';
import type { Store } from './store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from './stores.db.ts';

/**
 * Sets the hours of a store in place of those of its feed, or returns to the feed's (null), in the caller's transaction;
 * undefined where there is no such store. They stay until the store sets others, or an import brings hours that differ
 * from that feed's previous hours. Writes nothing where nothing changes. The caller evicts the store's inventory once the
 * transaction is through.
 */
export async function setOwnHours(
  sql: Sql,
  storeId: string,
  hours: StoreHours | null,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  const before = await findStore(sql, storeId);
  if (!before || isDeepStrictEqual(await findOwnHours(sql, storeId), hours)) return before;
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  await updateOwnHours(sql, storeId, hours);
  await notifyChange(sql);
  return findStore(sql, storeId);
}
