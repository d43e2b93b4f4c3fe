import type { Sql } from '../db/connect.ts';
import type { Store } from './store.ts';
import { findStore, nextChange, notifyChange } from './stores.db.ts';

/** The live switches of a store; one that is left out stays as it is. */
export type StoreSwitches = { onlineOrdering?: boolean; acceptDelivery?: boolean; acceptPickup?: boolean };

/**
 * Turns the switches of a store, in the caller's transaction; undefined where there is no such store. Switches that
 * already stand so write nothing. The caller evicts the store's inventory once the transaction is through.
 */
export async function setStore(
  sql: Sql,
  storeId: string,
  switches: StoreSwitches,
  at: Temporal.Instant,
): Promise<Store | undefined> {
  const before = await findStore(sql, storeId);
  if (!before || standsSo(before, switches)) return before;
  const seq = await nextChange(sql);
  const { onlineOrdering, acceptDelivery, acceptPickup } = switches;
  await sql
    .updateTable('stores')
    .set({
      ...(onlineOrdering === undefined ? {} : { online_ordering: onlineOrdering }),
      ...(acceptDelivery === undefined ? {} : { accept_delivery: acceptDelivery }),
      ...(acceptPickup === undefined ? {} : { accept_pickup: acceptPickup }),
      changed_seq: seq,
      updated_at: at.toString(),
    })
    .where('store_id', '=', storeId)
    .execute();
  await notifyChange(sql);
  return findStore(sql, storeId);
}

function standsSo(store: Store, { onlineOrdering, acceptDelivery, acceptPickup }: StoreSwitches): boolean {
  return (
    (onlineOrdering ?? store.onlineOrdering) === store.onlineOrdering &&
    (acceptDelivery ?? store.delivery.accepting) === store.delivery.accepting &&
    (acceptPickup ?? store.pickup.accepting) === store.pickup.accepting
  );
}
