import type { Sql } from '../../platform/db/connect.ts';
import type { ManualLine } from './import-tables.ts';

/** The entry of a store added by an operator, and its ID in the feed of such stores. */
export async function findManualStore(sql: Sql, storeId: string) {
  return sql
    .selectFrom('manualStores as m')
    .innerJoin('stores as s', 's.storeId', 'm.storeId')
    .select(['m.line', 's.externalId'])
    .where('m.storeId', '=', storeId)
    .executeTakeFirst();
}

export async function saveManualLine(sql: Sql, storeId: string, line: ManualLine): Promise<void> {
  const text = JSON.stringify(line);
  await sql
    .insertInto('manualStores')
    .values({ storeId, line: text })
    .onConflict((conflict) => conflict.column('storeId').doUpdateSet({ line: text }))
    .execute();
}
