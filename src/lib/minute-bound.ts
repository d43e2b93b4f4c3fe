import { LRUCache } from 'lru-cache';

/** Names remembered; of more that are busy within one minute the longest unheard of are forgotten. */
const MOST_NAMES = 10_000;
const WINDOW_MS = 60_000;

/** Takes one more of a name; the seconds until one can be taken again where there were too many within a minute. */
export type MinuteBound = (name: string, now: Temporal.Instant) => number | undefined;

/** At most so many of a name within any minute, counted in this process. */
export function createMinuteBound(most: number): MinuteBound {
  const takenMs = new LRUCache<string, number[]>({ max: MOST_NAMES });
  return (name, now) => {
    const nowMs = now.epochMilliseconds;
    const recent = (takenMs.get(name) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const [first = nowMs] = recent;
    if (recent.length >= most) return Math.ceil((first + WINDOW_MS - nowMs) / 1000);
    takenMs.set(name, [...recent, nowMs]);
    return undefined;
  };
}
