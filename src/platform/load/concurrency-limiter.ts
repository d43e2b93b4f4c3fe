import { FairQueue } from '../lib/fair-queue.ts';

/** Maximum running and waiting tasks, overall and per owner. */
export type ConcurrencyLimits = {
  maxRunning: number;
  maxRunningOfOwner: number | ((owner: string) => number);
  maxWaiting: number;
  maxWaitingOfOwner: number;
  /** Creates the error of a refused task, which never runs. */
  refusal: () => Error;
};

type Waiting = { begin: () => void; refuse: (error: Error) => void };

/**
 * Limits running tasks, scheduled round-robin by owner, each with up to `maxRunningOfOwner`: an idle owner waits for
 * up to one task of each other owner. If the queue is full, the newest task of the largest owner is refused.
 */
export class ConcurrencyLimiter {
  private readonly waiting;
  private readonly runningOf = new Map<string, number>();
  private readonly limits: ConcurrencyLimits;
  private running = 0;

  constructor(limits: ConcurrencyLimits) {
    this.limits = limits;
    this.waiting = new FairQueue<Waiting>({ maxOfOwner: limits.maxWaitingOfOwner, maxInAll: limits.maxWaiting });
  }

  /** Runs an owner's task now or when it is scheduled; rejects with the error if the queue is full. */
  async run<Value>(owner: string, task: () => Promise<Value>): Promise<Value> {
    if (this.running < this.limits.maxRunning && this.mayRun(owner)) this.count(owner, 1);
    else await this.waitForTurn(owner);
    try {
      return await task();
    } finally {
      this.count(owner, -1);
      this.beginNext();
    }
  }

  private readonly mayRun = (owner: string): boolean => {
    const { maxRunningOfOwner } = this.limits;
    const max = typeof maxRunningOfOwner === 'number' ? maxRunningOfOwner : maxRunningOfOwner(owner);
    return (this.runningOf.get(owner) ?? 0) < max;
  };

  private count(owner: string, change: 1 | -1): void {
    this.running += change;
    const left = (this.runningOf.get(owner) ?? 0) + change;
    if (left > 0) this.runningOf.set(owner, left);
    else this.runningOf.delete(owner);
  }

  private beginNext(): void {
    const next = this.running < this.limits.maxRunning ? this.waiting.take(this.mayRun) : undefined;
    if (!next) return;
    this.count(next.owner, 1);
    next.item.begin();
  }

  private waitForTurn(owner: string): Promise<void> {
    return new Promise((begin, refuse) => {
      this.waiting.add(owner, { begin, refuse })?.refuse(this.limits.refusal());
    });
  }
}
