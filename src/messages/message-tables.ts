import type { Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';

/** The queue of SMS and e-mail. */
declare module '../db/tables.ts' {
  interface Database {
    messages: {
      message_id: string;
      account_id: string;
      order_id: string;
      sequence: number;
      mode: KeyMode;
      channel: 'sms' | 'email';
      kind: string;
      state: 'pending' | 'sent' | 'kept' | 'dead';
      attempts: Generated<number>;
      last_error: string | null;
      next_attempt_at: MaybeInstantColumn;
      leased_until: MaybeInstantColumn;
      created_at: InstantColumn;
      sent_at: MaybeInstantColumn;
    };
  }
}
