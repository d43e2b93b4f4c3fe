import { sql as raw } from 'kysely';
import type { Shop } from '../../access/accounts/shops.db.ts';
import type { Sql } from '../../platform/db/connect.ts';

/** A shop's stores that take orders online, by ID: up to `limit`, with IDs beginning with `digit`. */
export async function listShopStores(
  sql: Sql,
  { mode, storeIds }: Pick<Shop, 'mode' | 'storeIds'>,
  { limit, digit = '' }: { limit: number; digit?: string | undefined },
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
    .$if(digit !== '', (query) => query.where('storeId', '>=', digit).where('storeId', '<', `${digit}g`))
    .orderBy('storeId')
    .limit(limit)
    .execute();
}
