import type { Sql } from '../db/connect.ts';
import type { OwnHours } from './hours-exceptions.ts';

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

/** A store that is unknown has set neither hours nor exceptions. */
export async function findOwnHours(sql: Sql, storeId: string): Promise<OwnHours> {
  const row = await sql
    .selectFrom('stores')
    .select(['ownHours', 'ownHoursExceptions'])
    .where('storeId', '=', storeId)
    .executeTakeFirst();
  return { hours: row?.ownHours ?? null, exceptions: row?.ownHoursExceptions ?? null };
}

/** An omitted value does not change; null returns to the feed's. */
export async function updateOwnHours(
  sql: Sql,
  storeId: string,
  { hours, exceptions }: Partial<OwnHours>,
): Promise<void> {
  await sql
    .updateTable('stores')
    .set({
      ...(hours === undefined ? {} : { ownHours: jsonOrNull(hours) }),
      ...(exceptions === undefined ? {} : { ownHoursExceptions: jsonOrNull(exceptions) }),
    })
    .where('storeId', '=', storeId)
    .execute();
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
