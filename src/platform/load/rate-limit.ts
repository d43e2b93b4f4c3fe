import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../http/refusal.ts';
import { type Clock, elapsedMsOf } from '../lib/clock.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

/* Limits of rates: windows of fixed length that count by name, and the errors and headers that say what is left. */

const MINUTE_MS = 60_000;
/** Maximum tracked names; the least recently used is evicted. */
const MAX_NAMES = 10_000;

/** The window of a name, which begins with its first request. */
type Window = { count: number; untilMs: number };

/** The number of requests in a name's window, this one included, and the rest of the window. */
export type CountedRequest = { count: number; leftMs: number };

export type RateLimitOptions = {
  /** Prefix of the counters, so that equal names of different limits do not collide. */
  scope: string;
  nowMs(): number;
  /** Length of the window; a minute by default. */
  windowMs?: number;
  maxNames?: number;
  peers?: SharedCounters;
};

/** Counts requests per name and window, at this worker and its peers; a window begins with the first of them. */
export class RateLimit {
  private readonly windows: LRUCache<string, Window>;
  private readonly scope: string;
  private readonly windowMs: number;
  private readonly nowMs: () => number;
  private readonly peers: SharedCounters;

  constructor({ scope, nowMs, windowMs = MINUTE_MS, maxNames = MAX_NAMES, peers = NO_PEERS }: RateLimitOptions) {
    this.windows = new LRUCache(lruOptions(maxNames));
    this.scope = scope;
    this.windowMs = windowMs;
    this.nowMs = nowMs;
    this.peers = peers;
  }

  count(name: string): CountedRequest {
    return this.add(name, 1);
  }

  /** The count of a name, without a further request. */
  read(name: string): CountedRequest {
    return this.add(name, 0);
  }

  private add(name: string, requests: 0 | 1): CountedRequest {
    const nowMs = this.nowMs();
    const shared = `${this.scope} ${name}`;
    const ofPeers = this.peers.ofPeers(shared, nowMs);
    let window = this.windows.get(name);
    if (window === undefined) {
      window = { count: 0, untilMs: 0 };
      this.windows.set(name, window);
    }
    // A window must not grow when the clock is set back.
    const isOver = window.untilMs <= nowMs || window.untilMs > nowMs + this.windowMs;
    if (isOver) Object.assign(window, { count: 0, untilMs: Math.min(ofPeers.untilMs, nowMs + this.windowMs) });
    window.count += requests;
    this.peers.set(shared, window.count, window.untilMs);
    return { count: window.count + ofPeers.sum, leftMs: Math.min(window.untilMs, ofPeers.untilMs) - nowMs };
  }
}

/** Counts a request of a name; refuses with rate_limited if this minute's limit is used up. */
export type CountRequest = (name: string) => void;

/** Creates a limit of one route, in addition to the key and address limits. `sentence` names its object. */
export function limitPerMinute(limit: number, clock: Clock, sentence: string): CountRequest {
  const requests = new RateLimit({ scope: sentence, nowMs: () => elapsedMsOf(clock) });
  return (name) => {
    const { count, leftMs } = requests.count(name);
    if (count > limit) throw rateLimited(sentence, { limit, count, leftMs });
  };
}

/** Limits visits with one customer link, each named by the link or its target. */
export function limitVisits(max: number, clock: Clock): CountRequest {
  return limitPerMinute(max, clock, `A link allows up to ${max} visits per minute.`);
}

export function rateHeaders({ limit, count, leftMs }: CountedRequest & { limit: number }): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - count)),
    'ratelimit-reset': String(Math.ceil(leftMs / 1000)),
  };
}

export function rateLimited(sentence: string, counted: CountedRequest & { limit: number }): Refusal {
  const seconds = Math.ceil(counted.leftMs / 1000);
  return new Refusal('rate_limited', `${sentence} Try again in ${seconds} s.`, {
    headers: { ...rateHeaders(counted), 'retry-after': String(seconds) },
  });
}
