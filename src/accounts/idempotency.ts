import { createHmac, scrypt } from 'node:crypto';

export const KEY_MAX_LENGTH = 255;
/** An answer is replayed this long. */
export const REPLAY_HOURS = 24;
/** No request runs longer: a claim older than this without an answer belonged to a process that died. */
export const CLAIM_STALE_SECONDS = 30;
/** How long a second request waits for the first. */
export const WAIT_MS = 10_000;

/**
 * A hash that is equal for equal requests: of method, path and body, in any order of members. Keyed with the service's
 * secret. For a body with a card the hash is also slow and salted, because every card number could be tried against a
 * fast hash; the slow hash runs on the thread pool, beside the event loop.
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
