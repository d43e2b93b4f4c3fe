import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { epochSeconds } from './time.ts';

/** 256 bits; Standard Webhooks asks for 192 to 512. */
const SECRET_BYTES = 32;

/** A secret in the format of Standard Webhooks: `whsec_` and base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The headers that name and sign one attempt: all attempts of a call have the same id, each its own time (Standard Webhooks 1.0.0). */
export function signedHeaders(
  secret: string,
  attempt: { id: string; at: Temporal.Instant; body: string },
): Record<string, string> {
  const epochS = epochSeconds(attempt.at);
  return {
    'webhook-id': attempt.id,
    'webhook-timestamp': String(epochS),
    'webhook-signature': new Webhook(secret).sign(attempt.id, new Date(epochS * 1000), attempt.body),
  };
}
