import { sql as raw } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';

export type FoundStore = {
  storeId: string;
  name: string;
  city: string;
  state: string;
  source: string;
  listed: boolean;
  mergedInto: string | null;
  onlineOrdering: boolean;
  hasCatalogue: boolean;
  hasChannel: boolean;
  isFailing: boolean;
};

const COLUMNS = [
  ...(['storeId', 'source', 'listed', 'mergedInto', 'onlineOrdering', 'hasCatalogue', 'hasChannel'] as const),
  raw<string>`profile->>'name'`.as('name'),
  raw<string>`profile->'address'->>'city'`.as('city'),
  raw<string>`profile->'address'->>'state'`.as('state'),
  raw<boolean>`exists (select 1 from store_channels as c
    where c.store_id = stores.store_id and c.failing_since is not null)`.as('isFailing'),
] as const;

/** With the collation C an index serves both the beginning of a name and its order. */
const lowerName = raw<string>`lower(profile->>'name') collate "C"`;

/** Stores whose name begins with a text, sorted by name and id, after a row of an earlier page. */
export async function findStoresByName(
  sql: Sql,
  { name, after, limit }: { name: string; after: { name: string; storeId: string } | undefined; limit: number },
): Promise<FoundStore[]> {
  const prefix = `${name.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  let query = sql.selectFrom('stores').select(COLUMNS).where(lowerName, 'like', prefix);
  if (after) {
    query = query.where(
      raw<boolean>`(lower(profile->>'name') collate "C", store_id) > (lower(${after.name}::text) collate "C", ${after.storeId})`,
    );
  }
  return query.orderBy(lowerName).orderBy('storeId').limit(limit).execute();
}

/** Stores of a feed, or of all feeds, by the feed's own ids, after a row of an earlier page. */
export async function listStoresOfFeed(
  sql: Sql,
  { source, afterId, limit }: { source: string | undefined; afterId: string | undefined; limit: number },
): Promise<FoundStore[]> {
  let query = sql.selectFrom('stores').select(COLUMNS);
  if (source !== undefined) query = query.where('source', '=', source);
  if (afterId !== undefined) {
    query = query.where(
      raw<boolean>`(source, external_id) > (select s.source, s.external_id from stores as s where s.store_id = ${afterId})`,
    );
  }
  return query.orderBy('source').orderBy('externalId').limit(limit).execute();
}

export async function findListed(sql: Sql, storeId: string): Promise<FoundStore | undefined> {
  return sql.selectFrom('stores').select(COLUMNS).where('storeId', '=', storeId).executeTakeFirst();
}

export type StoreKeyRow = {
  keyId: string;
  accountId: string | null;
  storeId: string | null;
  mode: KeyMode;
  hint: string;
  createdAt: Temporal.Instant;
  revokedAt: Temporal.Instant | null;
};

/** The newest keys of a store, without their secrets. */
export async function listStoreKeys(sql: Sql, storeId: string, limit: number): Promise<StoreKeyRow[]> {
  return sql
    .selectFrom('apiKeys')
    .select(['keyId', 'accountId', 'storeId', 'mode', 'hint', 'createdAt', 'revokedAt'])
    .where('storeId', '=', storeId)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}
