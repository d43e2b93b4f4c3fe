import type { ColumnsOf, MaybeInstantColumn } from '../db/columns.ts';
import type { Message } from './message.ts';

/** The queue of SMS and e-mail. */
declare module '../db/tables.ts' {
  interface Database {
    messages: ColumnsOf<Message> & { leasedUntil: MaybeInstantColumn };
  }
}
