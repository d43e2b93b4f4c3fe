import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { ComparedStore } from './decide-merges.ts';
import { SAME_PLACE_METRES } from './same-place.ts';

/** A little more than the distance: boxes are cut on a sphere of whole degrees. */
const BOX_DEGREES = (SAME_PLACE_METRES * 1.1) / 111_195;
/** Stores looked at around one: above any food court, and a bound on what a hostile file can ask. */
const MOST_NEARBY = 500;

type Row = {
  store_id: string;
  is_own: boolean;
  name: string;
  brand: string | null;
  phone_number: number | null;
  latitude: number;
  longitude: number;
};

const COMPARED =
  raw.raw(`s.store_id, s.origins is null or s.has_catalogue as is_own, s.profile->>'name' as name, s.brand,
  (s.profile->>'phoneNumber')::bigint as phone_number, s.latitude, s.longitude`);

function storeOf(row: Row): ComparedStore {
  const { name, brand, latitude, longitude } = row;
  return { storeId: row.store_id, isOwn: row.is_own, name, brand, phoneNumber: row.phone_number, latitude, longitude };
}

/** Whether any store comes from an open directory. Its order makes it a look into the index of those. */
export async function hasPlaceStores(sql: Sql): Promise<boolean> {
  const { rows } = await raw`
    select spot_row from stores where origins is not null order by spot_row, longitude limit 1`.execute(sql);
  return rows.length > 0;
}

/** Those of these stores that are in search, in the order given. */
export async function findCompared(sql: Sql, storeIds: readonly string[]): Promise<ComparedStore[]> {
  const { rows } = await raw<Row>`
    select ${COMPARED} from unnest(${storeIds}::text[]) with ordinality as a(store_id, nth)
    join stores as s on s.store_id = a.store_id
    where s.listed and s.merged_into is null order by a.nth`.execute(sql);
  return rows.map(storeOf);
}

/**
 * The stores in search within reach of each of these, by its id; `placesOnly` leaves out stores of a feed of their own.
 */
export async function findNearby(
  sql: Sql,
  storeIds: readonly string[],
  { placesOnly }: { placesOnly: boolean },
): Promise<Map<string, ComparedStore[]>> {
  if (storeIds.length === 0) return new Map();
  const onlyPlaces = placesOnly ? raw`and s.origins is not null` : raw``;
  const { rows } = await raw<Row & { around: string }>`
    select a.store_id as around, n.*
    from stores as a
    cross join lateral (
      select ${COMPARED} from stores as s
      where s.spot_row = any(array[floor((a.latitude - ${BOX_DEGREES}) * 1000)::integer, a.spot_row,
          floor((a.latitude + ${BOX_DEGREES}) * 1000)::integer])
        and s.longitude between a.longitude - ${BOX_DEGREES} / greatest(0.05, cos(radians(a.latitude)))
          and a.longitude + ${BOX_DEGREES} / greatest(0.05, cos(radians(a.latitude)))
        and s.listed and s.merged_into is null and s.store_id <> a.store_id ${onlyPlaces}
      limit ${MOST_NEARBY}
    ) as n
    where a.store_id = any(${storeIds})`.execute(sql);
  const byStore = Map.groupBy(rows, ({ around }) => around);
  return new Map([...byStore].map(([around, found]) => [around, found.map(storeOf)]));
}
