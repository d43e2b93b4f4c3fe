import type { Sql } from './connect.ts';

/** Stores the value unless the name already has one, and returns the stored value: every node gets the same value. */
export async function ensureSetting(sql: Sql, name: string, candidate: string): Promise<string> {
  await sql
    .insertInto('settings')
    .values({ name, value: candidate })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await sql.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}

/** The values of these names, as one statement sees them. `isLocked`: until the transaction ends, nobody else changes them. */
export async function findSettings(
  sql: Sql,
  names: readonly string[],
  { isLocked = false } = {},
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'in', names)
    .$if(isLocked, (query) => query.forUpdate())
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores the value in the place of an earlier value. */
export async function writeSetting(sql: Sql, name: string, value: string): Promise<void> {
  await sql
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Whether there was such a setting. */
export async function deleteSetting(sql: Sql, name: string): Promise<boolean> {
  const { numDeletedRows } = await sql.deleteFrom('settings').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
