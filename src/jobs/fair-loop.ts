import type { Logger } from 'pino';
import type { Loop } from './loop.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createOwnerLimiter, type TakeLimits, type WorkLimits } from './owner-limiter.ts';
import { createTaskSet } from './task-set.ts';

export type FairWork<Item> = {
  name: string;
  everyMs: number;
  limits: WorkLimits;
  /** Leases due items: at most `free`, of each owner at most its allowance, and owners with less running work first. */
  takeDue(limits: TakeLimits): Promise<Item[]>;
  ownerOf(item: Item): string;
  /** Works on one item and records the outcome. An item whose outcome was not recorded is due again after its lease. */
  run(item: Item): Promise<unknown>;
  log: Logger;
};

/**
 * A loop over a queue table that shares its work between owners. Each piece of work that ends makes room for the next one
 * at once, so that a queue drains at the speed of the outside party and not of the loop.
 */
export function createFairLoop<Item>({ name, everyMs, limits, takeDue, ownerOf, run, log }: FairWork<Item>): Loop {
  const limiter = createOwnerLimiter(limits);
  const running = createTaskSet();
  let isIdling = false;

  const failed = (error: unknown) => log.warn({ err: error, loop: name }, 'a queue failed; trying again');
  const work = async (item: Item): Promise<void> => {
    const owner = ownerOf(item);
    const startedMs = performance.now();
    limiter.started(owner);
    await run(item).catch(failed);
    limiter.ended(owner, performance.now() - startedMs);
    // A take that runs already does not know of the room that this end makes.
    await take.current()?.catch(failed);
    if (!isIdling) take().catch(failed);
  };
  const take = oneAtATime(async () => {
    const free = limiter.free();
    if (free <= 0) return 0;
    const items = await takeDue({ free, allowances: limiter.allowances(), others: limits.first });
    for (const item of items) running.add(work(item));
    return items.length;
  });
  return {
    name,
    everyMs,
    runOnce: take,
    async idle() {
      isIdling = true;
      await take.current()?.catch(failed);
      await running.idle();
      isIdling = false;
    },
  };
}
