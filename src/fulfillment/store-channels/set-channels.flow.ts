import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { newSigningSecret, type Rotation, rotateSecret } from '../../platform/lib/standard-webhook.ts';
import { isStoreId } from '../../supply/stores/store-id.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from '../../supply/stores/stores.db.ts';
import { type Channel, type PrintAt, receivesOrders, type StoreChannel } from './store-channel.ts';
import {
  findAutoConfirm,
  listChannels,
  lockStoreWebhook,
  putChannel,
  removeChannel,
  removePrinters,
  saveStoreWebhookSecrets,
  writeAutoConfirm,
  writeHasChannel,
} from './store-channels.db.ts';
import { requeueTickets, retryFailedNotices } from './store-notices.db.ts';

/** Channels with a target. */
const TARGETS = ['email', 'sms', 'webhook', 'printer'] as const;

/** Changes of channels: an omitted member stays as it is, null removes the channel. */
export type ChannelChanges = {
  email?: string | null;
  sms?: string | null;
  webhook?: string | null;
  printer?: string | null;
  /** Whether the printer polls: it gets a URL with a new secret. */
  polls?: boolean;
  /** The printer's name among several, and the categories whose items it prints. */
  station?: string;
  categories?: readonly string[];
  operator?: boolean;
  console?: boolean;
  printAt?: PrintAt;
  encoding?: string;
  autoConfirmMinutes?: number | null;
};

/** `printerSecret`: of the URL a polling printer was set to; only its hash is stored. */
export type StoreChannels = {
  storeId: string;
  channels: Channel[];
  autoConfirmMinutes: number | null;
  printerSecret: string | undefined;
};

/**
 * Sets how a store receives its live orders, in the caller's transaction. The first channel puts the store on sale for
 * live keys; removing the last one takes it off. Undefined if there is no such store.
 */
export async function setChannels(
  tx: Sql,
  storeId: string,
  changes: ChannelChanges,
  at: Temporal.Instant,
): Promise<StoreChannels | undefined> {
  if (!isStoreId(storeId) || !(await findStore(tx, storeId))) return undefined;
  // Lock order: the change clock before store rows. It also serializes two changes of one store's channels.
  const isEmpty = Object.keys(changes).length === 0;
  const seq = isEmpty ? 0 : await nextChange(tx);
  const retargeted = TARGETS.filter((channel) => typeof changes[channel] === 'string');
  await retryFailedNotices(tx, storeId, retargeted, at);
  if (typeof changes.printer === 'string')
    await requeueTickets(tx, { storeId, channel: printerOfChanges(changes) }, { isPolled: changes.polls === true, at });
  const printerSecret = changes.polls ? randomId('', 24) : undefined;
  for (const channel of TARGETS) {
    await setTarget(tx, { storeId, channel, target: changes[channel] }, { ...changes, printerSecret }, at);
  }
  await setSwitch(tx, { storeId, channel: 'operator', isOn: changes.operator }, at);
  await setSwitch(tx, { storeId, channel: 'console', isOn: changes.console }, at);
  if (changes.autoConfirmMinutes !== undefined) await writeAutoConfirm(tx, storeId, changes.autoConfirmMinutes);
  const channels = await listChannels(tx, storeId);
  if (!isEmpty && (await writeHasChannel(tx, storeId, channels.some(receivesOrders)))) {
    await markStoreChanged(tx, storeId, { seq, at });
    await notifyChange(tx);
  }
  return { storeId, channels, autoConfirmMinutes: await findAutoConfirm(tx, storeId), printerSecret };
}

async function setTarget(
  tx: Sql,
  { storeId, channel, target }: { storeId: string; channel: StoreChannel; target: string | null | undefined },
  changes: ChannelChanges & { printerSecret: string | undefined },
  at: Temporal.Instant,
): Promise<void> {
  const { printAt, encoding, printerSecret, categories = null } = changes;
  const settings = channel === 'printer' ? { ...(printAt ? { printAt } : {}), ...(encoding ? { encoding } : {}) } : {};
  const isOfAll = channel === 'printer' && changes.station === undefined;
  const name = channel === 'printer' ? printerOfChanges(changes) : channel;
  if (target === null) await (isOfAll ? removePrinters(tx, storeId) : removeChannel(tx, storeId, name));
  else if (target !== undefined) {
    const signingSecret = channel === 'webhook' ? newSigningSecret() : null;
    const secretHash = channel === 'printer' && printerSecret !== undefined ? sha256(printerSecret) : null;
    await putChannel(tx, storeId, { channel: name, target, signingSecret, secretHash, categories, ...settings }, at);
  }
}

function printerOfChanges({ station }: ChannelChanges): StoreChannel {
  return station === undefined ? 'printer' : `printer:${station}`;
}

async function setSwitch(
  tx: Sql,
  { storeId, channel, isOn }: { storeId: string; channel: StoreChannel; isOn: boolean | undefined },
  at: Temporal.Instant,
): Promise<void> {
  if (isOn === undefined) return;
  if (isOn) await putChannel(tx, storeId, { channel, target: null, signingSecret: null }, at);
  else await removeChannel(tx, storeId, channel);
}

/** Rotates the signing secret of a store's POS webhook; undefined if the store has no webhook. */
export async function rotateStoreSecret(
  tx: Sql,
  storeId: string,
  overlapHours: number,
  now: Temporal.Instant,
): Promise<(Rotation & { url: string }) | undefined> {
  const { target: url, signingSecret: secret, previousSecretUntil } = (await lockStoreWebhook(tx, storeId)) ?? {};
  if (!url || !secret) return undefined;
  const previousUntil = previousSecretUntil ?? null;
  const rotation = rotateSecret({ secret, previousUntil }, { fresh: newSigningSecret(), overlapHours, now });
  if (rotation.state === 'rotated') await saveStoreWebhookSecrets(tx, storeId, rotation.secrets);
  return { ...rotation, url };
}
