import { sql as raw } from 'kysely';
import type { ClientBase } from 'pg';
import * as copyStreams from 'pg-copy-streams';
import type { Pool, Sql } from '../../platform/db/connect.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import { type CopiedRow, createRowCutter } from './copied-rows.ts';
import type { HoursException, StoreHours } from './hours.ts';
import type { Agreement, Store, StorePhotos } from './store.ts';
import { storeFromRow } from './stores.db.ts';
import { taxClassOf } from './tax-class.ts';

/** The copied columns; those that seldom have a value are copied as text. */
const COLUMNS = [
  ...['store_id', 'profile', 'online_ordering', 'accept_delivery', 'accept_pickup', 'supports_upc_codes'],
  ...['has_catalog', 'has_channel', 'paused_until::text', 'own_hours::text', 'own_hours_exceptions::text'],
  'own_photos::text',
  'to_json(sandbox_accounts)::text',
  ...['agreement::text', 'allows_markup'],
  'tax_class',
];
const COPY = `copy (select ${COLUMNS.join(', ')} from stores where listed and merged_into is null and delisted_at is null)
  to stdout (format binary)`;

const COUNT_TIMEOUT = '10min';
const IDS_PER_BATCH = 2000;

/** A store as it is read; `read` parses it, and throws if that is impossible. Valid until the next one. */
type CopiedStore = { read(): Store };

/**
 * Streams all listed stores in one transaction and snapshot as binary COPY, which is cheapest for PostgreSQL and
 * the reader. They include every change up to the returned number and none after it. The signal closes the connection.
 */
export async function copyListedStores(
  pool: Pool,
  take: (stores: Iterable<CopiedStore>) => void,
  signal?: AbortSignal,
): Promise<number> {
  const client = await pool.connect();
  const abort = () => client.release(true);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const seq = await beginReading(client);
    const copy = client.query(copyStreams.to(COPY));
    const cutRows = createRowCutter(COLUMNS.length);
    for await (const chunk of copy) take(cutRows(chunk).map((row) => ({ read: () => storeOfRow(row) })));
    await client.query('commit');
    return seq;
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!signal?.aborted) client.release(true);
  }
}

async function beginReading(client: ClientBase): Promise<number> {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<{ seq: number }>('select seq from change_clock');
  const [seen] = rows;
  if (!seen) throw new Error('The change clock has no row.');
  return seen.seq;
}

function storeOfRow(row: CopiedRow): Store {
  const pausedUntil = row.text(8);
  return storeFromRow({
    storeId: row.text(0) ?? '',
    profile: JSON.parse(row.json(1) ?? ''),
    onlineOrdering: row.flag(2),
    acceptDelivery: row.flag(3),
    acceptPickup: row.flag(4),
    supportsUpcCodes: row.flag(5),
    hasCatalog: row.flag(6),
    hasChannel: row.flag(7),
    listed: true,
    mergedInto: null,
    delistedAt: null,
    pausedUntil: pausedUntil === null ? null : Temporal.Instant.from(pausedUntil),
    ownHours: parsedOrNull<StoreHours>(row.text(9)),
    ownHoursExceptions: parsedOrNull<readonly HoursException[]>(row.text(10)),
    ownPhotos: parsedOrNull<Partial<StorePhotos>>(row.text(11)),
    sandboxAccounts: parsedOrNull<string[]>(row.text(12)),
    agreement: parsedOrNull<Agreement>(row.text(13)),
    allowsMarkup: row.flag(14),
    taxClass: taxClassOf(row.text(15)),
  });
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
    select count(*) as count from stores where listed and merged_into is null and delisted_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Lists the ids of all listed stores, ascending, in batches. */
export function listListedIds(sql: Sql): AsyncGenerator<string[], void> {
  return readPages(IDS_PER_BATCH, async (after = '') => {
    const { rows } = await raw<{ storeId: string }>`
      select store_id from stores where listed and merged_into is null and delisted_at is null and store_id > ${after}
      order by store_id limit ${IDS_PER_BATCH}`.execute(sql);
    return rows.map(({ storeId }) => storeId);
  });
}

function parsedOrNull<Value>(json: string | null): Value | null {
  return json !== null ? (JSON.parse(json) as Value) : null;
}
