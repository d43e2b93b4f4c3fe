import type { Db } from '../db/connect.ts';
import { Refusal } from '../http/refusal.ts';
import { type Clock, epochMsOf } from '../lib/clock.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Caller } from './account.ts';
import { findCallerByKeyHash } from './accounts.db.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route but the public ones. */
    caller: Caller;
  }
}

/** A revoked key stops within a second on every node: no answer about a key is kept longer than this. */
const KNOWN_FOR_MS = 900;
const MAX_KNOWN_KEYS = 10_000;

/** RFC 9110, section 11.6.1: a 401 names the scheme that the client must use. */
const CHALLENGE = { headers: { 'www-authenticate': 'ApiKey realm="doorstep", header="Id-Token"' } };

export type Authenticate = (header: string | string[] | undefined) => Promise<Caller> | Caller;

/**
 * Finds the caller of an `Id-Token` header. A malformed, an unknown and a revoked key take the same path (hash, look-up)
 * and get the same refusal, so the answer does not reveal the reason. Refuses with missing_api_key or invalid_api_key.
 */
export function createAuthenticate({ db, clock }: { db: Db; clock: Clock }): Authenticate {
  // Keyed by the key's text: a hash would cost every request more than the rest of the check. The whole map is cleared at once.
  const known = new Map<string, Caller>();
  let forgetAtMs = 0;
  return (header) => {
    const key = Array.isArray(header) ? header.join(',') : (header?.trim() ?? '');
    if (key === '') throw new Refusal('missing_api_key', 'Send your API key in the Id-Token header.', CHALLENGE);
    const nowMs = epochMsOf(clock);
    if (nowMs >= forgetAtMs || known.size >= MAX_KNOWN_KEYS) {
      known.clear();
      forgetAtMs = nowMs + KNOWN_FOR_MS;
    }
    return known.get(key) ?? lookUp(key);
  };

  async function lookUp(key: string): Promise<Caller> {
    const caller = await findCallerByKeyHash(db, sha256(key));
    if (!caller) throw new Refusal('invalid_api_key', 'This API key is not valid.', CHALLENGE);
    known.set(key, caller);
    return caller;
  }
}
