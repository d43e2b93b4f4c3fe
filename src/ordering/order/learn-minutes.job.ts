import type { Context } from '../../platform/db/context.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { listToLearn } from './learned-minutes.db.ts';
import { setPreparation } from './set-preparation.flow.ts';

type LearnDeps = Context & { inventory: Pick<InventoryCache, 'evict'> };

const BATCH = 200;

/** Updates prep-time estimates once a day, for each store that quotes them. */
export function learnMinutes({ db, clock, inventory }: LearnDeps): Worker<object> {
  return {
    kind: { name: 'learn-minutes' },
    concurrency: 1,
    everyMinutes: 60,
    atMinute: 20,
    async run(_payload, signal) {
      const now = clock.now();
      for (;;) {
        const storeIds = await listToLearn(db, now.subtract({ hours: 23 }), BATCH);
        for (const storeId of storeIds) {
          if (signal.aborted) return;
          await db.transaction().execute((tx) => setPreparation(tx, storeId, 'auto', now));
          inventory.evict(storeId);
        }
        if (storeIds.length < BATCH) return;
      }
    },
  };
}
