import type { KeyMode } from '../../access/accounts/account.ts';
import type { InstantColumn, JsonColumn } from '../../platform/db/columns.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { StreetAddress } from '../stores/street-address.ts';

/* The doors that a signed-in customer's orders went to, which the shop offers again. */

/** A door: its address on one line, its coordinate in degrees, and its parts. */
export type SavedAddress = { address: string; latitude: number; longitude: number; parts: StreetAddress };
type Owner = { accountId: string; mode: KeyMode; userId: string };

declare module '../../platform/db/tables.ts' {
  interface Database {
    customerAddresses: Owner & {
      address: string;
      door: JsonColumn<Omit<SavedAddress, 'address'>>;
      usedAt: InstantColumn;
    };
  }
}

const MAX_SAVED = 10;

/** Lists the doors of a customer, the last one first. */
export async function listSavedAddresses(sql: Sql, { accountId, mode, userId }: Owner): Promise<SavedAddress[]> {
  const rows = await sql
    .selectFrom('customerAddresses')
    .select(['address', 'door'])
    .where((eb) => eb.and({ accountId, mode, userId }))
    .orderBy('usedAt', 'desc')
    .limit(MAX_SAVED)
    .execute();
  return rows.map(({ address, door }) => ({ address, ...door }));
}

/** Saves an address, and deletes the least recently used ones beyond ten. */
export async function saveAddress(
  sql: Sql,
  { accountId, mode, userId }: Owner,
  { address, ...place }: SavedAddress,
  at: Temporal.Instant,
): Promise<void> {
  const row = { door: JSON.stringify(place), usedAt: at.toString() };
  await sql
    .insertInto('customerAddresses')
    .values({ accountId, mode, userId, address, ...row })
    .onConflict((conflict) => conflict.columns(['accountId', 'mode', 'userId', 'address']).doUpdateSet(row))
    .execute();
  const kept = await listSavedAddresses(sql, { accountId, mode, userId });
  await sql
    .deleteFrom('customerAddresses')
    .where((eb) => eb.and({ accountId, mode, userId }))
    .where(
      'address',
      'not in',
      kept.map((one) => one.address),
    )
    .execute();
}

export async function deleteAddress(sql: Sql, { accountId, mode, userId }: Owner, address: string): Promise<void> {
  await sql
    .deleteFrom('customerAddresses')
    .where((eb) => eb.and({ accountId, mode, userId, address }))
    .execute();
}
