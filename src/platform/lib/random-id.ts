import { randomFillSync } from 'node:crypto';

/** Size of the pool of random bytes, because a call for every id costs more. */
const POOL_BYTES = 4096;
const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let used = POOL_BYTES;

/** `prefix` and `bytes` random bytes as base64url. 16 bytes are 128 bits, too many to guess. */
export function randomId(prefix: string, bytes = 16): string {
  if (bytes > POOL_BYTES) throw new RangeError(`An id has at most ${POOL_BYTES} random bytes.`);
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const from = used;
  used += bytes;
  const text = pool.toString('base64url', from, used);
  pool.fill(0, from, used);
  return `${prefix}${text}`;
}
