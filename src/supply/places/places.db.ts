import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { StoreType } from '../stores/store.ts';

/** A directory place's store. */
export type PlaceLink = {
  directoryPlaceId: string;
  placeId: string;
  /** The place's store, or the store it was merged into. */
  storeId: string;
  storeType: StoreType;
  /** Whether that store is listed. */
  isListed: boolean;
  /** The sandboxes of that store. */
  sandboxAccounts: readonly string[] | null;
};

/** Finds links of these directory places, in one query. */
export async function findPlaceLinks(sql: Sql, directory: string, directoryPlaceIds: readonly string[]) {
  if (directoryPlaceIds.length === 0) return [];
  const rows = await sql
    .selectFrom('placeLinks as l')
    .innerJoin('stores as s', 's.storeId', 'l.storeId')
    .innerJoin('stores as t', (join) => join.onRef('t.storeId', '=', raw`coalesce(s.merged_into, s.store_id)`))
    .select(['l.directoryPlaceId', 'l.placeId', 't.storeId', 't.listed', 't.mergedInto', 't.sandboxAccounts'])
    .select(raw<StoreType>`t.profile->>'type'`.as('storeType'))
    .where('l.directory', '=', directory)
    .where('l.directoryPlaceId', 'in', directoryPlaceIds)
    .execute();
  return rows.map(({ listed, mergedInto, ...link }) => ({ ...link, isListed: listed && mergedInto === null }));
}

/** Saves a place's store. A later store replaces it, and the place's id stays. */
export async function savePlaceLink(
  sql: Sql,
  link: Omit<PlaceLink, 'storeType' | 'isListed' | 'sandboxAccounts'> & { directory: string },
  at: Temporal.Instant,
): Promise<void> {
  const { directory, directoryPlaceId, placeId, storeId } = link;
  await sql
    .insertInto('placeLinks')
    .values({ directory, directoryPlaceId, placeId, storeId, addedAt: at.toString() })
    .onConflict((conflict) => conflict.columns(['directory', 'directoryPlaceId']).doUpdateSet({ storeId }))
    .execute();
}

/** A store with limited caching, and its directory place. */
export type CachedStore = {
  storeId: string;
  directory: string | null;
  directoryPlaceId: string | null;
  cachedUntil: Temporal.Instant;
  /** Whether search shows the store; hidden stores are not refreshed. */
  isShown: boolean;
};

/** Finds stores whose caching ends before a moment, by deadline, after the given store. */
export async function findExpiringStores(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after: CachedStore | undefined; limit: number },
): Promise<CachedStore[]> {
  const rows = await sql
    .selectFrom('stores as s')
    // Several places may be one store. The store is a copy of the place that its external id names
    // (`cacheableStoreOf`).
    .leftJoin('placeLinks as l', (join) =>
      join
        .onRef('l.storeId', '=', 's.storeId')
        .onRef('s.externalId', '=', raw`l.directory || ':' || l.directory_place_id`),
    )
    .select(['s.storeId', 's.refreshBy', 's.listed', 's.mergedInto', 'l.directory', 'l.directoryPlaceId'])
    .where('s.refreshBy', '<', instantParam(before))
    .$if(after !== undefined, (query) =>
      query.where(
        raw<boolean>`(s.refresh_by, s.store_id) > (${after?.cachedUntil.toString()}::timestamptz, ${after?.storeId})`,
      ),
    )
    .orderBy('s.refreshBy')
    .orderBy('s.storeId')
    .limit(limit)
    .execute();
  return rows.flatMap(({ listed, mergedInto, refreshBy, ...row }) =>
    refreshBy === null ? [] : { ...row, cachedUntil: refreshBy, isShown: listed && mergedInto === null },
  );
}

/** Whether the store is still this copy, because an import may have replaced it. */
export async function isStillCached(sql: Sql, { storeId, cachedUntil }: CachedStore): Promise<boolean> {
  const row = await sql.selectFrom('stores').select('refreshBy').where('storeId', '=', storeId).executeTakeFirst();
  return row?.refreshBy?.equals(cachedUntil) === true;
}

/**
 * Empties an expired store: it leaves search, and none of the directory's data remains. The row stays, because links
 * and earlier answers refer to its id.
 */
export async function emptyExpiredStore(sql: Sql, storeId: string, { seq, at }: { seq: number; at: Temporal.Instant }) {
  const nowhere = { streetAddr: '', streetAddr2: '', city: '', state: '', zipcode: '' };
  await sql
    .updateTable('stores')
    .set({
      profile: raw<string>`profile || jsonb_build_object('name', '', 'phone', '', 'phoneNumber', null, 'latitude', 0,
        'longitude', 0, 'timeZone', 'UTC', 'address', (profile->'address') || ${JSON.stringify(nowhere)}::jsonb)`,
      listed: false,
      brand: null,
      origins: null,
      refreshBy: null,
      feedHash: Buffer.alloc(0),
      changedSeq: seq,
      updatedAt: at.toString(),
    })
    .where('storeId', '=', storeId)
    .execute();
}
