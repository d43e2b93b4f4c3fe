import type { Generated } from 'kysely';
import type { BudgetKind } from '../../platform/config/config.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { LimitKind } from './budget.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    /** The limits that operators set for accounts, and what accounts have used of their budgets. */
    accountLimits: { accountId: string; kind: LimitKind; max: number };
    budgetUse: {
      accountId: string;
      mode: KeyMode;
      kind: BudgetKind;
      day: string;
      used: number;
      bytes: Generated<number>;
      granted: Generated<number>;
    };
  }
}
