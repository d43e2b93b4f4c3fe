import type { InstantColumn } from '../db/columns.ts';

/** How many orders hold each delivery or pickup window. */
declare module '../db/tables.ts' {
  interface Database {
    slotHolds: { storeId: string; pickup: boolean; startsAt: InstantColumn; held: number };
    slotVersions: { storeId: string; version: number };
  }
}
