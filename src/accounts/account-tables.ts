import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { KeyMode } from './account.ts';

/** Accounts, their keys, the stored answers of idempotent requests, and brandings. */
declare module '../db/tables.ts' {
  interface Database {
    accounts: { account_id: string; name: string; created_at: InstantColumn };
    api_keys: {
      key_id: string;
      account_id: string;
      mode: KeyMode;
      key_hash: Buffer;
      hint: string;
      created_at: InstantColumn;
      revoked_at: MaybeInstantColumn;
    };
    idempotency_keys: {
      account_id: string;
      mode: KeyMode;
      key: string;
      fingerprint: Buffer;
      state: 'running' | 'done';
      attempt: Generated<number>;
      started_at: InstantColumn;
      status: number | null;
      content_type: string | null;
      body: string | null;
    };
    brandings: {
      account_id: string;
      display_name: string | null;
      logo_url: string | null;
      from_address: string | null;
      bcc_address: string | null;
      favicon: Buffer | null;
      favicon_type: string | null;
      tracking_host: string | null;
      updated_at: InstantColumn;
    };
  }
}
