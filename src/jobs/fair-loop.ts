import type { Logger } from 'pino';
import type { Loop } from './loop.ts';
import { createOwnerLimiter, type TakeLimits, type WorkLimits } from './owner-limiter.ts';
import { createTaskSet } from './task-set.ts';

export type FairWork<Item> = {
  name: string;
  everyMs: number;
  limits: WorkLimits;
  /** Leases due items: at most `free`, of each owner at most its allowance, and owners with less running work first. */
  take(limits: TakeLimits): Promise<Item[]>;
  ownerOf(item: Item): string;
  /** Works on one item and records the outcome. An item whose outcome was not recorded is due again after its lease. */
  run(item: Item): Promise<unknown>;
  log: Logger;
};

/**
 * A loop over a queue table that shares its work between owners. Each piece of work that ends makes room for the next one
 * at once, so that a queue drains at the speed of the outside party and not of the loop.
 */
export function createFairLoop<Item>({ name, everyMs, limits, take, ownerOf, run, log }: FairWork<Item>): Loop {
  const limiter = createOwnerLimiter(limits);
  const running = createTaskSet();
  let taking: Promise<number> | undefined;
  let isIdling = false;

  const failed = (error: unknown) => log.warn({ err: error, loop: name }, 'a queue failed; trying again');
  const start = (item: Item): void => {
    const owner = ownerOf(item);
    const startedMs = performance.now();
    limiter.started(owner);
    running.add(
      run(item)
        .catch(failed)
        .then(() => {
          limiter.ended(owner, performance.now() - startedMs);
          if (!isIdling) takeDue().catch(failed);
        }),
    );
  };
  const takeNow = async (): Promise<number> => {
    const free = limiter.free();
    if (free <= 0) return 0;
    const items = await take({ free, allowances: limiter.allowances(), others: limits.first });
    items.forEach(start);
    return items.length;
  };
  /** Two takes at once would count the same free work twice: a caller that comes meanwhile gets the running take's result. */
  const takeDue = (): Promise<number> => {
    taking ??= takeNow().finally(() => {
      taking = undefined;
    });
    return taking;
  };
  return {
    name,
    everyMs,
    runOnce: takeDue,
    async idle() {
      isIdling = true;
      await taking?.catch(failed);
      await running.idle();
      isIdling = false;
    },
  };
}
