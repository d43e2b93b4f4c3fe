import type { KeyMode } from '../../accounts/account.ts';
import type { InstantColumn } from '../../db/columns.ts';
import type { DeclineScope } from './decline.ts';

/** Declined charges and cards of the last hour. */
declare module '../../db/tables.ts' {
  interface Database {
    cardDeclines: { accountId: string; mode: KeyMode; scope: DeclineScope; subject: string; at: InstantColumn };
  }
}
