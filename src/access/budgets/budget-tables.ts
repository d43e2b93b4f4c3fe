import type { Generated } from 'kysely';
import type { BudgetKind } from '../../platform/config/config.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { LimitKind, StoreBudgetKind } from './budget.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    /** Limits that operators have set for accounts. */
    accountLimits: { accountId: string; kind: LimitKind; max: number };
    budgetUse: {
      accountId: string;
      mode: KeyMode;
      kind: BudgetKind | StoreBudgetKind;
      day: string;
      used: number;
      bytes: Generated<number>;
      granted: Generated<number>;
    };
  }
}
