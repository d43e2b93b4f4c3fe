import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Http } from './http/http.ts';
import { Refusal } from './http/refusal.ts';
import type { Deps } from './wiring/deps.ts';

const WINDOW_MS = 60_000;
/** Buckets of keys; of clients the library keeps 5,000. Beyond these the least recently used bucket is forgotten. */
const MAX_BUCKETS = 10_000;

/** Each call counts a request, and rejects with rate_limited where the bucket is empty. */
export type RateLimits = {
  /** In the bucket of the request's key; requests to endpoints that need a key are counted without this call. */
  countKey(request: FastifyRequest): Promise<void>;
  /** In the bucket of the client's address: for requests without a valid key alone, because a proxy shares one address. */
  countClient(request: FastifyRequest): Promise<void>;
};

export const NO_LIMITS: RateLimits = { countKey: async () => {}, countClient: async () => {} };

/** RATE_LIMIT_PER_MINUTE, of each key and of each client without a key, on this node; 0 lifts both limits. */
export async function limitRates(http: Http, { config }: Pick<Deps, 'config'>): Promise<RateLimits> {
  const max = config.rateLimitPerMinute;
  if (max === 0) return NO_LIMITS;
  await http.register(rateLimit, {
    global: true,
    max,
    timeWindow: WINDOW_MS,
    cache: MAX_BUCKETS,
    enableDraftSpec: true,
    keyGenerator: (request) => request.holder,
    allowList: (request) => request.routeOptions.config.public === true,
    errorResponseBuilder: (_request, { ttl }) => tooMany('with this key', ttl),
  });
  const ofKey = http.createRateLimit();
  const ofClient = http.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => request.client.name,
    allowList: () => false,
  });
  return {
    countKey: (request) => count(ofKey, request, 'with this key'),
    countClient: (request) => count(ofClient, request, 'without a valid key from this address'),
  };
}

async function count(limit: ReturnType<Http['createRateLimit']>, request: FastifyRequest, whose: string) {
  const counted = await limit(request);
  if (counted.isAllowed || !counted.isExceeded) return;
  const seconds = String(counted.ttlInSeconds);
  throw tooMany(whose, counted.ttl, {
    'retry-after': seconds,
    'ratelimit-limit': String(counted.max),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  });
}

function tooMany(whose: string, ttlMs: number, headers: Readonly<Record<string, string>> = {}): Refusal {
  const sentence = `Too many requests ${whose}; try again in ${Math.ceil(ttlMs / 1000)} s.`;
  return new Refusal('rate_limited', sentence, { headers });
}
