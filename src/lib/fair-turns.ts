import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairQueue } from './fair-queue.ts';
import { createOwnerUsage } from './owner-usage.ts';
import { SHARED_SLICE_MS, SLICE_MS, type Slice } from './slice.ts';
import { createHeldTurns } from './turns/held-turns.ts';

/** An owner works beside another one for so long after the other's last work. */
export const BESIDE_MS = 1000;

/** Steps of one owner that wait: far more than one client with many connections sends at a time. */
export const MAX_WAITING_OF_OWNER = 1000;

/**
 * Shares the event loop between owners. Work that waits is taken from the owner that has used least of late, so that a
 * light owner's work waits for one slice of a flood and not for the flood. While several owners work, slices are short;
 * while a light owner's request is being answered, also in the waits for the database, a flood has few of them.
 */
export type FairTurns = {
  /**
   * Runs a short step: at once while the loop has time left in this iteration and nothing waits, else in a turn of its
   * owner. Calls `refuse` instead where `MAX_WAITING_OF_OWNER` of the owner wait.
   */
  run(owner: string, step: () => void, refuse: () => void): void;
  /**
   * The slices of one long computation. The caller begins with `next`; each slice is a turn of the owner. While `givesWay`
   * answers true, the waiting work of every other owner comes first, however little the owner has used.
   */
  sliceOf(owner: string, givesWay?: () => boolean): Slice;
  /**
   * Turns of owners that have used much more give way to a request of this owner, until the function is called that comes back
   * or the request is no longer young.
   */
  enter(owner: string): () => void;
  /** The owner of the step from which the present work follows, however long ago; undefined for the service's own work. */
  ownerNow(): string | undefined;
  readonly waiting: number;
};

export function createFairTurns(): FairTurns {
  const waiting = createFairQueue<() => void>({ maxOfOwner: Infinity, maxInAll: Infinity });
  const usage = createOwnerUsage();
  const owners = new AsyncLocalStorage<string>();
  const heldTurns = createHeldTurns(usage, takeTurn);
  /** Of the owners whose computations may give way. */
  const givesWayOf = new Map<string, () => boolean>();
  /** Work of the loop's present iteration, in milliseconds. */
  let spentMs = 0;
  /** The last work of the latest owner, and that of the latest other owner. */
  const latest = { owner: '', atMs: -Infinity };
  let otherAtMs = -Infinity;

  const sliceMs = (nowMs: number): number => (nowMs < otherAtMs + BESIDE_MS ? SHARED_SLICE_MS : SLICE_MS);

  function spend(owner: string, ms: number, nowMs: number): void {
    if (latest.owner !== owner) otherAtMs = latest.atMs;
    latest.owner = owner;
    latest.atMs = nowMs;
    usage.charge(owner, ms, nowMs);
    if (spentMs === 0) setImmediate(() => (spentMs = 0));
    spentMs += ms;
  }

  function wait(owner: string, begin: () => void): void {
    waiting.add(owner, begin);
    setImmediate(takeTurn);
  }

  /** Called once for each waiting turn. Promises that a turn resolves run on before the next turn is taken. */
  function takeTurn(): void {
    const nowMs = performance.now();
    if (spentMs >= sliceMs(nowMs)) {
      setImmediate(takeTurn);
      return;
    }
    const least = usage.least(firstOwners(), nowMs);
    // Computations that may give way have a rule of their own: a long row of changes must keep its pace.
    const isHeavy = least !== undefined && !givesWayOf.has(least) && heldTurns.isHeavy(least, nowMs);
    if (isHeavy && heldTurns.hold(nowMs)) return;
    const beforeMs = spentMs;
    waiting.take((owner) => owner === least)?.item();
    if (isHeavy) heldTurns.spend(spentMs - beforeMs);
    heldTurns.releaseOne();
  }

  /** Owners with waiting work that do not give way; all owners with waiting work where each of them does. */
  function firstOwners(): Iterable<string> {
    const yielding = new Set<string>();
    for (const [owner, givesWay] of givesWayOf) {
      if (waiting.countOf(owner) > 0 && givesWay()) yielding.add(owner);
    }
    if (yielding.size === 0) return waiting.owners();
    const first = [...waiting.owners()].filter((owner) => !yielding.has(owner));
    return first.length > 0 ? first : waiting.owners();
  }

  function measured(owner: string, startMs: number, step: () => void): void {
    try {
      owners.run(owner, step);
    } finally {
      const endMs = performance.now();
      spend(owner, endMs - startMs, endMs);
    }
  }

  function sliceOf(owner: string, givesWay?: () => boolean): Slice {
    if (givesWay) givesWayOf.set(owner, givesWay);
    let begunMs = -Infinity;
    let lengthMs = 0;
    const isOver = (): boolean => performance.now() >= begunMs + lengthMs;
    const begin = (resolve: () => void): void => {
      // A slice takes the rest of this iteration: other computations wait for the next.
      begunMs = performance.now();
      lengthMs = sliceMs(begunMs);
      spend(owner, lengthMs, begunMs);
      resolve();
    };
    const next = (): Promise<void> => {
      const unusedMs = lengthMs - (performance.now() - begunMs);
      if (unusedMs > 0) usage.charge(owner, -unusedMs, performance.now());
      return new Promise((resolve) => wait(owner, () => begin(resolve)));
    };
    return {
      isOver,
      next,
      async run(steps) {
        for (;;) {
          const step = steps.next();
          if (step.done) return step.value;
          if (isOver()) await next();
        }
      },
    };
  }

  return {
    run(owner, step, refuse) {
      const nowMs = performance.now();
      if (waiting.size === 0 && spentMs < sliceMs(nowMs)) measured(owner, nowMs, step);
      else if (waiting.countOf(owner) >= MAX_WAITING_OF_OWNER) refuse();
      else wait(owner, () => measured(owner, performance.now(), step));
    },
    sliceOf,
    enter: (owner) => heldTurns.enter(owner, performance.now()),
    ownerNow: () => owners.getStore(),
    get waiting() {
      return waiting.size;
    },
  };
}
