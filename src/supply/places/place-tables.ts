import type { InstantColumn } from '../../platform/db/columns.ts';

/** The stores that places of a directory are. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    placeLinks: {
      directory: string;
      directoryPlaceId: string;
      placeId: string;
      storeId: string;
      addedAt: InstantColumn;
    };
  }
}
