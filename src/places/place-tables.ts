import type { InstantColumn } from '../db/columns.ts';

/** The stores that places of a directory are. */
declare module '../db/tables.ts' {
  interface Database {
    place_links: {
      directory: string;
      directory_place_id: string;
      place_id: string;
      store_id: string;
      added_at: InstantColumn;
    };
  }
}
