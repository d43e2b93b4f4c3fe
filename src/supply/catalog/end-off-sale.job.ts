import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import type { InventoryCache } from './inventory.cache.ts';
import { endOffSale } from './store-products.db.ts';

type ProductRef = { storeId: string; externalId: string };

/** Starts when a product that is sold out until tomorrow goes on sale again. */
export const END_OFF_SALE: JobKind<ProductRef> = { name: 'end-off-sale' };

/**
 * Puts a product on sale again: a write like any switch, which menu versions and indexes follow. A product that was
 * switched since then has another time or none, and stays as it is.
 */
export function endProductOffSale(deps: {
  db: Db;
  clock: Clock;
  inventory: Pick<InventoryCache, 'evict'>;
}): Worker<ProductRef> {
  const { db, clock, inventory } = deps;
  return {
    kind: END_OFF_SALE,
    concurrency: 1,
    run: async ({ storeId, externalId }) => {
      await db.transaction().execute(async (tx) => {
        const at = clock.now();
        await markStoreChanged(tx, storeId, { seq: await nextChange(tx), at });
        await endOffSale(tx, { storeId, externalId }, at);
        await notifyChange(tx);
      });
      inventory.evict(storeId);
    },
  };
}
