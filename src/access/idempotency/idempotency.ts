import { createHmac, scrypt } from 'node:crypto';
import { canonicalJson } from '../../platform/lib/json-object.ts';
import type { Caller } from '../accounts/account.ts';

export const KEY_MAX_LENGTH = 255;
/** How many hours a response is replayed, and the longest time that an endpoint may choose. */
export const REPLAY_HOURS = 24;
export const MAX_REPLAY_HOURS = 48;
/** Seconds until an unanswered claim is stale: no request runs longer, so its process has died. */
export const CLAIM_STALE_SECONDS = 30;
/** Milliseconds that a repeated request waits for the first one. */
export const MAX_FIRST_REQUEST_WAIT_MS = 10_000;

/** The owner of an idempotency key: an account in a mode, a store or an operator. */
export type KeyOwner = Pick<Caller, 'accountId' | 'mode'>;

/** The response stored in a key's record. */
export type RecordedAnswer = { status: number; contentType: string; body: string };

/** The fields of a key's record that decide how a repeated request is answered. */
export type KeyRecord = {
  fingerprint: Buffer;
  state: 'running' | 'done';
  startedAt: Temporal.Instant;
  status: number | null;
  contentType: string | null;
  body: string | null;
};

/**
 * Returns a hash of method, path and body, keyed with the service's secret: of a raw body's bytes, of a parsed one
 * independent of member order. Digests of bodies with card data stay in memory, because card numbers could be
 * brute-forced against them.
 */
export function requestDigest(secret: string, request: { target: string; body: unknown }): Buffer {
  const { target, body } = request;
  const hmac = createHmac('sha256', secret).update(`${target}\n`);
  return (Buffer.isBuffer(body) ? hmac.update(body) : hmac.update(canonicalJson(body))).digest();
}

/** Hashes the digest of a body with card data for the database, with salt and slowly: about 50 ms on a pool thread. */
export function hashSlowly(digest: Buffer, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(digest, salt, 32, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

/** Returns the recorded answer; undefined while the request runs. */
export function recordedAnswerOf({ state, status, contentType, body }: KeyRecord): RecordedAnswer | undefined {
  if (state !== 'done') return undefined;
  return { status: status ?? 200, contentType: contentType ?? 'application/json', body: body ?? '' };
}

/**
 * Whether a request can take over the key: the record has expired, or its process died while answering this request.
 */
export function isFree(
  record: KeyRecord,
  fingerprint: Buffer,
  { at, replayHours }: { at: Temporal.Instant; replayHours: number },
): boolean {
  const isBefore = (moment: Temporal.Instant) => Temporal.Instant.compare(record.startedAt, moment) < 0;
  if (isBefore(at.subtract({ hours: replayHours }))) return true;
  const isStale = record.state === 'running' && isBefore(at.subtract({ seconds: CLAIM_STALE_SECONDS }));
  return isStale && record.fingerprint.equals(fingerprint);
}
