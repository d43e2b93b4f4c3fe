import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Message } from './message.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    messages: ColumnsOf<Message> & { leasedUntil: MaybeInstantColumn };
    smsRecipients: { accountId: string; phone: string };
    shortLinks: { codeHash: Buffer; target: string; createdAt: InstantColumn };
    smsOptOuts: { phone: string; optedOutAt: InstantColumn };
  }
}
