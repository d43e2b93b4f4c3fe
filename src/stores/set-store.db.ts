import type { Sql } from '../db/connect.ts';

/** The live switches of a store; an omitted switch does not change. */
export type StoreSwitches = { onlineOrdering?: boolean; acceptDelivery?: boolean; acceptPickup?: boolean };

export async function updateSwitches(sql: Sql, storeId: string, switches: StoreSwitches): Promise<void> {
  const { onlineOrdering, acceptDelivery, acceptPickup } = switches;
  await sql
    .updateTable('stores')
    .set({
      ...(onlineOrdering === undefined ? {} : { online_ordering: onlineOrdering }),
      ...(acceptDelivery === undefined ? {} : { accept_delivery: acceptDelivery }),
      ...(acceptPickup === undefined ? {} : { accept_pickup: acceptPickup }),
    })
    .where('store_id', '=', storeId)
    .execute();
}
