import type { Sql } from '../../platform/db/connect.ts';
import { newSigningSecret, type Rotation, rotateSecret } from '../../platform/lib/standard-webhook.ts';
import { findEndpoint, saveEndpointSecrets } from './endpoints.db.ts';
import type { Owner } from './webhook.ts';

/** Rotates the signing secret of an account's webhook in one mode; undefined if none is attached. */
export async function rotateWebhookSecret(
  tx: Sql,
  owner: Owner,
  overlapHours: number,
  now: Temporal.Instant,
): Promise<(Rotation & { url: string }) | undefined> {
  const endpoint = await findEndpoint(tx, owner, { lock: true });
  if (!endpoint) return undefined;
  const { url, secret, previousSecretUntil: previousUntil } = endpoint;
  const rotation = rotateSecret({ secret, previousUntil }, { fresh: newSigningSecret(), overlapHours, now });
  if (rotation.state === 'rotated') await saveEndpointSecrets(tx, owner, rotation.secrets);
  return { ...rotation, url };
}
