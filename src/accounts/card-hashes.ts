import { Refusal } from '../http/refusal.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../load/concurrency-limiter.ts';
import { hashSlowly } from './idempotency.ts';

/**
 * Slow hashes of a process: one at a time, because compression shares the threads of the pool and the processors of the
 * machine. A full row of one owner waits some 3 seconds.
 */
export const HASH_LIMITS: Omit<ConcurrencyLimits, 'refusal'> = {
  maxRunning: 1,
  maxRunningOfOwner: 1,
  maxWaiting: 400,
  maxWaitingOfOwner: 60,
};

/** Hashes the digest of a body with a card in the turn of its owner. Refuses with rate_limited where too many wait. */
export type CardHashes = (owner: string, digest: Buffer, salt: string) => Promise<Buffer>;

export function createCardHashes(hash: typeof hashSlowly = hashSlowly): CardHashes {
  const limiter = new ConcurrencyLimiter({ ...HASH_LIMITS, refusal: tooMany });
  return (owner, digest, salt) => limiter.run(owner, () => hash(digest, salt));
}

function tooMany(): Refusal {
  return new Refusal(
    'rate_limited',
    'Too many requests with a card and an Idempotency-Key wait; send this one later.',
    {
      headers: { 'retry-after': '2' },
    },
  );
}
