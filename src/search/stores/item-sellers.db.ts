import { sql as raw } from 'kysely';
import type { Sql } from '../../db/connect.ts';

/** `pickup` chooses the menu of one mode; null means both menus. */
type Menu = { pickup: boolean | null };

const soldIn = ({ pickup }: Menu) =>
  raw`not p.removed and p.available and ${pickup === null ? raw`true` : pickup ? raw`p.in_pickup` : raw`p.in_delivery`}`;

/** Ids of the stores that sell a product whose `search_words` match, for each word, one of its patterns. */
export async function findSellersAmong(
  sql: Sql,
  storeIds: readonly string[],
  { patterns, ...menu }: Menu & { patterns: readonly (readonly string[])[] },
  signal?: AbortSignal,
): Promise<Set<string>> {
  const words = patterns.map((ofWord) => raw`p.search_words like any (${ofWord}::text[])`);
  const { rows } = await raw<{ storeId: string }>`
    select s.store_id from unnest(${storeIds}::text[]) as s (store_id)
    where exists (
      select from products as p
      where p.store_id = s.store_id and ${soldIn(menu)} and ${raw.join(words, raw` and `)}
    )`.execute(sql, { signal });
  return new Set(rows.map((row) => row.storeId));
}

/** The words in names of what the stores sell that match one of the patterns, a space around each word. */
export async function findProductWords(
  sql: Sql,
  storeIds: readonly string[],
  { patterns, ...menu }: Menu & { patterns: readonly string[] },
  signal?: AbortSignal,
): Promise<string[]> {
  const inNames = patterns.map((pattern) => `%${pattern}%`);
  const { rows } = await raw<{ word: string }>`
    select distinct w.word from products as p, string_to_table(btrim(p.search_words), ' ') as w (word)
    where p.store_id = any (${storeIds}::text[]) and ${soldIn(menu)}
      and p.search_words like any (${inNames}::text[]) and ' ' || w.word || ' ' like any (${patterns}::text[])
    `.execute(sql, { signal });
  return rows.map((row) => row.word);
}
