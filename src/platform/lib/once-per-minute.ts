import { LRUCache } from 'lru-cache';
import { type Clock, elapsedMsOf } from './clock.ts';

/** Maximum texts; the least recently seen is evicted. */
const MAX_TEXTS = 1000;
const MINUTE_MS = 60_000;

/** Whether a text was not seen within the last minute, so that a log does not repeat it. */
export function oncePerMinute(clock: Clock): (text: string) => boolean {
  const seenAtMs = new LRUCache<string, number>({ max: MAX_TEXTS });
  return (text) => {
    const nowMs = elapsedMsOf(clock);
    const lastMs = seenAtMs.get(text);
    if (lastMs !== undefined && nowMs >= lastMs && nowMs < lastMs + MINUTE_MS) return false;
    seenAtMs.set(text, nowMs);
    return true;
  };
}
