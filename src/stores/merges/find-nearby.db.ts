import { sql as raw } from 'kysely';
import type { Sql } from '../../db/connect.ts';
import type { Store, StoreType } from '../store.ts';
import type { ComparedStore } from './decide-merges.ts';
import { SAME_PLACE_METRES } from './same-place.ts';

/** Slightly more than the distance, because a box of degrees only approximates a circle. */
const BOX_DEGREES = (SAME_PLACE_METRES * 1.1) / 111_195;
/** Bound on the stores around one coordinate: above any food court, and a limit for a hostile file. */
const MAX_NEARBY = 500;

const COMPARED = raw.raw(`s.store_id, s.origins is null or s.has_catalogue as is_own, s.profile->>'type' as store_type,
  s.profile->>'name' as name, s.brand, (s.profile->>'phoneNumber')::bigint as phone_number, s.latitude, s.longitude, s.sandbox_accounts`);

/** A store in search, with what is compared. */
export type StoreNearby = ComparedStore & Pick<Store, 'sandboxAccounts'> & { storeType: StoreType };

/** Whether any store comes from an open directory. The sort lets PostgreSQL answer from the index of such stores. */
export async function hasPlaceStores(sql: Sql): Promise<boolean> {
  const { rows } = await raw`
    select spot_row from stores where origins is not null order by spot_row, longitude limit 1`.execute(sql);
  return rows.length > 0;
}

/** The stores that are in search, in the given sequence. */
export async function findCompared(sql: Sql, storeIds: readonly string[]): Promise<ComparedStore[]> {
  const { rows } = await raw<StoreNearby>`
    select ${COMPARED} from unnest(${storeIds}::text[]) with ordinality as a(store_id, nth)
    join stores as s on s.store_id = a.store_id
    where s.listed and s.merged_into is null order by a.nth`.execute(sql);
  return rows;
}

/**
 * The stores in search near each coordinate, in the sequence of the coordinates; `placesOnly` leaves out stores with a
 * feed of their own. One query, by the index of `spot_row`.
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
  // The bound on the cosine acts north of all stores only.
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
      limit ${MAX_NEARBY}
    ) as n`.execute(sql);
  for (const { nth, ...row } of rows) found[nth - 1]?.push(row);
  return found;
}
