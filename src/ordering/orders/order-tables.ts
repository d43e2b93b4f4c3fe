import type { Generated } from 'kysely';
import type { ColumnOf, ColumnsOf, InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { DriverPosition } from './driver-positions.db.ts';
import type { Order } from './order.ts';
import type { LoggedProgress, ORDER_COPIES } from './order-columns.ts';
import type { OrderDay } from './order-days.db.ts';
import type { Refund, RefundPart } from './refunds/refund.ts';
import type { TipAttempt } from './tips/tip.ts';

type OrderCopies = { [Name in keyof typeof ORDER_COPIES]: ColumnOf<ReturnType<(typeof ORDER_COPIES)[Name]>> };

declare module '../../platform/db/tables.ts' {
  interface Database {
    orders: ColumnsOf<Order> & OrderCopies & { requotedAt: MaybeInstantColumn };
    driverPositions: ColumnsOf<DriverPosition>;
    orderEvents: {
      orderId: string;
      sequence: number;
      type: string;
      at: InstantColumn;
      data: JsonColumn<unknown>;
      progress: JsonColumn<Partial<LoggedProgress>>;
      dispatched: Generated<boolean>;
      traceparent: Generated<string | null>;
    };
    orderRefunds: ColumnsOf<Omit<Refund, 'createdAt' | 'endedAt'>> & {
      createdAt: InstantColumn;
      endedAt: MaybeInstantColumn;
    };
    orderRefundParts: ColumnsOf<RefundPart> & { gatewayRefundId: string | null; startedAt: InstantColumn };
    orderDays: OrderDay & Pick<Order, 'mode' | 'storeId' | 'accountId'>;
    orderTips: ColumnsOf<Omit<TipAttempt, 'startedAt' | 'endedAt'>> & {
      startedAt: InstantColumn;
      endedAt: MaybeInstantColumn;
    };
  }
}
