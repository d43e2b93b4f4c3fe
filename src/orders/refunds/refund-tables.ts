import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../db/columns.ts';
import type { Refund, RefundPart } from './refund.ts';

/** The ledger of what went back. */
declare module '../../db/tables.ts' {
  interface Database {
    orderRefunds: ColumnsOf<Omit<Refund, 'createdAt' | 'endedAt'>> & {
      createdAt: InstantColumn;
      endedAt: MaybeInstantColumn;
    };
    orderRefundParts: ColumnsOf<RefundPart> & { gatewayRefundId: string | null; startedAt: InstantColumn };
  }
}
