import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/db/connect.ts';
import { isDatabaseUnavailable } from '../../platform/db/is-database-unavailable.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { countRevokedKeys } from './accounts.db.ts';

/** Capacity of the LRU cache of valid keys. */
const MAX_KNOWN_KEYS = 10_000;
/** Validity of a cached key while the database is away, for requests that need no statement. */
const MAX_STALE_MS = 3_600_000;
/** Limits of look-ups of uncached keys: one at a time, round-robin by client. */
const LIMITS = { maxRunning: 1, maxRunningOfOwner: 1, maxWaiting: 1000, maxWaitingOfOwner: 100 };

/** The kind of a credential: a key of an account, store or link, a token of a console's session or customer, an origin. */
export type KeyKind = 'account' | 'store' | 'session' | 'customer' | 'origin';

/**
 * Finds the owner of a credential; undefined if unknown. Cached valid keys are looked up at once. Others queue by
 * client, with a limit, so guessed keys never delay keys in use. While the database is away, an account's key and a
 * page's origin count as they did at their last look-up.
 */
export type LookUpKey = <Found>(
  kind: KeyKind,
  key: string,
  client: string,
  read: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

export type KeyLookUps = LookUpKey & {
  /** Records the result of a read of several keys for this one, as its look-up does. */
  record(kind: KeyKind, key: string, found: unknown): void;
  /** Discards earlier look-ups while the database is away, because a key was revoked since. */
  expire(): void;
};

export function createLookUpKey(): KeyLookUps {
  const known = new LRUCache<string, { found: unknown; atMs: number }>(lruOptions(MAX_KNOWN_KEYS));
  let expiredMs = -Infinity;
  /** Single-flight: concurrent first requests with a key share its look-up. */
  const running = new Map<string, Promise<unknown>>();
  const limiter = new ConcurrencyLimiter({ ...LIMITS, refusal: tooMany });

  function readUnknown<Found>(name: string, client: string, read: () => Promise<Found>): Promise<Found> {
    const shared = running.get(name) as Promise<Found> | undefined;
    if (shared) return shared;
    const reading = limiter.run(client, read).finally(() => running.delete(name));
    running.set(name, reading);
    return reading;
  }

  const record: KeyLookUps['record'] = (kind, key, found) => {
    const name = `${kind} ${key}`;
    if (found === undefined) known.delete(name);
    else known.set(name, { found, atMs: performance.now() });
  };

  const lookUpKey: LookUpKey = async (kind, key, client, read) => {
    const name = `${kind} ${key}`;
    const last = known.get(name);
    try {
      const found = await (last ? read() : readUnknown(name, client, read));
      record(kind, key, found);
      return found;
    } catch (error) {
      const sinceMs = Math.max(expiredMs, performance.now() - MAX_STALE_MS);
      const isStale = last && isDatabaseUnavailable(error) && last.atMs > sinceMs;
      if (!isStale || (kind !== 'account' && kind !== 'origin')) throw error;
      return last.found as Awaited<ReturnType<typeof read>>;
    }
  };
  const expire = () => {
    expiredMs = performance.now();
  };
  return Object.assign(lookUpKey, { record, expire });
}

/** Returns a check, to be repeated, that expires the look-ups once more keys are revoked than at the last one. */
export function createRevocationCheck(db: Db, lookUps: Pick<KeyLookUps, 'expire'>): () => Promise<void> {
  let last: number | undefined;
  return async () => {
    const count = await countRevokedKeys(db);
    if (count !== last) lookUps.expire();
    last = count;
  };
}

function tooMany(): Refusal {
  return new Refusal(
    'rate_limited',
    'Too many requests with unknown keys from this address. Try again later.',
    retryAfter(1),
  );
}
