import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Refund, RefundPart } from './refund.ts';
import type { TipAttempt } from './tip.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    orderRefunds: ColumnsOf<Omit<Refund, 'createdAt' | 'endedAt'>> & {
      createdAt: InstantColumn;
      endedAt: MaybeInstantColumn;
    };
    orderRefundParts: ColumnsOf<RefundPart> & { gatewayRefundId: string | null; startedAt: InstantColumn };
    orderTips: ColumnsOf<Omit<TipAttempt, 'startedAt' | 'endedAt'>> & {
      startedAt: InstantColumn;
      endedAt: MaybeInstantColumn;
      /** When the operator paid it to a driver whose courier company does not have it. */
      paidOutAt: MaybeInstantColumn;
    };
  }
}
