import { createHmac, scrypt } from 'node:crypto';

export const KEY_MAX_LENGTH = 255;
/** An answer is replayed this long. */
export const REPLAY_HOURS = 24;
/** No request runs longer: a claim older than this without an answer belonged to a process that died. */
export const CLAIM_STALE_SECONDS = 30;
/** How long a second request waits for the first. */
export const WAIT_MS = 10_000;

/**
 * Tells whether two requests are the same: over method, path and body, whatever the order of its members.
 * Keyed with the service's secret. Where the body carries a card the hash is slow and salted besides, because the space
 * of card numbers is small enough to try them all against a fast one; it runs beside the event loop, not in it.
 */
export async function fingerprintOf(
  secret: string,
  request: { target: string; body: unknown; carriesCard: boolean; key: string },
): Promise<Buffer> {
  const digest = createHmac('sha256', secret)
    .update(`${request.target}\n${canonicalJson(request.body)}`)
    .digest();
  return request.carriesCard ? hashSlowly(digest, request.key) : digest;
}

function hashSlowly(digest: Buffer, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(digest, salt, 32, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  );
}
