import { LRUCache } from 'lru-cache';
import { Refusal } from '../http/refusal.ts';
import { lastUsed } from '../lib/last-used.ts';
import { limitByOwner } from '../lib/limit-by-owner.ts';

/** Keys that have been valid here; beyond these the least recently used is forgotten. */
const MAX_KNOWN_KEYS = 10_000;
/** Look-ups of keys that have never been valid here: one at a time, one client after the other. */
const LIMITS = { maxRunning: 1, maxRunningOfOwner: 1, maxWaiting: 1000, maxWaitingOfOwner: 100 };

/** What a text is read as: the key of an account, the key or link of a store, or the token of a console session. */
export type KeyKind = 'account' | 'store' | 'session';

/**
 * Reads whom a key, a session or a link speaks for; undefined for nobody. A key that has been valid here is read at once.
 * Any other key waits for its turn, and is refused without a read where too many keys of its client wait: keys that somebody
 * guesses delay no key that is in use. One text may come as several kinds at one moment: each kind is read by itself.
 */
export type LookUpKey = <Found>(
  kind: KeyKind,
  key: string,
  client: string,
  read: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

export function createLookUpKey(): LookUpKey {
  const known = new LRUCache<string, true>(lastUsed(MAX_KNOWN_KEYS));
  /** The first requests of a client come at one moment, and share the look-up of their key. */
  const running = new Map<string, Promise<unknown>>();
  const inTurn = limitByOwner({ ...LIMITS, refusal: tooMany });

  function readUnknown<Found>(name: string, client: string, read: () => Promise<Found>): Promise<Found> {
    const shared = running.get(name) as Promise<Found> | undefined;
    if (shared) return shared;
    const reading = inTurn(client, read).finally(() => running.delete(name));
    running.set(name, reading);
    return reading;
  }

  return async (kind, key, client, read) => {
    const name = `${kind} ${key}`;
    const found = await (known.has(name) ? read() : readUnknown(name, client, read));
    if (found === undefined) known.delete(name);
    else known.set(name, true);
    return found;
  };
}

function tooMany(): Refusal {
  return new Refusal('rate_limited', 'Too many unknown keys come from this address; send the request again later.', {
    headers: { 'retry-after': '1' },
  });
}
