import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import type { StoreFeed } from '../../supply/stores/store-feed.cache.ts';

/** Maximum concurrent searches of a kind, per process and per account. More would only share one processor. */
const MAX_RUNNING = 8;
export const MAX_RUNNING_PER_ACCOUNT = 2;
/** Queue limit of the process, in multiples of one account's queue limit. */
const QUEUE_LIMIT_FACTOR = 8;

/** Refuses with `not_ready` until the index has all stores. */
export function requireLoaded({ isLoaded }: Pick<StoreFeed, 'isLoaded'>): void {
  if (isLoaded) return;
  throw new Refusal('not_ready', 'The search index is loading.', retryAfter(1));
}

/**
 * Schedules searches fairly by account. Refuses with `rate_limited` if an account has more than `maxAdmitted` waiting
 * and running searches.
 */
export function createSearchLimit(maxAdmitted: number): ConcurrencyLimiter {
  const maxWaitingOfOwner = maxAdmitted - MAX_RUNNING_PER_ACCOUNT;
  return new ConcurrencyLimiter({
    maxRunning: MAX_RUNNING,
    maxRunningOfOwner: MAX_RUNNING_PER_ACCOUNT,
    maxWaitingOfOwner,
    maxWaiting: QUEUE_LIMIT_FACTOR * maxWaitingOfOwner,
    refusal: searchesExceeded,
  });
}

/** Admits searches that yield by themselves. Refuses with `rate_limited` if an account has more than `maxAdmitted`. */
export function createAdmission(maxAdmitted: number): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    maxRunning: Infinity,
    maxRunningOfOwner: maxAdmitted,
    maxWaiting: 0,
    maxWaitingOfOwner: 0,
    refusal: searchesExceeded,
  });
}

function searchesExceeded(): Refusal {
  const text = 'Too many such searches from this account are in progress. Try again later.';
  return new Refusal('rate_limited', text, retryAfter(1));
}
