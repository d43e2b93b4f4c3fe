import { present } from 'doorstep/collections';
import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../platform/languages/language.ts';
import type { OwnHours } from './hours.ts';
import type { Kitchen, KitchenChange } from './kitchen.ts';
import type { Agreement, StorePhotos } from './store.ts';
import { updateStore } from './stores.db.ts';
import type { TaxClass } from './tax-class.ts';

/** A store's live switches; an omitted one stays as it is. */
export type StoreSwitches = {
  onlineOrdering?: boolean;
  acceptDelivery?: boolean;
  acceptPickup?: boolean;
  allowsMarkup?: boolean;
  /** Tax class of products without their own. */
  taxClass?: TaxClass;
  /** In place of the feed's kitchen, until that changes. */
  kitchen?: KitchenChange;
};

/** Photos by kind; an omitted kind stays as it is, null restores the feed's. */
export type PhotoChanges = { [Kind in keyof StorePhotos]?: StorePhotos[Kind] | null };

export async function updateSwitches(
  sql: Sql,
  storeId: string,
  switches: Omit<StoreSwitches, 'kitchen'>,
  kitchen: Kitchen | undefined,
): Promise<void> {
  const { onlineOrdering, acceptDelivery, acceptPickup, allowsMarkup, taxClass } = switches;
  const ownKitchen = kitchen && JSON.stringify(kitchen);
  const columns = { onlineOrdering, acceptDelivery, acceptPickup, allowsMarkup, taxClass, ownKitchen };
  await updateStore(sql, storeId, present(columns));
  if (kitchen === undefined) return;
  // Search shows the room within the new limits.
  const soon = { publishAt: '-infinity', leasedUntil: null };
  await sql.updateTable('storeLoads').set(soon).where('storeId', '=', storeId).where('accountId', '=', '').execute();
}

/** Finds the agreement that holds: the operator's, otherwise the feed's. */
export async function findAgreement(sql: Sql, storeId: string): Promise<Agreement | null> {
  const row = await sql
    .selectFrom('stores')
    .select(raw<Agreement | null>`coalesce(agreement, profile->'agreement')`.as('agreement'))
    .where('storeId', '=', storeId)
    .executeTakeFirst();
  return row?.agreement ?? null;
}

/** A store's settings that search does not use. */
export type StorePreferences = {
  /** The language of its console, kitchen tickets, emails and SMS. */
  language: Language;
  /** Tax registration numbers, for receipts and statements with taxes that the store remits. */
  taxIds: string[];
  /** Patterns of the labels of its scale (src/supply/catalog/scale-label.ts); null: the usual ones. */
  scaleLabels: string[] | null;
  /** Cents that the store pays its own driver for a delivery; 0 if it is not set. */
  driverPayCents: number;
  /** Cents that the store may refund a day itself; 0: nothing, null: no limit. */
  refundLimitCents: number | null;
};

const DEFAULTS = {
  language: DEFAULT_LANGUAGE,
  taxIds: [],
  scaleLabels: null,
  driverPayCents: 0,
  refundLimitCents: null,
};

/** Finds a store's preferences; an unknown store has the defaults. */
export async function findStorePreferences(sql: Sql, storeId: string): Promise<StorePreferences> {
  const columns = ['language', 'taxIds', 'scaleLabels', 'driverPayCents', 'refundLimitCents'] as const;
  const row = await sql.selectFrom('stores').select(columns).where('storeId', '=', storeId).executeTakeFirst();
  return row ?? DEFAULTS;
}

/** Changes preferences; absent ones stay. The change feed is not notified, because search does not use them. */
export async function updateStorePreferences(sql: Sql, storeId: string, changes: Partial<StorePreferences>) {
  await updateStore(sql, storeId, changes);
}

/** Returns null members for an unknown store, which has set neither hours nor exceptions. */
export async function findOwnHours(sql: Sql, storeId: string): Promise<OwnHours> {
  const row = await sql
    .selectFrom('stores')
    .select(['ownHours', 'ownHoursExceptions'])
    .where('storeId', '=', storeId)
    .executeTakeFirst();
  return { hours: row?.ownHours ?? null, exceptions: row?.ownHoursExceptions ?? null };
}

/** Writes a store's own hours or exceptions. Omitted values stay; null returns to the feed's. */
export async function updateOwnHours(sql: Sql, storeId: string, { hours, exceptions }: Partial<OwnHours>) {
  await updateStore(sql, storeId, {
    ...(hours === undefined ? {} : { ownHours: jsonOrNull(hours) }),
    ...(exceptions === undefined ? {} : { ownHoursExceptions: jsonOrNull(exceptions) }),
  });
}

/** Writes the kinds of photos that a store set itself. Omitted kinds stay; null returns to the feed's. */
export async function updateOwnPhotos(sql: Sql, storeId: string, photos: PhotoChanges): Promise<void> {
  await raw`update stores
    set own_photos = nullif(jsonb_strip_nulls(coalesce(own_photos, '{}') || ${JSON.stringify(photos)}::jsonb), '{}')
    where store_id = ${storeId}`.execute(sql);
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/**
 * Adds a sandbox-only store to one more sandbox or (null) makes it public. Returns whether anything changed. The caller
 * must have locked the change clock.
 */
export async function shareStore(
  sql: Sql,
  storeId: string,
  sandbox: Sandbox,
  { seq, at }: { seq: number; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await raw`
    update stores set changed_seq = ${seq}, updated_at = ${at.toString()}::timestamptz,
      sandbox_accounts = case when ${sandbox}::text is not null then sandbox_accounts || ${sandbox}::text end
    where store_id = ${storeId} and sandbox_accounts is not null
      and (${sandbox}::text is null or not sandbox_accounts @> array[${sandbox}::text])
    returning store_id`.execute(sql);
  return rows.length > 0;
}
