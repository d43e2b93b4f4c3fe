import type { Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';

/** Endpoints of accounts, and the queue of calls to them. */
declare module '../db/tables.ts' {
  interface Database {
    webhook_endpoints: {
      account_id: string;
      mode: KeyMode;
      url: string;
      secret: string;
      enabled: boolean;
      failing_since: MaybeInstantColumn;
      updated_at: InstantColumn;
    };
    webhook_deliveries: {
      webhook_id: string;
      account_id: string;
      mode: KeyMode;
      order_id: string | null;
      sequence: number | null;
      type: string;
      body: string;
      state: 'pending' | 'delivered' | 'dead';
      attempts: Generated<number>;
      attempts_before: Generated<number>;
      last_status: number | null;
      last_error: string | null;
      next_attempt_at: MaybeInstantColumn;
      leased_until: MaybeInstantColumn;
      created_at: InstantColumn;
      delivered_at: MaybeInstantColumn;
    };
  }
}
