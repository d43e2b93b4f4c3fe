import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/** The number of stores in search with data of a dataset under a licence; null where the records state no licence. */
export type OriginCount = { dataset: string; license: string | null; stores: number };

/** The datasets that an attribution must name, those with most stores first. */
export async function countOrigins(sql: Sql): Promise<OriginCount[]> {
  const { rows } = await raw<OriginCount>`
    select origin->>'dataset' as dataset, origin->>'license' as license, count(distinct store_id)::integer as stores
    from stores cross join lateral jsonb_array_elements(origins) as origin
    where origins is not null and listed and merged_into is null
    group by 1, 2 order by 3 desc, 1, 2`.execute(sql);
  return rows;
}
