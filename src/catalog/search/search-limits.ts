import { Refusal } from '../../http/refusal.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../../lib/limit-concurrency.ts';
import type { StoreFeed } from '../../stores/store-feed.cache.ts';

/** Searches of a kind that a process computes at a time: more would only share one processor. */
const MAX_COMPUTED = 2;

/** An admitted search reads the product indexes that it needs, then waits to be computed without a connection. */
export type SearchLimits = {
  /** Refuses with not_ready where too many searches are running: waiting time and memory are bounded. */
  admit: ConcurrencyLimit;
  compute: ConcurrencyLimit;
};

/** Refuses with not_ready until all stores are in the search index. */
export function requireLoaded({ isLoaded }: Pick<StoreFeed, 'isLoaded'>): void {
  if (isLoaded) return;
  throw new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
}

export function createSearchLimits(maxAdmitted: number): SearchLimits {
  const refusal = (): Refusal =>
    new Refusal('not_ready', 'Too many such searches are running; send the same request again later.', {
      headers: { 'retry-after': '1' },
    });
  return {
    admit: limitConcurrency(maxAdmitted, { maxWaiting: 0, refusal }),
    compute: limitConcurrency(MAX_COMPUTED),
  };
}
