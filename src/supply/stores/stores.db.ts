import { present } from 'doorstep/collections';
import { type Expression, sql as raw, type Selectable, type SqlBool, type Updateable } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { columnsAsFields, runBulk } from '../../platform/db/hot-statement.ts';
import type { Database } from '../../platform/db/tables.ts';
import { completeHours } from './hours.ts';
import type { Store } from './store.ts';
import { isStoreId } from './store-id.ts';
import { DEFAULT_TAX_CLASSES } from './tax-class.ts';

/* Stores in SQL, and the change feed: every change has a number in commit order, which search and caches follow. */

const COLUMNS = [
  'storeId',
  'profile',
  'onlineOrdering',
  'acceptDelivery',
  'acceptPickup',
  'supportsUpcCodes',
  'hasCatalog',
  'hasChannel',
  'taxClass',
  'listed',
  'mergedInto',
  'delistedAt',
  'agreement',
  'allowsMarkup',
  'pausedUntil',
  'ownHours',
  'ownHoursExceptions',
  'ownPhotos',
  'ownKitchen',
  'roomFrom',
  'busyMinutes',
  'busyUntil',
  'learnedMinutes',
  'offers',
  'sandboxAccounts',
  'changedSeq',
] as const;

type FeedRow = Pick<Selectable<Database['stores']>, (typeof COLUMNS)[number]>;
export type StoreRow = Omit<FeedRow, 'changedSeq'>;

/** The columns of `storeFromRow`, for statements that bypass the query builder. */
export const STORE_COLUMNS = columnsAsFields(COLUMNS);

/** Converts a row; live switches and the store's own hours, exceptions and photos override the feed. */
export function storeFromRow(row: StoreRow): Store {
  const { profile, ownKitchen } = row;
  // The longest wait is always the feed's.
  const { maxWaitMinutes } = profile.kitchen ?? ownKitchen ?? {};
  const kitchen = ownKitchen && maxWaitMinutes !== undefined ? { ...ownKitchen, maxWaitMinutes } : profile.kitchen;
  const isLimited = kitchen !== undefined && (kitchen.orders ?? kitchen.items) !== null;
  return {
    ...profile,
    kitchen: isLimited ? kitchen : undefined,
    roomFrom: isLimited ? row.roomFrom : null,
    busy: row.busyUntil && { minutes: row.busyMinutes ?? 0, until: row.busyUntil },
    learned: row.learnedMinutes,
    ...present({ offers: row.offers ?? undefined }),
    storeId: row.storeId,
    hours: row.ownHours ?? completeHours(profile.hours),
    hoursExceptions: row.ownHoursExceptions ?? profile.hoursExceptions ?? [],
    photos: row.ownPhotos ? { ...profile.photos, ...row.ownPhotos } : profile.photos,
    pausedUntil: row.pausedUntil,
    onlineOrdering: row.onlineOrdering,
    delivery: withAccepting(profile.delivery, row.acceptDelivery),
    pickup: withAccepting(profile.pickup, row.acceptPickup),
    supportsUpcCodes: row.supportsUpcCodes,
    hasCatalog: row.hasCatalog,
    hasChannel: row.hasChannel,
    hasAgreement: row.agreement !== null || profile.agreement !== undefined,
    allowsMarkup: row.allowsMarkup,
    taxClass: row.taxClass ?? profile.taxClass ?? DEFAULT_TAX_CLASSES[profile.type],
    // A merged store is shown as the store it was merged into.
    listed: row.listed && row.mergedInto === null && row.delistedAt === null,
    sandboxAccounts: row.sandboxAccounts,
  };
}

/** Returns the same object if the switch agrees with the feed, because stores may share it. */
function withAccepting<Settings extends { accepting: boolean }>(settings: Settings, accepting: boolean): Settings {
  return settings.accepting === accepting ? settings : { ...settings, accepting };
}

export async function findStore(sql: Sql, storeId: string): Promise<Store | undefined> {
  if (!isStoreId(storeId)) return undefined;
  const row = await sql.selectFrom('stores').select(COLUMNS).where('storeId', '=', storeId).executeTakeFirst();
  return row && storeFromRow(row);
}

/** Finds the existing stores, unsorted. */
export async function findStores(sql: Sql, storeIds: readonly string[]): Promise<Store[]> {
  return (await findUnreadStores(sql, storeIds)).map(({ read }) => read());
}

/** Finds the existing stores, unsorted and unparsed, so that an unparsable store hides no other. */
export async function findUnreadStores(sql: Sql, storeIds: readonly string[]) {
  if (storeIds.length === 0) return [];
  const rows = await sql
    .selectFrom('stores')
    .select(COLUMNS)
    .where(({ eb, ref }) => eb(ref('storeId'), '=', raw<string>`any(${storeIds}::text[])`))
    .execute();
  return rows.map((row) => ({ storeId: row.storeId, read: () => storeFromRow(row) }));
}

/** A position in the change feed. Stores of one transaction share a number, so the id is the position within it. */
export type FeedPoint = { seq: number; storeId: string };

/** The position before the first change. */
export const FEED_START: FeedPoint = { seq: 0, storeId: '' };

/** Sorts after all store ids, for the position after a change's last store. */
export const AFTER_ALL_IDS = 'g';

/** Limits of one read; `bytes` as stored by PostgreSQL, partly compressed. */
type FeedBatch = { stores: number; bytes: number };

/** A changed store. `read` parses its JSON, so that the caller decides when to spend the time. */
export type StoreChange = { read(): Store; point: FeedPoint };

/**
 * Finds stores that changed after a feed position, in order, including unlisted ones. A batch ends once it exceeds its
 * bytes; `isEnd` if no more follow. The signal cancels a slow query.
 */
export async function findStoresChangedSince(sql: Sql, after: FeedPoint, batch: FeedBatch, signal?: AbortSignal) {
  const values = [after.seq, after.storeId, batch.stores, batch.bytes];
  const { rows } = await runBulk<ChangedRow>(sql, CHANGED_TEXT, values, signal);
  return {
    changes: rows.map((row) => ({
      read: () => storeFromRow({ ...row, profile: JSON.parse(row.profile) }),
      point: { seq: row.changedSeq, storeId: row.storeId },
    })),
    isEnd: rows.length < batch.stores && (rows.at(-1)?.bytes ?? 0) < batch.bytes,
  };
}

/** The profile as text, because the driver must not parse it. */
type ChangedRow = Omit<FeedRow, 'profile'> & { profile: string; bytes: number };

/** PostgreSQL knows the size of a stored value without reading it. */
const STORED_BYTES =
  'pg_column_size(profile) + coalesce(pg_column_size(own_hours_exceptions), 0) + coalesce(pg_column_size(own_photos), 0)';
const CHANGED_TEXT = `
  select * from (
    select ${columnsAsFields(COLUMNS.filter((name) => name !== 'profile'))}, profile::text, ${STORED_BYTES} as size,
      sum(${STORED_BYTES}) over (order by changed_seq, store_id rows unbounded preceding) as bytes
    from stores where (changed_seq, store_id) > ($1, $2) order by changed_seq, store_id limit $3
  ) as batch where bytes - size < $4 order by bytes`;

/**
 * Returns the change feed's next number, locked until the transaction ends, so that numbers are in commit order. It
 * must be the first lock of every transaction that writes stores.
 */
export async function nextChange(sql: Sql): Promise<number> {
  const { rows } = await raw<{ seq: number }>`update change_clock set seq = seq + 1 returning seq`.execute(sql);
  return rows[0]?.seq ?? 0;
}

/** Makes readers of the change feed read a store again. */
export async function markStoreChanged(sql: Sql, storeId: string, { seq, at }: { seq: number; at: Temporal.Instant }) {
  await updateStore(sql, storeId, { changedSeq: seq, updatedAt: at.toString() });
}

/** Writes columns of a store. Columns that search or caches read need `markStoreChanged` alongside it. */
export async function updateStore(sql: Sql, storeId: string, columns: Updateable<Database['stores']>): Promise<void> {
  await sql.updateTable('stores').set(columns).where('storeId', '=', storeId).execute();
}

/** Wakes the change feed's listeners at commit. */
export async function notifyChange(sql: Sql): Promise<void> {
  await raw`notify doorstep_stores`.execute(sql);
}

export type ListedStore = {
  storeId: string;
  externalId: string;
  name: string;
  source: string;
  listed: boolean;
  /** The standing store that is shown for this duplicate. */
  mergedInto: string | null;
  /** Why an operator took it out of search and sale; null: no one did. */
  delistReason: string | null;
};

const LISTED_COLUMNS = [
  'storeId',
  'externalId',
  'source',
  'listed',
  'mergedInto',
  'delistReason',
  raw<string>`profile->>'name'`.as('name'),
] as const;

type ListFilter = { source?: string | undefined; search?: string | undefined; where?: Expression<SqlBool> | undefined };

/** Lists the next stores by source and feed id after the given one, or from the start. */
export async function listStoresAfter(
  sql: Sql,
  after: Pick<ListedStore, 'source' | 'externalId'> | undefined,
  { source, search, where, limit }: ListFilter & { limit: number },
): Promise<ListedStore[]> {
  return sql
    .selectFrom('stores')
    .select(LISTED_COLUMNS)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .$if(search !== undefined, (query) =>
      query.where(raw<boolean>`strpos(lower(profile->>'name'), lower(${search ?? ''})) > 0`),
    )
    .$if(where !== undefined, (query) => query.where(where ?? raw<boolean>`true`))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('source', 'externalId'), '>', tuple(after?.source ?? '', after?.externalId ?? '')),
      ),
    )
    .orderBy('source')
    .orderBy('externalId')
    .limit(limit)
    .execute();
}

export async function findListedStore(sql: Sql, storeId: string): Promise<ListedStore | undefined> {
  return sql.selectFrom('stores').select(LISTED_COLUMNS).where('storeId', '=', storeId).executeTakeFirst();
}

/** Number of stores in search with a dataset's data under a license; null if the license is unstated. */
type OriginCount = { dataset: string; license: string | null; stores: number };

/** Returns the datasets to attribute, by descending number of stores. */
export async function countOrigins(sql: Sql): Promise<OriginCount[]> {
  const { rows } = await raw<OriginCount>`
    select origin->>'dataset' as dataset, origin->>'license' as license, count(distinct store_id)::integer as stores
    from stores cross join lateral jsonb_array_elements(origins) as origin
    where origins is not null and listed and merged_into is null and delisted_at is null
    group by 1, 2 order by 3 desc, 1, 2`.execute(sql);
  return rows;
}
