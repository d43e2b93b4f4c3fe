import { sql as raw } from 'kysely';
import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';

/** Each process's comparisons of its search index with the database (docs/database.md#search-snapshot). */

declare module '../../platform/db/tables.ts' {
  interface Database {
    searchChecks: {
      node: string;
      checkedAt: InstantColumn;
      leftOut: JsonColumn<readonly LeftOutStore[]>;
      differedAt: MaybeInstantColumn;
      missing: number;
      firstMissing: string | null;
    };
  }
}

/** Maximum left-out stores per row. */
const MAX_LEFT_OUT = 100;

/** A store that cannot be converted for search, and why. */
export type LeftOutStore = { storeId: string; reason: string };

/** How an index differed from the database. */
export type FoundDifference = { missing: number; firstMissing: string | null };
/** The last time that an index differed from the database. */
export type SearchDifference = FoundDifference & { differedAt: Temporal.Instant };

/** Saves an index's state; `difference` is null if it equals the database, which keeps the last difference. */
export async function saveSearchCheck(
  sql: Sql,
  node: string,
  at: Temporal.Instant,
  { leftOut, difference }: { leftOut: ReadonlyMap<string, string>; difference: FoundDifference | null },
): Promise<void> {
  const listed = Array.from(leftOut, ([storeId, reason]): LeftOutStore => ({ storeId, reason }));
  const row = {
    checkedAt: at.toString(),
    leftOut: JSON.stringify(listed.slice(0, MAX_LEFT_OUT)),
    ...(difference && { ...difference, differedAt: at.toString() }),
  };
  await sql
    .insertInto('searchChecks')
    .values({ node, missing: 0, firstMissing: null, differedAt: null, ...row })
    .onConflict((conflict) => conflict.column('node').doUpdateSet(row))
    .execute();
}

/** Lists stores that any index has left out, by id. */
export async function listLeftOutStores(sql: Sql, limit: number): Promise<LeftOutStore[]> {
  const { rows } = await raw<LeftOutStore>`
    select distinct on (store_id) store->>'storeId' as store_id, store->>'reason' as reason
    from search_checks, jsonb_array_elements(left_out) as store order by store_id limit ${limit}`.execute(sql);
  return rows;
}

/** Differences found since then, latest first. */
export async function listSearchDifferences(sql: Sql, since: Temporal.Instant): Promise<SearchDifference[]> {
  const query = sql.selectFrom('searchChecks').select(['differedAt', 'missing', 'firstMissing']);
  const rows = await query.where('differedAt', '>=', instantParam(since)).orderBy('differedAt', 'desc').execute();
  return rows.flatMap(({ differedAt, ...row }) => (differedAt === null ? [] : [{ differedAt, ...row }]));
}
