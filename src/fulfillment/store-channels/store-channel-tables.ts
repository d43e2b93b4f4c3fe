import type { Generated } from 'kysely';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Channel } from './store-channel.ts';
import type { StoreNotice } from './store-notice.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    storeChannels: ColumnsOf<
      Omit<Channel, 'printAt' | 'encoding' | 'categories' | 'secretHash' | 'failingSince' | 'previousSecretUntil'>
    > & {
      storeId: string;
      printAt: Generated<Channel['printAt']>;
      encoding: Generated<string>;
      previousSigningSecret: Generated<string | null>;
      previousSecretUntil: MaybeInstantColumn;
      categories: Generated<readonly string[] | null>;
      secretHash: Generated<Buffer | null>;
      /** For a polling printer: a moment up to 20 s before its last poll. */
      seenAt: MaybeInstantColumn;
      failingSince: MaybeInstantColumn;
      createdAt: InstantColumn;
    };
    storeNotices: ColumnsOf<StoreNotice> & {
      leasedUntil: MaybeInstantColumn;
      /** Hash of the link that opens the order; null until the notice is sent, or if it has no link. */
      linkHash: Generated<Buffer | null>;
    };
  }
}
