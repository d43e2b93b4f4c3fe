import { Refusal } from '../../http/refusal.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../../lib/limit-concurrency.ts';

/** Searches of a kind that a process computes at a time: more would only take turns on one processor. */
const MOST_AT_A_TIME = 2;

/**
 * A search that has been admitted reads the shelves that it needs, and computes in its turn. It holds no connection
 * while it waits.
 */
export type SearchTurns = {
  /** Refuses with not_ready where too many are under way: nobody waits for long, and memory is bounded. */
  admitted: ConcurrencyLimit;
  inTurn: ConcurrencyLimit;
};

export function createSearchTurns(mostUnderWay: number): SearchTurns {
  const refusal = (): Refusal =>
    new Refusal('not_ready', 'Too many such searches are under way; send the same request again later.', {
      headers: { 'retry-after': '1' },
    });
  return {
    admitted: limitConcurrency(mostUnderWay, { maxWaiting: 0, refusal }),
    inTurn: limitConcurrency(MOST_AT_A_TIME),
  };
}
