import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Message } from './message.ts';

/** The queue of SMS and email, and what numbers have asked for. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    messages: ColumnsOf<Message> & { leasedUntil: MaybeInstantColumn };
    smsRecipients: { accountId: string; phone: string };
    smsOptOuts: { phone: string; optedOutAt: InstantColumn };
  }
}
