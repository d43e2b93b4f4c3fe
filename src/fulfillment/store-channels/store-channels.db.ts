import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { SigningSecrets } from '../../platform/lib/standard-webhook.ts';
import { type Channel, isPrinter, type StoreChannel } from './store-channel.ts';

/*
 * The channels over which a store receives orders (console, email, SMS, printer, webhook), with their targets, secrets
 * and failures, in SQL.
 */

const COLUMNS = [
  ...(['channel', 'target', 'signingSecret', 'previousSecretUntil'] as const),
  ...(['printAt', 'encoding', 'categories', 'secretHash', 'failingSince', 'lastError'] as const),
] as const;

/** Lists a store's channels, sorted by name. */
export async function listChannels(sql: Sql, storeId: string): Promise<Channel[]> {
  return sql.selectFrom('storeChannels').select(COLUMNS).where('storeId', '=', storeId).orderBy('channel').execute();
}

export async function findChannels(sql: Sql, storeIds: readonly string[]): Promise<(Channel & { storeId: string })[]> {
  if (storeIds.length === 0) return [];
  return sql
    .selectFrom('storeChannels')
    .select([...COLUMNS, 'storeId'])
    .where('storeId', 'in', storeIds)
    .orderBy('storeId')
    .orderBy('channel')
    .execute();
}

export type NewChannel = Pick<Channel, 'channel' | 'target' | 'signingSecret'> &
  Partial<Pick<Channel, 'printAt' | 'encoding' | 'categories' | 'secretHash'>>;

/** Adds a channel or changes its target. A webhook keeps its secret; a printer is untried until it has printed. */
export async function putChannel(sql: Sql, storeId: string, channel: NewChannel, at: Temporal.Instant): Promise<void> {
  const { target, printAt, encoding, categories = null, secretHash = null } = channel;
  const lastError = isPrinter(channel.channel) ? 'not reached yet' : null;
  const seenAt = secretHash && at.toString();
  const settings = { ...(printAt ? { printAt } : {}), ...(encoding ? { encoding } : {}) };
  await sql
    .insertInto('storeChannels')
    .values({ ...channel, storeId, createdAt: at.toString(), seenAt, lastError })
    .onConflict((conflict) =>
      conflict
        .columns(['storeId', 'channel'])
        .doUpdateSet({ ...settings, target, categories, secretHash, seenAt, failingSince: null, lastError }),
    )
    .execute();
}

export async function removePrinters(sql: Sql, storeId: string): Promise<void> {
  await sql
    .deleteFrom('storeChannels')
    .where('storeId', '=', storeId)
    .where(raw<boolean>`channel like 'printer%'`)
    .execute();
}

export async function removeChannel(sql: Sql, storeId: string, channel: StoreChannel): Promise<void> {
  await sql.deleteFrom('storeChannels').where('storeId', '=', storeId).where('channel', '=', channel).execute();
}

/** Locks the webhook of a store's POS until the transaction ends. */
export async function lockStoreWebhook(tx: Sql, storeId: string) {
  return tx
    .selectFrom('storeChannels')
    .select(['target', 'signingSecret', 'previousSecretUntil'])
    .where('storeId', '=', storeId)
    .where('channel', '=', 'webhook')
    .forUpdate()
    .executeTakeFirst();
}

/** Stores a rotated secret of a store's webhook, and the previous one. */
export async function saveStoreWebhookSecrets(tx: Sql, storeId: string, secrets: SigningSecrets): Promise<void> {
  await tx
    .updateTable('storeChannels')
    .set({
      signingSecret: secrets.secret,
      previousSigningSecret: secrets.previous,
      previousSecretUntil: secrets.previousUntil?.toString() ?? null,
    })
    .where('storeId', '=', storeId)
    .where('channel', '=', 'webhook')
    .execute();
}

/** Stores whether a store has a channel that receives orders; returns true if that has changed. */
export async function writeHasChannel(sql: Sql, storeId: string, hasChannel: boolean): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('stores')
    .set({ hasChannel })
    .where('storeId', '=', storeId)
    .where('hasChannel', '!=', hasChannel)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores the preparation minutes for confirming an order once the first channel has it; null if a person
 * confirms.
 */
export async function writeAutoConfirm(sql: Sql, storeId: string, minutes: number | null): Promise<void> {
  await sql.updateTable('stores').set({ autoConfirmMinutes: minutes }).where('storeId', '=', storeId).execute();
}

/** Finds minutes of automatic confirmation by store id; omits stores whose orders a person confirms. */
export async function findAutoConfirms(sql: Sql, storeIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql
    .selectFrom('stores')
    .select(['storeId', raw<number>`auto_confirm_minutes`.as('minutes')])
    .where('storeId', '=', raw<string>`any(${storeIds}::text[])`)
    .where('autoConfirmMinutes', 'is not', null)
    .execute();
  return new Map(rows.map(({ storeId, minutes }) => [storeId, minutes]));
}

export async function findAutoConfirm(sql: Sql, storeId: string): Promise<number | null> {
  const row = await sql
    .selectFrom('stores')
    .select('autoConfirmMinutes')
    .where('storeId', '=', storeId)
    .executeTakeFirst();
  return row?.autoConfirmMinutes ?? null;
}

/** The printers of these stores that poll, each as `STORE CHANNEL`. */
export async function findPolledPrinters(sql: Sql, storeIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (storeIds.length === 0) return new Set();
  const rows = await sql
    .selectFrom('storeChannels')
    .select(['storeId', 'channel'])
    .where('storeId', 'in', storeIds)
    .where('secretHash', 'is not', null)
    .execute();
  return new Set(rows.map(({ storeId, channel }) => `${storeId} ${channel}`));
}

/** Records that the last attempt on a channel failed. */
export async function recordFailingChannel(
  sql: Sql,
  { storeId, channel }: { storeId: string; channel: StoreChannel },
  { error, at }: { error: string; at: Temporal.Instant },
): Promise<void> {
  await raw`
    update store_channels
    set failing_since = coalesce(failing_since, ${at.toString()}::timestamptz), last_error = ${error}
    where store_id = ${storeId} and channel = ${channel}`.execute(sql);
}

/** Records that the last attempt on each of these channels succeeded. Every statement locks rows in the same order. */
export async function recordWorkingChannels(sql: Sql, channels: readonly { storeId: string; channel: StoreChannel }[]) {
  const [stores, names] = [channels.map(({ storeId }) => storeId), channels.map(({ channel }) => channel)];
  await raw`
    with fixed as (
      select store_id, channel from store_channels
      where (store_id, channel) in (select * from unnest(${stores}::text[], ${names}::text[]))
        and (failing_since is not null or last_error is not null)
      order by store_id, channel for update
    )
    update store_channels as s set failing_since = null, last_error = null
    from fixed where s.store_id = fixed.store_id and s.channel = fixed.channel`.execute(sql);
}
