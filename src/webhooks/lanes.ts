/** Calls under way at once on this node, and to one endpoint while it answers fast. */
export const MAX_CALLS = 250;
export const MAX_CALLS_PER_ENDPOINT = 25;
/** An endpoint that is not known yet begins with these, and gains one with every fast answer. */
export const FIRST_CALLS = 4;
/** Endpoints whose last call took this long are called one at a time, and together hold at most half of the calls. */
const SLOW_MS = 2000;
const MAX_SLOW_CALLS = MAX_CALLS / 2;
/** Beyond these, endpoints without a call under way are forgotten, the longest unused first. */
const MAX_KNOWN = 2000;

type Lane = { underWay: number; limit: number; isSlow: boolean };

/** How many more calls each known endpoint may have, by its owner's key; one that is not listed may have FIRST_CALLS. */
export type Allowance = { owner: string; calls: number };

/** Shares a node's calls between endpoints, told apart by their owners' keys, so that who hangs only keeps waiting who hangs. */
export type Lanes = {
  /** Calls that may be started now, by all endpoints together. */
  free(): number;
  allowances(): Allowance[];
  started(owner: string): void;
  ended(owner: string, tookMs: number): void;
};

/** The lanes of one node, which begins without knowing any endpoint. */
export function createLanes(): Lanes {
  /** In order of last use. */
  const lanes = new Map<string, Lane>();
  let underWay = 0;

  const use = (owner: string): Lane => {
    const lane = lanes.get(owner) ?? { underWay: 0, limit: FIRST_CALLS, isSlow: false };
    lanes.delete(owner);
    lanes.set(owner, lane);
    return lane;
  };
  const forgetOldest = () => {
    if (lanes.size <= MAX_KNOWN) return;
    const idle = lanes.entries().find(([, lane]) => lane.underWay === 0);
    if (idle) lanes.delete(idle[0]);
  };

  return {
    free: () => MAX_CALLS - underWay,
    allowances: () => allowancesOf(lanes),
    started(owner) {
      underWay += 1;
      use(owner).underWay += 1;
    },
    ended(owner, tookMs) {
      underWay -= 1;
      const lane = use(owner);
      lane.underWay -= 1;
      lane.isSlow = tookMs >= SLOW_MS;
      lane.limit = lane.isSlow ? 1 : Math.min(MAX_CALLS_PER_ENDPOINT, lane.limit + 1);
      forgetOldest();
    },
  };
}

function allowancesOf(lanes: ReadonlyMap<string, Lane>): Allowance[] {
  const slow = lanes.values().filter((lane) => lane.isSlow);
  let slowFree = MAX_SLOW_CALLS - slow.reduce((sum, lane) => sum + lane.underWay, 0);
  return [...lanes].map(([owner, lane]) => {
    const calls = Math.max(0, lane.limit - lane.underWay);
    if (!lane.isSlow) return { owner, calls };
    const granted = Math.min(calls, Math.max(0, slowFree));
    slowFree -= granted;
    return { owner, calls: granted };
  });
}
