/** How much a node works at once for one kind of outside work, and how much of that for one owner. */
export type WorkLimits = {
  /** Work that one node does at once. */
  max: number;
  /** Work at once of one owner that is fast. */
  perOwner: number;
  /** The limit of an owner that the node has not worked for yet. Each fast end raises the limit by one. */
  first: number;
  /** An owner is slow when its last work took this many milliseconds. A slow owner gets one piece of work at a time. */
  slowMs: number;
  /** All slow owners together have at most this much work at once. */
  maxSlow: number;
};

/** Owners that are remembered. Beyond these the least recently used idle owner is forgotten. */
const MAX_KNOWN = 2000;

type Owner = { running: number; limit: number; isSlow: boolean };

/** Work that an owner may still start, and its running work. An owner without an allowance may start `first`. */
export type Allowance = { owner: string; calls: number; running: number };

/** What a take may lease: `free` in all, of an unlisted owner at most `others`. */
export type TakeLimits = { free: number; allowances: readonly Allowance[]; others: number };

/** Shares a node's outside work between owners: the work of one owner that hangs delays only that owner's work. */
export type OwnerLimiter = {
  /** Work that the node may start now. */
  free(): number;
  allowances(): Allowance[];
  started(owner: string): void;
  ended(owner: string, tookMs: number): void;
};

/** The limiter of one node; at first it knows no owner. */
export function createOwnerLimiter(limits: WorkLimits): OwnerLimiter {
  /** Least recently used first. */
  const owners = new Map<string, Owner>();
  let running = 0;

  const use = (name: string): Owner => {
    const owner = owners.get(name) ?? { running: 0, limit: limits.first, isSlow: false };
    owners.delete(name);
    owners.set(name, owner);
    return owner;
  };
  const forgetOldest = () => {
    if (owners.size <= MAX_KNOWN) return;
    const idle = owners.entries().find(([, owner]) => owner.running === 0);
    if (idle) owners.delete(idle[0]);
  };

  return {
    free: () => limits.max - running,
    allowances: () => allowancesOf(owners, limits.maxSlow),
    started(name) {
      running += 1;
      use(name).running += 1;
    },
    ended(name, tookMs) {
      running -= 1;
      const owner = use(name);
      owner.running -= 1;
      owner.isSlow = tookMs >= limits.slowMs;
      owner.limit = owner.isSlow ? 1 : Math.min(limits.perOwner, owner.limit + 1);
      forgetOldest();
    },
  };
}

function allowancesOf(owners: ReadonlyMap<string, Owner>, maxSlow: number): Allowance[] {
  const slow = owners.values().filter((owner) => owner.isSlow);
  let slowFree = maxSlow - slow.reduce((sum, owner) => sum + owner.running, 0);
  return [...owners].map(([owner, { isSlow, limit, running }]) => {
    const calls = Math.max(0, limit - running);
    if (!isSlow) return { owner, calls, running };
    const granted = Math.min(calls, Math.max(0, slowFree));
    slowFree -= granted;
    return { owner, calls: granted, running };
  });
}
