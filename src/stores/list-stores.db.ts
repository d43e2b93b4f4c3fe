import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

export type ListedStore = {
  store_id: string;
  external_id: string;
  name: string;
  source: string;
  /** Whether its feed names it. */
  listed: boolean;
  /** The store that search shows instead, since both are the same place. */
  merged_into: string | null;
};

const COLUMNS = [
  'store_id',
  'external_id',
  'source',
  'listed',
  'merged_into',
  raw<string>`profile->>'name'`.as('name'),
] as const;

/** The next stores by source and the feed's own id, after the given store; without it from the start. */
export async function listStoresAfter(
  sql: Sql,
  after: Pick<ListedStore, 'source' | 'external_id'> | undefined,
  { source, limit }: { source?: string | undefined; limit: number },
): Promise<ListedStore[]> {
  return sql
    .selectFrom('stores')
    .select(COLUMNS)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('source', 'external_id'), '>', tuple(after?.source ?? '', after?.external_id ?? '')),
      ),
    )
    .orderBy('source')
    .orderBy('external_id')
    .limit(limit)
    .execute();
}

export async function findListedStore(sql: Sql, storeId: string): Promise<ListedStore | undefined> {
  return sql.selectFrom('stores').select(COLUMNS).where('store_id', '=', storeId).executeTakeFirst();
}
