import { sql as raw } from 'kysely';
import type { Shop } from '../../access/accounts/shops.db.ts';
import type { Sql } from '../../platform/db/connect.ts';

/** The stores of a shop that take orders online, by their IDs: at most `limit`. */
export async function listShopStores(
  sql: Sql,
  { mode, storeIds }: Pick<Shop, 'mode' | 'storeIds'>,
  limit: number,
): Promise<{ storeId: string; name: string }[]> {
  return sql
    .selectFrom('stores')
    .select(['storeId', raw<string>`profile->>'name'`.as('name')])
    .where('listed', '=', true)
    .where('hasCatalog', '=', true)
    .where('onlineOrdering', '=', true)
    .where('mergedInto', 'is', null)
    .where('sandboxAccounts', 'is', null)
    .$if(mode === 'live', (query) => query.where('hasChannel', '=', true))
    .$if(storeIds !== null, (query) => query.where('storeId', 'in', [...(storeIds ?? [])]))
    .orderBy('storeId')
    .limit(limit)
    .execute();
}
