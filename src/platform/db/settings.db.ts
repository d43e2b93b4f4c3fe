import type { Sql } from './connect.ts';

/** Stores the value unless the setting exists, and returns the stored one, so that every node uses the same. */
export async function ensureSetting(sql: Sql, name: string, candidate: string): Promise<string> {
  await sql
    .insertInto('settings')
    .values({ name, value: candidate })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await sql.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}

/** Locks a setting until the transaction ends, and returns its value, with any change that the lock waited for. */
export async function lockSetting(tx: Sql, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('settings').select('value').where('name', '=', name).forUpdate().executeTakeFirst();
  return row?.value;
}

export async function findSettings(sql: Sql, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.selectFrom('settings').select(['name', 'value']).where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function writeSetting(sql: Sql, name: string, value: string): Promise<void> {
  await sql
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Returns false if the setting does not exist. */
export async function deleteSetting(sql: Sql, name: string): Promise<boolean> {
  const { numDeletedRows } = await sql.deleteFrom('settings').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
