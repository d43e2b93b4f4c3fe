import { sql as raw } from 'kysely';
import type { Sql } from '../../db/connect.ts';

/**
 * Ids of the stores that sell a product whose `search_words` match all patterns. `pickup` chooses the menu of one mode;
 * null means both menus.
 */
export async function findSellersAmong(
  sql: Sql,
  storeIds: readonly string[],
  { patterns, pickup }: { patterns: readonly string[]; pickup: boolean | null },
  signal?: AbortSignal,
): Promise<Set<string>> {
  const mode = pickup === null ? raw`true` : pickup ? raw`p.in_pickup` : raw`p.in_delivery`;
  const { rows } = await raw<{ storeId: string }>`
    select s.store_id from unnest(${storeIds}::text[]) as s (store_id)
    where exists (
      select from products as p
      where p.store_id = s.store_id and not p.removed and p.available and ${mode}
        and p.search_words like all (${patterns}::text[])
    )`.execute(sql, { signal });
  return new Set(rows.map((row) => row.storeId));
}
