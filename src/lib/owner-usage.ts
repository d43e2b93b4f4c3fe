import { LRUCache } from 'lru-cache';
import { lastUsed } from './last-used.ts';

/** After this time half of an owner's usage is forgotten. */
export const USAGE_HALF_LIFE_MS = 1000;
const MAX_OWNERS = 10_000;

/** How much processor time each owner has used of late. Times are milliseconds of any clock that only moves on. */
export type OwnerUsage = {
  /** A charge below 0 takes back what was not used. */
  charge(owner: string, usedMs: number, nowMs: number): void;
  of(owner: string, nowMs: number): number;
  /** The owner that has used least; of several the first. Undefined without owners. */
  least(owners: Iterable<string>, nowMs: number): string | undefined;
};

type Usage = { ms: number; atMs: number };

/** Usage fades, so that an owner pays for a flood as long as its neighbours feel it, and no longer. */
export function createOwnerUsage(): OwnerUsage {
  const usages = new LRUCache<string, Usage>(lastUsed(MAX_OWNERS));

  function of(owner: string, nowMs: number): number {
    const usage = usages.get(owner);
    return usage ? fadedTo(nowMs, usage) : 0;
  }

  return {
    of,
    charge(owner, usedMs, nowMs) {
      const usage = usages.get(owner);
      if (usage === undefined) {
        usages.set(owner, { ms: Math.max(0, usedMs), atMs: nowMs });
        return;
      }
      usage.ms = Math.max(0, fadedTo(nowMs, usage) + usedMs);
      usage.atMs = nowMs;
    },
    least(owners, nowMs) {
      let found: { owner: string; ms: number } | undefined;
      for (const owner of owners) {
        const ms = of(owner, nowMs);
        if (!found || ms < found.ms) found = { owner, ms };
      }
      return found?.owner;
    },
  };
}

function fadedTo(nowMs: number, { ms, atMs }: Usage): number {
  return ms * 2 ** ((atMs - nowMs) / USAGE_HALF_LIFE_MS);
}
