import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { Country, StoreAddress } from '../stores/store.ts';

/** Stores of one city and postal code: their number, mean coordinate and bounding box. */
export type StoreArea = {
  country: Country;
  state: string;
  city: string;
  zipcode: string;
  stores: number;
  latitude: number;
  longitude: number;
  south: number;
  north: number;
  west: number;
  east: number;
};

/** Finds the areas of all public stores, largest first. */
export async function findStoreAreas(sql: Sql, limit: number): Promise<StoreArea[]> {
  const { rows } = await raw<StoreArea>`
    select profile->'address'->>'country' as country, profile->'address'->>'state' as state,
      profile->'address'->>'city' as city, profile->'address'->>'zipcode' as zipcode, count(*)::integer as stores,
      avg(latitude) as latitude, avg(longitude) as longitude, min(latitude) as south, max(latitude) as north,
      min(longitude) as west, max(longitude) as east
    from stores
    where listed and merged_into is null and sandbox_accounts is null
    group by 1, 2, 3, 4 order by count(*) desc, 1, 2, 3, 4 limit ${limit}`.execute(sql);
  return rows;
}

/** Maximum stores read per house number of an area. */
const MAX_STORES = 200;

export type AddressedStore = { address: StoreAddress; latitude: number; longitude: number };

/** Finds the stores of an area whose street address begins with these numbers, or with a range of one of them. */
export async function findStoresAtNumber(
  sql: Sql,
  { south, north, west, east }: Pick<StoreArea, 'south' | 'north' | 'west' | 'east'>,
  number: readonly string[],
): Promise<AddressedStore[]> {
  const single = number.length === 1 && /^\d{1,9}$/.test(number[0] ?? '') ? Number(number[0]) : null;
  const { rows } = await raw<AddressedStore>`
    select profile->'address' as address, latitude, longitude from stores
    cross join lateral (select lower(substring(profile->'address'->>'streetAddr' from '^[0-9A-Za-z-]+')) as own) as door
    cross join lateral (select regexp_match(own, '^([0-9]{1,9})-([0-9]{1,9})$') as ends) as range
    where spot_row between ${Math.floor(south * 1000)} and ${Math.floor(north * 1000)}
      and longitude between ${west} and ${east}
      and (replace(own, '-', '') = ${number.join('')} or own = any(${[...number]})
        or ${single}::bigint between ends[1]::bigint and ends[2]::bigint)
      and listed and merged_into is null and sandbox_accounts is null
    order by store_id limit ${MAX_STORES}`.execute(sql);
  return rows;
}

/** Returns the change feed's last number. */
export async function lastChange(sql: Sql): Promise<number> {
  const { rows } = await raw<{ seq: number }>`select seq from change_clock`.execute(sql);
  return rows[0]?.seq ?? 0;
}
