import type { ColumnType, Generated } from 'kysely';
import type { InstantColumn, JsonColumn, MaybeInstantColumn, MaybeJsonColumn } from '../db/columns.ts';
import type { StoreProfile } from './store.ts';
import type { StoreOrigin } from './store-origin.ts';

/** Stores, the clock that numbers their changes, and the decisions about merging them. */
declare module '../db/tables.ts' {
  interface Database {
    change_clock: { only_row: Generated<boolean>; seq: number };
    stores: {
      store_id: string;
      source: string;
      external_id: string;
      profile: JsonColumn<StoreProfile>;
      online_ordering: boolean;
      accept_delivery: boolean;
      accept_pickup: boolean;
      supports_upc_codes: Generated<boolean>;
      has_catalogue: Generated<boolean>;
      listed: Generated<boolean>;
      feed_hash: Buffer;
      changed_seq: number;
      created_at: InstantColumn;
      updated_at: InstantColumn;
      latitude: ColumnType<number, never, never>;
      longitude: ColumnType<number, never, never>;
      spot_row: ColumnType<number, never, never>;
      brand: string | null;
      origins: MaybeJsonColumn<readonly StoreOrigin[]>;
      merged_into: string | null;
      refresh_by: MaybeInstantColumn;
    };
    store_merges: {
      merge_id: string;
      store_id: string;
      into_store_id: string;
      reason: 'name' | 'brand' | 'phone';
      metres: number;
      decided_at: InstantColumn;
      ended_at: MaybeInstantColumn;
      undone_at: MaybeInstantColumn;
    };
  }
}
