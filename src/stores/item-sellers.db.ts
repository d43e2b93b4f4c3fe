import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/** A product's name as words in lower case with a space around each, by the rules of `wordsOf`. */
const PRODUCT_WORDS = raw<string>`' ' || regexp_replace(
  lower(translate(
    replace(replace(replace(
      regexp_replace(normalize(p.name, NFKD), '[\\u0300-\\u036f''’‘‛\`´ʼʻʹ′]', '', 'g'),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'),
  'ÆŒØøŁłĐđı', 'EEOoLlDdi')), '[^[:alnum:]]+', ' ', 'g') || ' '`;

/**
 * Which of the stores sell a product whose name has all of the words, the last one as a prefix if so asked. `pickup`
 * looks at one mode's menu only, null at both. Words come from `wordsOf`: letters and digits.
 */
export async function findSellersAmong(
  sql: Sql,
  storeIds: readonly string[],
  wanted: { words: readonly string[]; lastIsPrefix: boolean; pickup: boolean | null },
  signal?: AbortSignal,
): Promise<Set<string>> {
  const { words, lastIsPrefix, pickup } = wanted;
  const patterns = words.map((word, i) => (lastIsPrefix && i === words.length - 1 ? `% ${word}%` : `% ${word} %`));
  const mode = pickup === null ? raw`true` : pickup ? raw`p.in_pickup` : raw`p.in_delivery`;
  const { rows } = await raw<{ store_id: string }>`
    select s.store_id from unnest(${storeIds}::text[]) as s (store_id)
    where exists (
      select from products as p
      where p.store_id = s.store_id and not p.removed and p.available and ${mode}
        and (${PRODUCT_WORDS}) like all (${patterns}::text[])
    )`.execute(sql, { signal });
  return new Set(rows.map((row) => row.store_id));
}
