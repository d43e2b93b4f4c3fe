import type { InstantColumn } from '../../platform/db/columns.ts';

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
