import { LRUCache } from 'lru-cache';
import { type Clock, elapsedMsOf } from './clock.ts';
import { lastUsed } from './last-used.ts';

/** Names that are remembered. Beyond these the least recently used name is forgotten. */
const MAX_NAMES = 10_000;
const WINDOW_MS = 60_000;

/** Counts one use of a name. Returns the seconds to wait where the name has no use left in this minute. */
export type MinuteLimit = (name: string) => number | undefined;

/** Allows at most `maxUses` of a name within any 60 seconds, counted in this process. */
export function createMinuteLimit(maxUses: number, clock: Clock): MinuteLimit {
  const usedAtMs = new LRUCache<string, number[]>(lastUsed(MAX_NAMES));
  return (name) => {
    const nowMs = elapsedMsOf(clock);
    const recent = (usedAtMs.get(name) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const [first = nowMs] = recent;
    if (recent.length >= maxUses) return Math.ceil((first + WINDOW_MS - nowMs) / 1000);
    usedAtMs.set(name, [...recent, nowMs]);
    return undefined;
  };
}
