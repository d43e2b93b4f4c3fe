import type { FastifyRequest, RouteOptions } from 'fastify';
import type { Http } from '../http/http.ts';
import { type Clock, elapsedMsOf } from '../lib/clock.ts';
import { RateLimit, rateHeaders, rateLimited } from './rate-limit.ts';
import type { SharedCounters } from './shared-counters.ts';

declare module 'fastify' {
  interface FastifyInstance {
    countClient: RateLimits['countClient'];
  }
  interface FastifyRequest {
    /** Whether the request has been counted for its key. */
    isCounted: boolean;
  }
}

const MAX_CLIENTS = 5000;

/** Counts requests; rejects with `rate_limited` if this minute's limit is used up. */
export type RateLimits = {
  /** Counts a request against its key. Endpoints that need a key are counted without this call. */
  countKey(request: FastifyRequest): Promise<void>;
  /**
   * Counts a request without a valid key against the client's address. Valid keys are exempt, because clients behind a
   * proxy share an address.
   */
  countClient(request: FastifyRequest): Promise<void>;
};

export const NO_LIMITS: RateLimits = { countKey: async () => {}, countClient: async () => {} };

/** Limits requests per key or client without a key to RATE_LIMIT_PER_MINUTE (`perMinute`) on this node; 0: no limit. */
export function limitRates(
  http: Http,
  { perMinute: limit, clock, peers }: { perMinute: number; clock: Clock; peers: SharedCounters },
): RateLimits {
  if (limit === 0) return NO_LIMITS;
  const options = { limit, nowMs: () => elapsedMsOf(clock), peers };
  const keys = new RateLimit({ ...options, scope: 'requests with' });
  const clients = new RateLimit({ ...options, scope: 'requests from', maxNames: MAX_CLIENTS });
  const countKey = (request: FastifyRequest) => {
    const counted = { limit, ...keys.count(request.holder) };
    return {
      counted,
      refusal: counted.count > limit ? rateLimited('Too many requests with this key.', counted) : undefined,
    };
  };
  http.decorateRequest('isCounted', false);
  http.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public === true) return;
    // A route's own hook runs after global hooks, when the key is known. A callback costs no microtask.
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      (request, reply, done) => {
        if (request.isCounted) return done();
        request.isCounted = true;
        const { counted, refusal } = countKey(request);
        reply.headers(rateHeaders(counted));
        done(refusal);
      },
    ];
  });
  return {
    async countKey(request) {
      const { refusal } = countKey(request);
      if (refusal) throw refusal;
    },
    async countClient(request) {
      const counted = { limit, ...clients.count(request.client.name) };
      if (counted.count > limit) throw rateLimited('Too many requests without a valid key from this address.', counted);
    },
  };
}
