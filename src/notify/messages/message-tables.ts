import type { ColumnsOf, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Message } from './message.ts';

/** The queue of SMS and email. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    messages: ColumnsOf<Message> & { leasedUntil: MaybeInstantColumn };
  }
}
