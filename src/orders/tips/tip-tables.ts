import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../db/columns.ts';
import type { TipAttempt } from './tip.ts';

/** Tips that were raised after placing. */
declare module '../../db/tables.ts' {
  interface Database {
    orderTips: ColumnsOf<Omit<TipAttempt, 'startedAt' | 'endedAt'>> & {
      startedAt: InstantColumn;
      endedAt: MaybeInstantColumn;
    };
  }
}
