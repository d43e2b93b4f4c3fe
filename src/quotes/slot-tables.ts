import type { InstantColumn } from '../db/columns.ts';

/** How many orders hold each delivery or pickup window. */
declare module '../db/tables.ts' {
  interface Database {
    slot_holds: { store_id: string; pickup: boolean; starts_at: InstantColumn; held: number };
    slot_versions: { store_id: string; version: number };
  }
}
