import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

export type ListedStore = {
  storeId: string;
  externalId: string;
  name: string;
  source: string;
  /** Whether its feed names it. */
  listed: boolean;
  /** The store that search shows instead, since both are the same place. */
  mergedInto: string | null;
};

const COLUMNS = [
  'storeId',
  'externalId',
  'source',
  'listed',
  'mergedInto',
  raw<string>`profile->>'name'`.as('name'),
] as const;

/** The next stores by source and the feed's own id, after the given store; without it from the start. */
export async function listStoresAfter(
  sql: Sql,
  after: Pick<ListedStore, 'source' | 'externalId'> | undefined,
  { source, limit }: { source?: string | undefined; limit: number },
): Promise<ListedStore[]> {
  return sql
    .selectFrom('stores')
    .select(COLUMNS)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('source', 'externalId'), '>', tuple(after?.source ?? '', after?.externalId ?? '')),
      ),
    )
    .orderBy('source')
    .orderBy('externalId')
    .limit(limit)
    .execute();
}

export async function findListedStore(sql: Sql, storeId: string): Promise<ListedStore | undefined> {
  return sql.selectFrom('stores').select(COLUMNS).where('storeId', '=', storeId).executeTakeFirst();
}
