import type { FastifyRequest, RouteOptions } from 'fastify';
import type { Http } from './http/http.ts';
import { type CountedRequest, createRateBuckets } from './http/rate-buckets.ts';
import { Refusal } from './http/refusal.ts';
import { elapsedMsOf } from './lib/clock.ts';
import type { Deps } from './wiring/deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request is counted in the bucket of its key. */
    isCounted: boolean;
  }
}

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

/** What a bucket holds after a request: how many more, and for how long. */
type Counted = { isExceeded: boolean; headers: Record<string, string>; leftMs: number };

/** RATE_LIMIT_PER_MINUTE, of each key and of each client without a key, on this node; 0 lifts both limits. */
export async function limitRates(http: Http, needs: Pick<Deps, 'config' | 'clock' | 'peers'>): Promise<RateLimits> {
  const { config, clock, peers } = needs;
  const limit = config.rateLimitPerMinute;
  if (limit === 0) return NO_LIMITS;
  const options = { limit, nowMs: () => elapsedMsOf(clock), peers: peers.numbers };
  const keys = withHeaders(limit, createRateBuckets({ ...options, scope: 'requests with', maxBuckets: MAX_KEYS }));
  const clients = withHeaders(
    limit,
    createRateBuckets({ ...options, scope: 'requests from', maxBuckets: MAX_CLIENTS }),
  );
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

function withHeaders(max: number, count: (name: string) => CountedRequest): (name: string) => Counted {
  return (name) => {
    const counted = count(name);
    const headers = {
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(Math.max(0, max - counted.count)),
      'ratelimit-reset': String(Math.ceil(counted.leftMs / 1000)),
    };
    return { isExceeded: counted.count > max, headers, leftMs: counted.leftMs };
  };
}

function tooMany(whose: string, { headers, leftMs }: Counted): Refusal {
  const seconds = Math.ceil(leftMs / 1000);
  const sentence = `Too many requests ${whose}; try again in ${seconds} s.`;
  return new Refusal('rate_limited', sentence, { headers: { ...headers, 'retry-after': String(seconds) } });
}
