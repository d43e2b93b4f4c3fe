import { createFairQueue } from './fair-queue.ts';

/** How many tasks run at a time and how many wait: in all, and of one owner. */
export type OwnerLimits = {
  maxRunning: number;
  maxRunningOfOwner: number | ((owner: string) => number);
  maxWaiting: number;
  maxWaitingOfOwner: number;
  /** The error of a task that has no room to wait; the task never runs. */
  refusal: () => Error;
};

/** Runs a task of an owner now, or in its turn; rejects with the refusal where the task has no room to wait. */
export type OwnerLimit = <Value>(owner: string, task: () => Promise<Value>) => Promise<Value>;

type Waiting = { begin: () => void; refuse: (error: Error) => void };

/**
 * Limits the tasks that run at a time. Owners take turns, and an owner with `maxRunningOfOwner` running tasks leaves its
 * turn to the others: the task of an owner that has nothing running waits for one task of each other owner at most.
 */
export function limitByOwner(limits: OwnerLimits): OwnerLimit {
  const { maxRunning, maxRunningOfOwner, maxWaiting, maxWaitingOfOwner, refusal } = limits;
  const waiting = createFairQueue<Waiting>({ maxOfOwner: maxWaitingOfOwner, maxInAll: maxWaiting });
  const runningOf = new Map<string, number>();
  let running = 0;

  const maxOf = typeof maxRunningOfOwner === 'number' ? () => maxRunningOfOwner : maxRunningOfOwner;
  const mayRun = (owner: string): boolean => (runningOf.get(owner) ?? 0) < maxOf(owner);

  function count(owner: string, change: 1 | -1): void {
    running += change;
    const left = (runningOf.get(owner) ?? 0) + change;
    if (left > 0) runningOf.set(owner, left);
    else runningOf.delete(owner);
  }

  function beginNext(): void {
    const next = running < maxRunning ? waiting.take(mayRun) : undefined;
    if (!next) return;
    count(next.owner, 1);
    next.item.begin();
  }

  function waitForTurn(owner: string): Promise<void> {
    return new Promise((begin, refuse) => {
      waiting.add(owner, { begin, refuse })?.refuse(refusal());
    });
  }

  return async (owner, task) => {
    if (running < maxRunning && mayRun(owner)) count(owner, 1);
    else await waitForTurn(owner);
    try {
      return await task();
    } finally {
      count(owner, -1);
      beginNext();
    }
  };
}
