import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { KitchenLoad } from '../stores/kitchen.ts';

/**
 * Number of orders that hold each slot, and the load of each kitchen: live orders (`accountId` is empty), and the
 * orders of each account's sandbox.
 */
declare module '../../platform/db/tables.ts' {
  interface Database {
    slotHolds: { storeId: string; accountId: string; pickup: boolean; startsAt: InstantColumn; held: number };
    storeLoads: {
      storeId: string;
      accountId: string;
      version: number;
      kitchen: JsonColumn<KitchenLoad>;
      publishAt: MaybeInstantColumn;
      leasedUntil: MaybeInstantColumn;
    };
  }
}
