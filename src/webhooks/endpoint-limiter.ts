/** Calls that one node makes at once, and calls at once to one endpoint that answers fast. */
export const MAX_CALLS = 250;
export const MAX_CALLS_PER_ENDPOINT = 25;
/** The limit of an endpoint that the node has not called yet. Each fast answer raises it by one. */
export const FIRST_CALLS = 4;
/** An endpoint is slow when its last call took this long. A slow endpoint gets one call at a time. */
const SLOW_MS = 2000;
/** All slow endpoints together hold at most half of the node's calls. */
const MAX_SLOW_CALLS = MAX_CALLS / 2;
/** Endpoints that are remembered. Beyond these the least recently used idle endpoint is forgotten. */
const MAX_KNOWN = 2000;

type Endpoint = { running: number; limit: number; isSlow: boolean };

/** Calls that an endpoint may still start, by its owner's key. An endpoint without an allowance may start FIRST_CALLS. */
export type Allowance = { owner: string; calls: number };

/** Shares a node's calls between endpoints: a hanging endpoint delays only its own calls. */
export type EndpointLimiter = {
  /** Calls that the node may start now. */
  free(): number;
  allowances(): Allowance[];
  started(owner: string): void;
  ended(owner: string, tookMs: number): void;
};

/** The limiter of one node; at first it knows no endpoint. */
export function createEndpointLimiter(): EndpointLimiter {
  /** Least recently used first. */
  const endpoints = new Map<string, Endpoint>();
  let running = 0;

  const use = (owner: string): Endpoint => {
    const endpoint = endpoints.get(owner) ?? { running: 0, limit: FIRST_CALLS, isSlow: false };
    endpoints.delete(owner);
    endpoints.set(owner, endpoint);
    return endpoint;
  };
  const forgetOldest = () => {
    if (endpoints.size <= MAX_KNOWN) return;
    const idle = endpoints.entries().find(([, endpoint]) => endpoint.running === 0);
    if (idle) endpoints.delete(idle[0]);
  };

  return {
    free: () => MAX_CALLS - running,
    allowances: () => allowancesOf(endpoints),
    started(owner) {
      running += 1;
      use(owner).running += 1;
    },
    ended(owner, tookMs) {
      running -= 1;
      const endpoint = use(owner);
      endpoint.running -= 1;
      endpoint.isSlow = tookMs >= SLOW_MS;
      endpoint.limit = endpoint.isSlow ? 1 : Math.min(MAX_CALLS_PER_ENDPOINT, endpoint.limit + 1);
      forgetOldest();
    },
  };
}

function allowancesOf(endpoints: ReadonlyMap<string, Endpoint>): Allowance[] {
  const slow = endpoints.values().filter((endpoint) => endpoint.isSlow);
  let slowFree = MAX_SLOW_CALLS - slow.reduce((sum, endpoint) => sum + endpoint.running, 0);
  return [...endpoints].map(([owner, { isSlow, limit, running }]) => {
    const calls = Math.max(0, limit - running);
    if (!isSlow) return { owner, calls };
    const granted = Math.min(calls, Math.max(0, slowFree));
    slowFree -= granted;
    return { owner, calls: granted };
  });
}
