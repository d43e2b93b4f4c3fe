import type { KeyMode } from '../../accounts/account.ts';
import type { DeclineScope } from '../../accounts/budgets/budget.ts';
import type { InstantColumn } from '../../db/columns.ts';

/** Declines of the last hour; and charges, which distinguish a busy live key from card testing. */
declare module '../../db/tables.ts' {
  interface Database {
    cardDeclines: { accountId: string; mode: KeyMode; scope: DeclineScope; subject: string; at: InstantColumn };
    keyCharges: { accountId: string; keyId: string; at: InstantColumn };
    chargedCards: { accountId: string; card: string };
  }
}
