import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { StoreType } from '../stores/store.ts';

/** The store that a place of a directory is. */
export type PlaceLink = {
  directoryPlaceId: string;
  placeId: string;
  /** The store, or the store that it was merged into. */
  storeId: string;
  storeType: StoreType;
  /** Whether that store is in search. */
  isListed: boolean;
};

/** The links of these places of a directory, in one query. */
export async function findPlaceLinks(
  sql: Sql,
  directory: string,
  directoryPlaceIds: readonly string[],
): Promise<PlaceLink[]> {
  if (directoryPlaceIds.length === 0) return [];
  const rows = await sql
    .selectFrom('place_links as l')
    .innerJoin('stores as s', 's.store_id', 'l.store_id')
    .innerJoin('stores as t', (join) => join.onRef('t.store_id', '=', raw`coalesce(s.merged_into, s.store_id)`))
    .select(['l.directory_place_id', 'l.place_id', 't.store_id', 't.listed', 't.merged_into'])
    .select(raw<StoreType>`t.profile->>'type'`.as('type'))
    .where('l.directory', '=', directory)
    .where('l.directory_place_id', 'in', directoryPlaceIds)
    .execute();
  return rows.map((row) => ({
    directoryPlaceId: row.directory_place_id,
    placeId: row.place_id,
    storeId: row.store_id,
    storeType: row.type,
    isListed: row.listed && row.merged_into === null,
  }));
}

/** Saves which store a place is; a later store replaces the earlier one, and the place's id stays. */
export async function savePlaceLink(
  sql: Sql,
  link: { directory: string; directoryPlaceId: string; placeId: string; storeId: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql
    .insertInto('place_links')
    .values({
      directory: link.directory,
      directory_place_id: link.directoryPlaceId,
      place_id: link.placeId,
      store_id: link.storeId,
      added_at: at.toString(),
    })
    .onConflict((conflict) =>
      conflict.columns(['directory', 'directory_place_id']).doUpdateSet({ store_id: link.storeId }),
    )
    .execute();
}

/** Sets until when a store may be cached without reading its place again; null: for good. */
export async function setCachedUntil(sql: Sql, storeId: string, cachedUntil: Temporal.Instant | null): Promise<void> {
  await sql
    .updateTable('stores')
    .set({ refresh_by: cachedUntil?.toString() ?? null })
    .where('store_id', '=', storeId)
    .execute();
}

/** A store that may be cached for a limited time only, and its place in the directory. */
export type CachedStore = {
  storeId: string;
  directory: string | null;
  directoryPlaceId: string | null;
  cachedUntil: Temporal.Instant;
  /** Whether search shows the store: a merged or unlisted store need not be read again. */
  isShown: boolean;
};

/** Stores whose caching ends before that moment, sorted by its end, after the given store. */
export async function findExpiringStores(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after: CachedStore | undefined; limit: number },
): Promise<CachedStore[]> {
  const rows = await sql
    .selectFrom('stores as s')
    // Several places may be one store: the store is a copy of the place that its external id names (`keptStoreOf`).
    .leftJoin('place_links as l', (join) =>
      join
        .onRef('l.store_id', '=', 's.store_id')
        .onRef('s.external_id', '=', raw`l.directory || ':' || l.directory_place_id`),
    )
    .select(['s.store_id', 's.refresh_by', 's.listed', 's.merged_into', 'l.directory', 'l.directory_place_id'])
    .where('s.refresh_by', '<', instantParam(before))
    .$if(after !== undefined, (query) =>
      query.where(
        raw<boolean>`(s.refresh_by, s.store_id) > (${after?.cachedUntil.toString()}::timestamptz, ${after?.storeId})`,
      ),
    )
    .orderBy('s.refresh_by')
    .orderBy('s.store_id')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    if (row.refresh_by === null) return [];
    return {
      storeId: row.store_id,
      directory: row.directory,
      directoryPlaceId: row.directory_place_id,
      cachedUntil: row.refresh_by,
      isShown: row.listed && row.merged_into === null,
    };
  });
}

/** Whether the store is still that copy: an import may have replaced it while the directory was read. */
export async function isStillCached(sql: Sql, { storeId, cachedUntil }: CachedStore): Promise<boolean> {
  const row = await sql.selectFrom('stores').select('refresh_by').where('store_id', '=', storeId).executeTakeFirst();
  return row?.refresh_by?.equals(cachedUntil) === true;
}

/**
 * Empties an expired store: the store leaves search, and no data of the directory stays. The row stays, because links and
 * earlier answers name its id.
 */
export async function emptyExpiredStore(
  sql: Sql,
  storeId: string,
  { seq, at }: { seq: number; at: Temporal.Instant },
): Promise<void> {
  const nowhere = { streetAddr: '', streetAddr2: '', city: '', state: '', zipcode: '' };
  await sql
    .updateTable('stores')
    .set({
      profile: raw<string>`profile || jsonb_build_object('name', '', 'phone', '', 'phoneNumber', null, 'latitude', 0,
        'longitude', 0, 'timeZone', 'UTC', 'address', (profile->'address') || ${JSON.stringify(nowhere)}::jsonb)`,
      listed: false,
      brand: null,
      origins: null,
      refresh_by: null,
      feed_hash: Buffer.alloc(0),
      changed_seq: seq,
      updated_at: at.toString(),
    })
    .where('store_id', '=', storeId)
    .execute();
}
