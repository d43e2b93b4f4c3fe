import type { InstantColumn } from '../../platform/db/columns.ts';

/** Number of orders that hold each slot: live orders, and those of each account's sandbox. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    slotHolds: { storeId: string; pickup: boolean; startsAt: InstantColumn; held: number };
    slotVersions: { storeId: string; version: number };
    sandboxSlotHolds: Database['slotHolds'] & { accountId: string };
    sandboxSlotVersions: Database['slotVersions'] & { accountId: string };
  }
}
