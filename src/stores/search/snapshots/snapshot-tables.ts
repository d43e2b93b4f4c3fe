import type { InstantColumn } from '../../../db/columns.ts';

/** The marks of search snapshots. */
declare module '../../../db/tables.ts' {
  interface Database {
    searchSnapshots: { mark: string; seq: number; madeAt: InstantColumn };
  }
}
