import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Message } from './message.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    messages: ColumnsOf<Message> & { leasedUntil: MaybeInstantColumn };
    smsRecipients: { accountId: string; phone: string };
    smsOptOuts: { phone: string; optedOutAt: InstantColumn };
  }
}
