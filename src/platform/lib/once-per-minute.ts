import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import { type Clock, elapsedMsOf } from './clock.ts';

/** Maximum texts; the least recently seen is evicted. */
const MAX_TEXTS = 1000;
const MINUTE_MS = 60_000;

/**
 * Limits repeated log lines: returns how often a text came since its last line, or 0 within a minute of that line.
 * `times` is how often it comes now.
 */
export function oncePerMinute(clock: Clock): (text: string, times?: number) => number {
  const lines = new LRUCache<string, { atMs: number; since: number }>(lruOptions(MAX_TEXTS));
  return (text, times = 1) => {
    const nowMs = elapsedMsOf(clock);
    const { atMs, since } = lines.get(text) ?? { atMs: Infinity, since: 0 };
    const isDue = nowMs < atMs || nowMs >= atMs + MINUTE_MS;
    lines.set(text, isDue ? { atMs: nowMs, since: 0 } : { atMs, since: since + times });
    return isDue ? since + times : 0;
  };
}
