import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { newSigningSecret, type Rotation, rotateSecret } from '../lib/standard-webhook.ts';
import { lockStoreWebhook, saveStoreWebhookSecrets } from './store-channels.db.ts';

/** Gives the webhook of a store's point of sale a new signing secret. Undefined where the store has no webhook. */
export async function rotateStoreSecret(
  { db, clock }: { db: Db; clock: Clock },
  storeId: string,
  overlapHours: number,
): Promise<(Rotation & { url: string }) | undefined> {
  return db.transaction().execute(async (tx) => {
    const { target: url, signingSecret: secret, previousSecretUntil } = (await lockStoreWebhook(tx, storeId)) ?? {};
    if (!url || !secret) return undefined;
    const given = { fresh: newSigningSecret(), overlapHours, now: clock.now() };
    const rotation = rotateSecret({ secret, previousUntil: previousSecretUntil ?? null }, given);
    if (rotation.state === 'rotated') await saveStoreWebhookSecrets(tx, storeId, rotation.secrets);
    return { ...rotation, url };
  });
}
