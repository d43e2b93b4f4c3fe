import type { Insertable } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';

/** Saves links; known ones stay. */
export async function saveShortLinks(db: Sql, links: readonly Insertable<Database['shortLinks']>[]): Promise<void> {
  await db
    .insertInto('shortLinks')
    .values([...links])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Finds the sealed target of a link. */
export async function findShortLink(db: Sql, codeHash: Buffer): Promise<string | undefined> {
  const row = await db.selectFrom('shortLinks').select('target').where('codeHash', '=', codeHash).executeTakeFirst();
  return row?.target;
}
