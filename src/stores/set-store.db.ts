import type { Sql } from '../db/connect.ts';

/** The live switches of a store; an omitted switch does not change. */
export type StoreSwitches = { onlineOrdering?: boolean; acceptDelivery?: boolean; acceptPickup?: boolean };

export async function updateSwitches(sql: Sql, storeId: string, switches: StoreSwitches): Promise<void> {
  const { onlineOrdering, acceptDelivery, acceptPickup } = switches;
  await sql
    .updateTable('stores')
    .set({
      ...(onlineOrdering === undefined ? {} : { onlineOrdering }),
      ...(acceptDelivery === undefined ? {} : { acceptDelivery }),
      ...(acceptPickup === undefined ? {} : { acceptPickup }),
    })
    .where('storeId', '=', storeId)
    .execute();
}
