import type { Sql } from '../db/connect.ts';
import type { StoreHours } from './hours.ts';

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

/** Null ends the pause. */
export async function updatePause(sql: Sql, storeId: string, until: Temporal.Instant | null): Promise<void> {
  await sql
    .updateTable('stores')
    .set({ pausedUntil: until === null ? null : until.toString() })
    .where('storeId', '=', storeId)
    .execute();
}

/** The hours that the store has set itself; null where the feed's hours count, and for an unknown store. */
export async function findOwnHours(sql: Sql, storeId: string): Promise<StoreHours | null> {
  const row = await sql.selectFrom('stores').select('ownHours').where('storeId', '=', storeId).executeTakeFirst();
  return row?.ownHours ?? null;
}

export async function updateOwnHours(sql: Sql, storeId: string, hours: StoreHours | null): Promise<void> {
  await sql
    .updateTable('stores')
    .set({ ownHours: hours === null ? null : JSON.stringify(hours) })
    .where('storeId', '=', storeId)
    .execute();
}
