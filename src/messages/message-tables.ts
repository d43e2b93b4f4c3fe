import type { Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { MessageChannel, MessageKind, MessageState } from './message.ts';

/** The queue of SMS and e-mail. */
declare module '../db/tables.ts' {
  interface Database {
    messages: {
      messageId: string;
      accountId: string;
      orderId: string;
      sequence: number;
      mode: KeyMode;
      channel: MessageChannel;
      kind: MessageKind;
      state: MessageState;
      attempts: Generated<number>;
      lastError: string | null;
      nextAttemptAt: MaybeInstantColumn;
      leasedUntil: MaybeInstantColumn;
      createdAt: InstantColumn;
      sentAt: MaybeInstantColumn;
    };
  }
}
