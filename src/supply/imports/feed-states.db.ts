import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';

/**
 * The state that an earlier import left of a store. `listed`: searchable by everyone. `replacedHashes` are for earlier
 * lines of the same file, which the store's last line replaced.
 */
type FeedState = { feedHash: string; replacedHashes: readonly string[]; listed: boolean };

/** Hexadecimal digits per hash. The column has the hash of the store's line, then the hashes of lines it replaced. */
const HASH_DIGITS = 64;
/** Maximum hashes of replaced lines per store. */
const MAX_REPLACED = 8;

/** A store's hash, if its line replaces an earlier, different line of the file. */
export function withReplacedHashes(feedHash: string, before: FeedState): string {
  const replaced = [...new Set([before.feedHash, ...before.replacedHashes])].filter((one) => one !== feedHash);
  return [feedHash, ...replaced.slice(0, MAX_REPLACED)].join('');
}

function parseHashes(column: Buffer): Pick<FeedState, 'feedHash' | 'replacedHashes'> {
  const digits = column.toString('hex');
  const hashes = digits.match(new RegExp(`.{1,${HASH_DIGITS}}`, 'g')) ?? [];
  return { feedHash: hashes[0] ?? '', replacedHashes: hashes.slice(1) };
}

export async function findFeedStates(sql: Sql, storeIds: readonly string[]): Promise<Map<string, FeedState>> {
  const rows = await sql
    .selectFrom('stores')
    .select(['storeId', 'feedHash', 'listed', 'sandboxAccounts'])
    .where(({ eb, ref }) => eb(ref('storeId'), '=', raw<string>`any(${storeIds}::text[])`))
    .execute();
  return new Map(
    rows.map(({ storeId, feedHash, listed, sandboxAccounts }) => [
      storeId,
      { ...parseHashes(feedHash), listed: listed && sandboxAccounts === null },
    ]),
  );
}

/** Ids of a feed's listed stores after one id, ascending. */
export async function findListedStoreIds(sql: Sql, source: string, afterId: string, limit: number): Promise<string[]> {
  const rows = await sql
    .selectFrom('stores')
    .select('storeId')
    .where('source', '=', source)
    .where('listed', '=', true)
    .where('storeId', '>', afterId)
    .orderBy('storeId')
    .limit(limit)
    .execute();
  return rows.map((row) => row.storeId);
}

/** Removes stores from search; returns how many were listed. */
export async function unlistStores(
  sql: Sql,
  storeIds: readonly string[],
  { seq, at }: { seq: number; at: Temporal.Instant },
): Promise<number> {
  const result = await sql
    .updateTable('stores')
    .set({ listed: false, changedSeq: seq, updatedAt: at.toString() })
    .where('storeId', 'in', storeIds)
    .where('listed', '=', true)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Whether the feed has stores, or has any of these. */
export async function hasStores(sql: Sql, source: string, storeIds?: readonly string[]): Promise<boolean> {
  const { rows } = await raw<{ has: boolean }>`select exists (select from stores where source = ${source}
    and (${storeIds ?? null}::text[] is null or store_id = any(${storeIds ?? null}::text[]))) as has`.execute(sql);
  return rows[0]?.has === true;
}
