import type { InstantColumn } from '../../platform/db/columns.ts';

/** Number of orders that hold each slot: live ones (`accountId` is empty), and those of each account's sandbox. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    slotHolds: { storeId: string; accountId: string; pickup: boolean; startsAt: InstantColumn; held: number };
    slotVersions: { storeId: string; accountId: string; version: number };
  }
}
