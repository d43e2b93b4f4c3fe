import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import type { StationPrinter } from './stations.ts';

export async function listPrinters(sql: Sql, storeId: string): Promise<StationPrinter[]> {
  return sql
    .selectFrom('storeChannels')
    .select(['channel', 'categories'])
    .where('storeId', '=', storeId)
    .where(raw<boolean>`channel like 'printer%'`)
    .execute();
}

const CATEGORIES = `
  with recursive above as (
    select p.external_id, c.parent_no, c.name from products as p
    join categories as c on (c.store_id, c.category_no) = (p.store_id, p.category_no)
    where p.store_id = $1 and p.external_id = any($2::text[])
    union
    select a.external_id, c.parent_no, c.name from above as a
    join categories as c on c.store_id = $1 and c.category_no = a.parent_no
  )
  select external_id, array_agg(name) as names from above group by external_id`;

/** The names of each product's category and of those above, in the order of the ids; none for an unknown product. */
export async function findCategoryNames(sql: Sql, storeId: string, externalIds: readonly string[]) {
  const { rows } = await runPrepared<{ externalId: string; names: string[] }>(sql, CATEGORIES, [storeId, externalIds]);
  const namesOf = new Map(rows.map(({ externalId, names }) => [externalId, names]));
  return externalIds.map((id) => namesOf.get(id) ?? []);
}
