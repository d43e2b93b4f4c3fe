import type { Generated } from 'kysely';
import type { InstantColumn } from '../../platform/db/columns.ts';
import type { KeyMode } from '../accounts/account.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    idempotencyKeys: {
      accountId: string;
      mode: KeyMode;
      key: string;
      fingerprint: Buffer;
      state: 'running' | 'done';
      attempt: Generated<number>;
      startedAt: InstantColumn;
      status: number | null;
      contentType: string | null;
      body: string | null;
    };
  }
}
