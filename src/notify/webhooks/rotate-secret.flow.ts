import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { newSigningSecret, type Rotation, rotateSecret } from '../../platform/lib/standard-webhook.ts';
import { findEndpoint, saveEndpointSecrets } from './endpoints.db.ts';
import type { Owner } from './webhook.ts';

/** Rotates the signing secret of an account's webhook in one mode; undefined if none is attached. */
export async function rotateWebhookSecret(
  { db, clock }: { db: Db; clock: Clock },
  owner: Owner,
  overlapHours: number,
): Promise<(Rotation & { url: string }) | undefined> {
  return db.transaction().execute(async (tx) => {
    const endpoint = await findEndpoint(tx, owner, { lock: true });
    if (!endpoint) return undefined;
    const { url, secret, previousSecretUntil: previousUntil } = endpoint;
    const given = { fresh: newSigningSecret(), overlapHours, now: clock.now() };
    const rotation = rotateSecret({ secret, previousUntil }, given);
    if (rotation.state === 'rotated') await saveEndpointSecrets(tx, owner, rotation.secrets);
    return { ...rotation, url };
  });
}
