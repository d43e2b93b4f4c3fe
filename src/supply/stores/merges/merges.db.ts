import { sql as raw } from 'kysely';
import type { Sql } from '../../../platform/db/connect.ts';
import type { Store, StoreType } from '../store.ts';
import type { ComparedStore, Merge } from './decide-merges.ts';
import { SAME_PLACE_METERS } from './same-place.ts';

/* Merges of two records of one store in SQL: the decision, its reversal, and the pair's presentation in search. */

type Change = { seq: number; at: Temporal.Instant };

/** Finds pairs of these stores whose merge an operator has undone. */
export async function findUndonePairs(sql: Sql, storeIds: readonly string[]): Promise<(readonly [string, string])[]> {
  const rows = await sql
    .selectFrom('storeMerges')
    .select(['storeId', 'intoStoreId'])
    .where('undoneAt', 'is not', null)
    .where((eb) => eb.or([eb('storeId', 'in', storeIds), eb('intoStoreId', 'in', storeIds)]))
    .execute();
  return rows.map((row) => [row.storeId, row.intoStoreId] as const);
}

/** Finds which of these existing stores are not in search. Read before an import lists them. */
export async function findUnlisted(sql: Sql, storeIds: readonly string[]): Promise<string[]> {
  if (storeIds.length === 0) return [];
  const { rows } = await raw<{ storeId: string }>`
    select store_id from stores
    where store_id = any(${storeIds}) and (not listed or merged_into is not null)`.execute(sql);
  return rows.map((row) => row.storeId);
}

/** Saves decisions, one per pair; a repeated decision is renewed. */
export async function saveMerges(sql: Sql, merges: readonly (Merge & { mergeId: string })[], at: Temporal.Instant) {
  const rows = JSON.stringify(
    merges.map(({ mergeId, storeId, intoStoreId, reason, meters }) => ({
      merge_id: mergeId,
      store_id: storeId,
      into_store_id: intoStoreId,
      reason,
      meters,
    })),
  );
  const columns = raw.raw('merge_id text, store_id text, into_store_id text, reason text, meters double precision');
  await raw`
    with taken as (select * from json_to_recordset(${rows}::json) as r(${columns})),
    renewed as (
      update store_merges as m set reason = t.reason, meters = t.meters, ended_at = null,
        decided_at = ${at.toString()}::timestamptz
      from taken as t where m.store_id = t.store_id and m.into_store_id = t.into_store_id and m.undone_at is null
      returning m.store_id
    )
    insert into store_merges (merge_id, store_id, into_store_id, reason, meters, decided_at)
    select merge_id, store_id, into_store_id, reason, meters, ${at.toString()}::timestamptz
    from taken where store_id not in (select store_id from renewed)`.execute(sql);
}

/**
 * Removes stores from search in favor of their standing stores; stores merged into them follow. A standing store exists
 * for all callers of its merged stores, because a sandbox's store must never hide a live one, and is delisted if one of
 * them is.
 */
export async function mergeInto(sql: Sql, standing: ReadonlyMap<string, string>, { seq, at }: Change): Promise<void> {
  const gone = [...standing.keys()];
  const standingIds = [...standing.values()];
  await raw`
    update stores as s set merged_into = t.standing_id, changed_seq = ${seq}, updated_at = ${at.toString()}::timestamptz
    from unnest(${gone}::text[], ${standingIds}::text[]) as t(gone_id, standing_id)
    where coalesce(s.merged_into, s.store_id) = t.gone_id
      and (s.store_id = any(${gone}) or s.merged_into = any(${gone}))`.execute(sql);
  await raw`
    update stores as s set sandbox_accounts = case when not m.is_everyones then m.accounts end,
      changed_seq = ${seq}, updated_at = ${at.toString()}::timestamptz
    from (
      select t.standing_id, bool_or(g.sandbox_accounts is null) as is_everyones,
        array_agg(distinct a.account) filter (where a.account is not null) as accounts
      from unnest(${gone}::text[], ${standingIds}::text[]) as t (gone_id, standing_id)
      join stores as g on g.store_id in (t.gone_id, t.standing_id)
      left join lateral unnest(g.sandbox_accounts) as a (account) on true
      group by t.standing_id
    ) as m
    where s.store_id = m.standing_id and s.sandbox_accounts is not null`.execute(sql);
  await raw`
    update stores as s set delisted_at = g.delisted_at, delist_reason = g.delist_reason, changed_seq = ${seq},
      updated_at = ${at.toString()}::timestamptz
    from unnest(${gone}::text[], ${standingIds}::text[]) as t (gone_id, standing_id)
    join stores as g on g.store_id = t.gone_id and g.delisted_at is not null
    where s.store_id = t.standing_id and s.delisted_at is null`.execute(sql);
}

/**
 * Ends the merges into these stores, whose delisting they inherit; returns the stores that are back in search, oldest
 * first.
 */
export async function releaseMerged(sql: Sql, storeIds: readonly string[], { seq, at }: Change): Promise<string[]> {
  if (storeIds.length === 0) return [];
  const { rows } = await raw<{ storeId: string }>`
    with released as (
      update stores as s set merged_into = null, delisted_at = t.delisted_at, delist_reason = t.delist_reason,
        changed_seq = ${seq}, updated_at = ${at.toString()}::timestamptz
      from stores as t where s.merged_into = any(${storeIds}) and t.store_id = s.merged_into
      returning s.store_id, s.listed, s.created_at
    ), ended as (
      update store_merges set ended_at = ${at.toString()}::timestamptz
      where store_id in (select store_id from released) and ended_at is null and undone_at is null
    )
    select store_id from released where listed order by created_at, store_id`.execute(sql);
  return rows.map((row) => row.storeId);
}

/** Finds the merged stores that now have their own feed or a catalog. */
export async function findMergedOwn(sql: Sql, storeIds: readonly string[]): Promise<string[]> {
  const { rows } = await raw<{ storeId: string }>`
    select store_id from stores
    where store_id = any(${storeIds}) and merged_into is not null and (origins is null or has_catalog)`.execute(sql);
  return rows.map((row) => row.storeId);
}

export async function endMerge(sql: Sql, storeId: string, at: Temporal.Instant): Promise<void> {
  await sql
    .updateTable('storeMerges')
    .set({ endedAt: at.toString() })
    .where('storeId', '=', storeId)
    .where('endedAt', 'is', null)
    .where('undoneAt', 'is', null)
    .execute();
}

export type MergeRow = {
  mergeId: string;
  storeId: string;
  name: string;
  source: string;
  intoStoreId: string;
  intoName: string;
  intoSource: string;
  reason: Merge['reason'];
  meters: number;
  decidedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
  undoneAt: Temporal.Instant | null;
};

/** Returns a decision's state. `merged`: search shows one store. `ended`: it left search. `undone`: by an operator. */
export function mergeState({ undoneAt, endedAt }: MergeRow): 'merged' | 'ended' | 'undone' {
  if (undoneAt !== null) return 'undone';
  return endedAt === null ? 'merged' : 'ended';
}

const MERGE_COLUMNS = raw.raw(`m.merge_id, m.store_id, s.profile->>'name' as name, s.source, m.into_store_id,
  t.profile->>'name' as into_name, t.source as into_source, m.reason, m.meters, m.decided_at, m.ended_at, m.undone_at`);

/** Lists decisions after the given one, newest first. */
export async function listMerges(sql: Sql, after: Pick<MergeRow, 'decidedAt' | 'mergeId'> | undefined, limit: number) {
  const from = after
    ? raw`where (m.decided_at, m.merge_id) < (${after.decidedAt.toString()}::timestamptz, ${after.mergeId})`
    : raw``;
  const { rows } = await raw<MergeRow>`
    select ${MERGE_COLUMNS} from store_merges as m
    join stores as s on s.store_id = m.store_id join stores as t on t.store_id = m.into_store_id
    ${from} order by m.decided_at desc, m.merge_id desc limit ${limit}`.execute(sql);
  return rows;
}

export async function findMerge(sql: Sql, mergeId: string): Promise<MergeRow | undefined> {
  const { rows } = await raw<MergeRow>`
    select ${MERGE_COLUMNS} from store_merges as m
    join stores as s on s.store_id = m.store_id join stores as t on t.store_id = m.into_store_id
    where m.merge_id = ${mergeId}`.execute(sql);
  return rows[0];
}

/** Marks a decision as permanently undone; returns false if it already was. */
export async function markUndone(sql: Sql, mergeId: string, at: Temporal.Instant): Promise<boolean> {
  const result = await sql
    .updateTable('storeMerges')
    .set({ undoneAt: at.toString() })
    .where('mergeId', '=', mergeId)
    .where('undoneAt', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends a store's merge; stores merged into it follow. Returns whether its feed still lists it. */
export async function unmergeStore(sql: Sql, storeId: string, { seq, at }: Change): Promise<boolean> {
  const { rows } = await raw<{ storeId: string; listed: boolean }>`
    with recursive theirs as (
      select ${storeId}::text as store_id
      union
      select m.store_id from theirs
      join store_merges as m on m.into_store_id = theirs.store_id and m.ended_at is null and m.undone_at is null
    )
    update stores as s set merged_into = nullif(${storeId}, s.store_id), changed_seq = ${seq},
      updated_at = ${at.toString()}::timestamptz
    from theirs where s.store_id = theirs.store_id returning s.store_id, s.listed`.execute(sql);
  return rows.some((row) => row.storeId === storeId && row.listed);
}

/** Half the side of the search box, slightly more than the distance: a box in degrees only approximates a circle. */
const BOX_DEGREES = (SAME_PLACE_METERS * 1.1) / 111_195;
/** Maximum stores compared around one coordinate, more than any food court has; protects against hostile files. */
export const MAX_NEARBY = 500;

const COMPARED = raw.raw(`s.store_id, s.origins is null or s.has_catalog as is_own, s.profile->>'type' as store_type,
  s.profile->>'name' as name, s.brand, (s.profile->>'phoneNumber')::bigint as phone_number, s.latitude, s.longitude, s.sandbox_accounts`);

/** A store in search with the compared fields. */
export type StoreNearby = ComparedStore & Pick<Store, 'sandboxAccounts'> & { storeType: StoreType };

/** Whether any store is from an open directory. The sort lets PostgreSQL use the index of these stores. */
export async function hasPlaceStores(sql: Sql): Promise<boolean> {
  const { rows } = await raw`
    select spot_row from stores where origins is not null order by spot_row, longitude limit 1`.execute(sql);
  return rows.length > 0;
}

/** Finds the stores in search, in the given order. */
export async function findCompared(sql: Sql, storeIds: readonly string[]): Promise<ComparedStore[]> {
  const { rows } = await raw<StoreNearby>`
    select ${COMPARED} from unnest(${storeIds}::text[]) with ordinality as a(store_id, nth)
    join stores as s on s.store_id = a.store_id
    where s.listed and s.merged_into is null order by a.nth`.execute(sql);
  return rows;
}

/**
 * Finds stores in search near each coordinate, in the order of the coordinates. `placesOnly` excludes stores with their
 * own feed; alongside the store itself, more than MAX_NEARBY if there are more. One query, by the index of `spot_row`.
 */
export async function findNearby(
  sql: Sql,
  spots: readonly { latitude: number; longitude: number }[],
  { placesOnly }: { placesOnly: boolean },
): Promise<StoreNearby[][]> {
  const found = spots.map((): StoreNearby[] => []);
  if (spots.length === 0) return found;
  const onlyPlaces = placesOnly ? raw`and s.origins is not null` : raw``;
  const latitudes = spots.map(({ latitude }) => latitude);
  const longitudes = spots.map(({ longitude }) => longitude);
  // The lower bound of the cosine matters only north of all stores.
  const { rows } = await raw<StoreNearby & { nth: number }>`
    select a.nth, n.*
    from unnest(${latitudes}::float8[], ${longitudes}::float8[]) with ordinality as a(latitude, longitude, nth)
    cross join lateral (
      select ${COMPARED} from stores as s
      where s.spot_row = any(array[floor((a.latitude - ${BOX_DEGREES}) * 1000)::integer,
          floor(a.latitude * 1000)::integer, floor((a.latitude + ${BOX_DEGREES}) * 1000)::integer])
        and s.longitude between a.longitude - ${BOX_DEGREES} / greatest(0.05, cos(radians(a.latitude)))
          and a.longitude + ${BOX_DEGREES} / greatest(0.05, cos(radians(a.latitude)))
        and s.listed and s.merged_into is null ${onlyPlaces}
      limit ${MAX_NEARBY + 2}
    ) as n`.execute(sql);
  for (const { nth, ...row } of rows) found[nth - 1]?.push(row);
  return found;
}
