import type { Sql } from './connect.ts';

/** Keeps the first value ever written under a name and returns it: every node ends with the same one. */
export async function ensureSetting(sql: Sql, name: string, candidate: string): Promise<string> {
  await sql
    .insertInto('settings')
    .values({ name, value: candidate })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await sql.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
