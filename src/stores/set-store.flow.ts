import type { Sql } from '../db/connect.ts';
import { type StoreSwitches, updateSwitches } from './set-store.db.ts';
import type { Store } from './store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from './stores.db.ts';

/**
 * Sets the switches of a store, in the caller's transaction; undefined where there is no such store. Switches that
 * already stand so write nothing. The caller evicts the store's inventory once the transaction is through.
 */
export async function setStore(
  sql: Sql,
  storeId: string,
  switches: StoreSwitches,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  const before = await findStore(sql, storeId);
  if (!before || isUnchanged(before, switches)) return before;
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  await updateSwitches(sql, storeId, switches);
  await notifyChange(sql);
  return findStore(sql, storeId);
}

function isUnchanged(store: Store, { onlineOrdering, acceptDelivery, acceptPickup }: StoreSwitches): boolean {
  return (
    (onlineOrdering ?? store.onlineOrdering) === store.onlineOrdering &&
    (acceptDelivery ?? store.delivery.accepting) === store.delivery.accepting &&
    (acceptPickup ?? store.pickup.accepting) === store.pickup.accepting
  );
}
