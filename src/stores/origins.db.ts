import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/** Stores in search that have facts of a dataset under a licence; null where its records state none. */
export type OriginCount = { dataset: string; license: string | null; stores: number };

/** What an attribution must name, the most stores first. */
export async function countOrigins(sql: Sql): Promise<OriginCount[]> {
  const { rows } = await raw<OriginCount>`
    select origin->>'dataset' as dataset, origin->>'license' as license, count(distinct store_id)::integer as stores
    from stores cross join lateral jsonb_array_elements(origins) as origin
    where origins is not null and listed and merged_into is null
    group by 1, 2 order by 3 desc, 1, 2`.execute(sql);
  return rows;
}
