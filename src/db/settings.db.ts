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
