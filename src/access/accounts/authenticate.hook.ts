import type { Db } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { KeyCaller, KeyNeeds } from './account.ts';
import { findCallersByKeyHash, isListedOrigin } from './accounts.db.ts';
import { CHALLENGE } from './key-in.ts';
import { createLookUpKey, type KeyLookUps, type LookUpKey } from './key-look-ups.cache.ts';

/*
 * Authenticates requests of apps: an API key from its header to the account, mode and scopes that the routes see.
 * Publishable keys also need an origin that they list.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that needs a key. */
    caller: KeyCaller;
  }
  interface FastifyContextConfig extends KeyNeeds {}
}

/** Maximum age of a cached key, so that a revoked key stops working within a second on every node. */
const KEY_CACHE_MS = 900;
const MAX_KNOWN_KEYS = 10_000;
/** Maximum keys per statement. */
const MAX_KEYS_READ = 1000;

const NO_KEY = 'Send your API key in the Id-Token header, or as Authorization: Bearer.';

export type Authenticate = (key: string, request?: { client: { name: string } }) => Promise<KeyCaller> | KeyCaller;

/** A cached key; `isUsed` once a request has used it. */
type KnownKey = { caller: KeyCaller; hash: Buffer; isUsed: boolean };

/** Keys cached during one period. */
type Period = {
  endMs: number;
  /** Keyed by the key's text, because hashing it would cost more than all other checks. */
  known: Map<string, KnownKey>;
  /**
   * Hashes of the keys used in the previous period. The first request with any of them reloads them all in one query.
   */
  recent: ReadonlyMap<string, Buffer>;
  reading: Promise<void> | undefined;
};

/**
 * Finds the caller of a key. Malformed, unknown and revoked keys take the same path (hash, look-up) and get the same
 * error, so the response does not reveal the reason. `offers` is the SQL of a caller's offers, read with its key.
 * Refuses with missing_api_key or invalid_api_key.
 */
export function createAuthenticate(deps: {
  db: Db;
  clock: Clock;
  lookUpKey?: KeyLookUps;
  offers?: string;
}): Authenticate {
  const { db, clock, lookUpKey = createLookUpKey(), offers } = deps;
  const find = (hashes: readonly Buffer[]) => findCallersByKeyHash(db, hashes, clock.now(), offers);
  let period: Period = { endMs: 0, known: new Map(), recent: new Map(), reading: undefined };
  return (key, request) => {
    if (key === '') throw new Refusal('missing_api_key', NO_KEY, CHALLENGE);
    const nowMs = elapsedMsOf(clock);
    if (nowMs >= period.endMs || period.known.size >= MAX_KNOWN_KEYS) {
      period = { endMs: nowMs + KEY_CACHE_MS, known: new Map(), recent: usedKeys(period), reading: undefined };
    }
    return findCaller(period, key) ?? lookUp(period, key, request?.client.name ?? '');
  };

  async function lookUp(now: Period, key: string, client: string): Promise<KeyCaller> {
    const hash = sha256(key);
    let read = async () => (await find([hash]))[0];
    if (now.recent.has(key)) {
      now.reading ??= readRecent(now);
      await now.reading.catch((error) => {
        read = () => Promise.reject(error);
      });
      const caller = findCaller(now, key);
      if (caller) return caller;
    }
    const caller = await lookUpKey('account', key, client, read);
    if (!caller) throw new Refusal('invalid_api_key', 'This API key is invalid.', CHALLENGE);
    now.known.set(key, { caller, hash, isUsed: true });
    return caller;
  }

  async function readRecent(now: Period): Promise<void> {
    try {
      const hashes = [...now.recent.values()];
      const callers = await find(hashes);
      for (const [nth, [key, hash]] of [...now.recent].entries()) {
        const caller = callers[nth];
        lookUpKey.record('account', key, caller);
        if (caller) now.known.set(key, { caller, hash, isUsed: false });
      }
    } catch (error) {
      now.reading = undefined;
      throw error;
    }
  }
}

/** Whether a publishable key lists the origin of a client's preflight, which has no key. */
export type ListsOrigin = (origin: string, client: { name: string }) => Promise<boolean>;

export function createListsOrigin({ db, lookUpKey }: { db: Db; lookUpKey: LookUpKey }): ListsOrigin {
  return async (origin, { name }) => {
    const find = async () => ((await isListedOrigin(db, origin)) ? origin : undefined);
    return (await lookUpKey('origin', origin, name, find)) !== undefined;
  };
}

function findCaller({ known }: Period, key: string): KeyCaller | undefined {
  const found = known.get(key);
  if (found) found.isUsed = true;
  return found?.caller;
}

function usedKeys({ known }: Period): ReadonlyMap<string, Buffer> {
  const used = [...known].filter(([, { isUsed }]) => isUsed).slice(-MAX_KEYS_READ);
  return new Map(used.map(([key, { hash }]) => [key, hash]));
}
