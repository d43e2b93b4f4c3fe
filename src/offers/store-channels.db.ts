import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { SigningSecrets } from '../lib/standard-webhook.ts';
import type { Channel, StoreChannel } from './store-channel.ts';

const COLUMNS = [
  ...(['channel', 'target', 'signingSecret', 'previousSecretUntil'] as const),
  ...(['printAt', 'encoding', 'failingSince', 'lastError'] as const),
] as const;

/** The channels of a store, in the sequence of their names. */
export async function listChannels(sql: Sql, storeId: string): Promise<Channel[]> {
  return sql.selectFrom('storeChannels').select(COLUMNS).where('storeId', '=', storeId).orderBy('channel').execute();
}

/** The channels of several stores. */
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
  Partial<Pick<Channel, 'printAt' | 'encoding'>>;

/** Adds a channel, or gives it another target; a webhook keeps its secret. */
export async function putChannel(sql: Sql, storeId: string, channel: NewChannel, at: Temporal.Instant): Promise<void> {
  const { target, printAt, encoding } = channel;
  const settings = { ...(printAt ? { printAt } : {}), ...(encoding ? { encoding } : {}) };
  await sql
    .insertInto('storeChannels')
    .values({ ...channel, storeId, createdAt: at.toString(), lastError: null })
    .onConflict((conflict) =>
      conflict
        .columns(['storeId', 'channel'])
        .doUpdateSet({ target, failingSince: null, lastError: null, ...settings }),
    )
    .execute();
}

export async function removeChannel(sql: Sql, storeId: string, channel: StoreChannel): Promise<void> {
  await sql.deleteFrom('storeChannels').where('storeId', '=', storeId).where('channel', '=', channel).execute();
}

/** The webhook of a store's point of sale, locked until the transaction ends. */
export async function lockStoreWebhook(
  tx: Sql,
  storeId: string,
): Promise<Pick<Channel, 'target' | 'signingSecret' | 'previousSecretUntil'> | undefined> {
  return tx
    .selectFrom('storeChannels')
    .select(['target', 'signingSecret', 'previousSecretUntil'])
    .where('storeId', '=', storeId)
    .where('channel', '=', 'webhook')
    .forUpdate()
    .executeTakeFirst();
}

/** Stores a rotated secret of a store's webhook with its predecessor. */
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

/** Stores whether a store has a channel that receives orders; true where that has changed. */
export async function writeHasChannel(sql: Sql, storeId: string, hasChannel: boolean): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('stores')
    .set({ hasChannel })
    .where('storeId', '=', storeId)
    .where('hasChannel', '!=', hasChannel)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Minutes with which the first channel that has an order confirms it; null: a person confirms. */
export async function writeAutoConfirm(sql: Sql, storeId: string, minutes: number | null): Promise<void> {
  await sql.updateTable('stores').set({ autoConfirmMinutes: minutes }).where('storeId', '=', storeId).execute();
}

export async function findAutoConfirm(sql: Sql, storeId: string): Promise<number | null> {
  const row = await sql
    .selectFrom('stores')
    .select('autoConfirmMinutes')
    .where('storeId', '=', storeId)
    .executeTakeFirst();
  return row?.autoConfirmMinutes ?? null;
}

/** Records whether the last attempt on a channel failed. */
export async function recordChannelHealth(
  sql: Sql,
  { storeId, channel }: { storeId: string; channel: StoreChannel },
  { error, at }: { error: string | null; at: Temporal.Instant },
): Promise<void> {
  await raw`
    update store_channels
    set failing_since = case when ${error}::text is null then null else coalesce(failing_since, ${at.toString()}::timestamptz) end,
      last_error = ${error}
    where store_id = ${storeId} and channel = ${channel}
      and (${error}::text is not null or failing_since is not null)`.execute(sql);
}
