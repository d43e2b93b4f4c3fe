import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { epochSeconds } from './time.ts';

/** 256 bits; Standard Webhooks requires 192 to 512. */
const SECRET_BYTES = 32;

/** Returns a secret in the format of Standard Webhooks: `whsec_` and base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * Returns the headers that identify and sign one attempt. All attempts of a call share the id; each has its own
 * timestamp (Standard Webhooks 1.0.0). Each secret adds a signature, separated by spaces.
 */
export function signedHeaders(
  secrets: readonly string[],
  attempt: { id: string; at: Temporal.Instant; body: string },
): Record<string, string> {
  const epochS = epochSeconds(attempt.at);
  return {
    'webhook-id': attempt.id,
    'webhook-timestamp': String(epochS),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(attempt.id, new Date(epochS * 1000), attempt.body))
      .join(' '),
  };
}

/** An endpoint's secrets. The previous one also signs until `previousUntil`, so that a receiver can switch in time. */
export type SigningSecrets = { secret: string; previous: string | null; previousUntil: Temporal.Instant | null };

/** Returns the secrets that sign at `now`, current one first. */
export function activeSecrets(secrets: SigningSecrets, now: Temporal.Instant): string[] {
  const { secret, previous } = secrets;
  return previous !== null && isOverlapping(secrets, now) ? [secret, previous] : [secret];
}

export function isOverlapping({ previousUntil }: Pick<SigningSecrets, 'previousUntil'>, now: Temporal.Instant) {
  return previousUntil !== null && Temporal.Instant.compare(now, previousUntil) < 0;
}

/** The result of `rotateSecret`. `still overlapping`: refused, because the previous secret still signs. */
export type Rotation =
  | { state: 'rotated'; secrets: SigningSecrets }
  | { state: 'still overlapping'; previousUntil: Temporal.Instant };

/**
 * Rotates the secret. The current one signs for `overlapHours` more; 0 ends older secrets at once. During an overlap
 * only a rotation with 0 hours is allowed, or receivers would lose a secret (docs/webhooks.md#a-new-secret).
 */
export function rotateSecret(
  current: { secret: string; previousUntil: Temporal.Instant | null },
  { fresh, overlapHours, now }: { fresh: string; overlapHours: number; now: Temporal.Instant },
): Rotation {
  if (overlapHours === 0) return { state: 'rotated', secrets: { secret: fresh, previous: null, previousUntil: null } };
  const { secret: previous, previousUntil } = current;
  if (previousUntil !== null && isOverlapping(current, now)) return { state: 'still overlapping', previousUntil };
  const secrets = { secret: fresh, previous, previousUntil: now.add({ hours: overlapHours }) };
  return { state: 'rotated', secrets };
}
