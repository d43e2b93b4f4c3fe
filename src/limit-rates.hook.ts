import type { FastifyRequest, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Http } from './http/http.ts';
import { Refusal } from './http/refusal.ts';
import type { Deps } from './wiring/deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request is counted in the bucket of its key. */
    isCounted: boolean;
  }
}

const WINDOW_MS = 60_000;
/** Beyond these the least recently used bucket is forgotten. */
const MAX_KEYS = 10_000;
const MAX_CLIENTS = 5000;

/** Each call counts a request, and rejects with rate_limited where the bucket is empty. */
export type RateLimits = {
  /** In the bucket of the request's key; requests to endpoints that need a key are counted without this call. */
  countKey(request: FastifyRequest): Promise<void>;
  /** In the bucket of the client's address: for requests without a valid key alone, because a proxy shares one address. */
  countClient(request: FastifyRequest): Promise<void>;
};

export const NO_LIMITS: RateLimits = { countKey: async () => {}, countClient: async () => {} };

/** Requests since a moment; the window of a bucket begins with its first request. */
type Bucket = { count: number; sinceMs: number };

/** What a bucket holds after a request: how many more, and for how long. */
type Counted = { isExceeded: boolean; headers: Record<string, string>; leftMs: number };

/** RATE_LIMIT_PER_MINUTE, of each key and of each client without a key, on this node; 0 lifts both limits. */
export async function limitRates(http: Http, { config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<RateLimits> {
  const max = config.rateLimitPerMinute;
  if (max === 0) return NO_LIMITS;
  const nowMs = () => clock.now().epochMilliseconds;
  const keys = createBuckets(max, MAX_KEYS, nowMs);
  const clients = createBuckets(max, MAX_CLIENTS, nowMs);
  http.decorateRequest('isCounted', false);
  http.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public === true) return;
    // The hook of a route comes after the hooks of all routes: by then the key is known. A callback costs no turn.
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      (request, reply, done) => {
        if (request.isCounted) return done();
        request.isCounted = true;
        const counted = keys(request.holder);
        reply.headers(counted.headers);
        done(counted.isExceeded ? tooMany('with this key', counted) : undefined);
      },
    ];
  });
  return {
    async countKey(request) {
      const counted = keys(request.holder);
      if (counted.isExceeded) throw tooMany('with this key', counted);
    },
    async countClient(request) {
      const counted = clients(request.client.name);
      if (counted.isExceeded) throw tooMany('without a valid key from this address', counted);
    },
  };
}

function createBuckets(max: number, maxBuckets: number, nowMs: () => number): (name: string) => Counted {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });
  return (name) => {
    const atMs = nowMs();
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = { count: 0, sinceMs: atMs };
      buckets.set(name, bucket);
    } else if (Math.abs(atMs - bucket.sinceMs) >= WINDOW_MS) Object.assign(bucket, { count: 0, sinceMs: atMs });
    bucket.count += 1;
    const leftMs = bucket.sinceMs + WINDOW_MS - atMs;
    const headers = {
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(Math.max(0, max - bucket.count)),
      'ratelimit-reset': String(Math.ceil(leftMs / 1000)),
    };
    return { isExceeded: bucket.count > max, headers, leftMs };
  };
}

function tooMany(whose: string, { headers, leftMs }: Counted): Refusal {
  const seconds = Math.ceil(leftMs / 1000);
  const sentence = `Too many requests ${whose}; try again in ${seconds} s.`;
  return new Refusal('rate_limited', sentence, { headers: { ...headers, 'retry-after': String(seconds) } });
}
