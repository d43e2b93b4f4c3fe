import { sql as raw } from 'kysely';
import type { ClientBase } from 'pg';
import type { Pool, Sql } from '../../platform/db/connect.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import type { Store } from './store.ts';
import { STORE_COLUMNS, type StoreRow, storeFromRow } from './stores.db.ts';

const IS_LISTED = 'listed and merged_into is null and delisted_at is null';
const ALL_LISTED = `declare listed_stores no scroll cursor for select ${STORE_COLUMNS} from stores where ${IS_LISTED}`;
/** A store is about 2.5 kB of JSON, and up to a megabyte with large areas or hundreds of dates. */
const NEXT_LISTED = 'fetch 200 from listed_stores';

const COUNT_TIMEOUT = '10min';
const IDS_PER_BATCH = 2000;

/** A store as it is read; `read` throws if it is damaged. */
type ReadStore = { read(): Store };

/**
 * Reads all listed stores in one transaction and snapshot. They include every change up to the returned number and none
 * after it. The signal closes the connection.
 */
export async function readListedStores(pool: Pool, take: (stores: readonly ReadStore[]) => void, signal?: AbortSignal) {
  const client = await pool.connect();
  const release = () => client.release(true);
  // A signal that was aborted while the pool connected fires no event any more.
  if (signal?.aborted) release();
  else signal?.addEventListener('abort', release, { once: true });
  try {
    signal?.throwIfAborted();
    const seq = await beginReading(client);
    await client.query(ALL_LISTED);
    for (let isEnd = false; !isEnd; ) {
      const { rows } = await client.query<StoreRow>(NEXT_LISTED);
      take(rows.map((row) => ({ read: () => storeFromRow(row) })));
      isEnd = rows.length === 0;
    }
    await client.query('commit');
    return seq;
  } finally {
    signal?.removeEventListener('abort', release);
    if (!signal?.aborted) release();
  }
}

async function beginReading(client: ClientBase): Promise<number> {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<{ seq: number }>('select seq from change_clock');
  const [seen] = rows;
  if (!seen) throw new Error('The change clock has no row.');
  return seen.seq;
}

/** Counts stores, including unlisted ones, up to the limit. */
export async function countStoresUpTo(sql: Sql, limit: number): Promise<number> {
  const { rows } = await raw<{ count: number }>`
    select count(*) as count from (select from stores limit ${limit}) as first_stores`.execute(sql);
  return rows[0]?.count ?? 0;
}

/** Counts all listed stores, which takes seconds with a million of them, and longer on a busy machine. */
export async function countListedStores(tx: Sql): Promise<number> {
  await raw`set local statement_timeout = ${raw.lit(COUNT_TIMEOUT)}`.execute(tx);
  const { rows } = await raw<{ count: number }>`
    select count(*) as count from stores where ${raw.raw(IS_LISTED)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Lists the ids of all listed stores, ascending, in batches. */
export function listListedIds(sql: Sql): AsyncGenerator<string[], void> {
  return readPages(IDS_PER_BATCH, async (after = '') => {
    const { rows } = await raw<{ storeId: string }>`
      select store_id from stores where ${raw.raw(IS_LISTED)} and store_id > ${after}
      order by store_id limit ${IDS_PER_BATCH}`.execute(sql);
    return rows.map(({ storeId }) => storeId);
  });
}
