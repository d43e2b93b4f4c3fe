import type { Generated } from 'kysely';
import type { ColumnOf, ColumnsOf, InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { DriverPosition } from './driver-positions.db.ts';
import type { Order } from './order.ts';
import type { LoggedProgress, ORDER_COPIES } from './order-columns.ts';
import type { OrderDay } from './order-days.db.ts';

type OrderCopies = { [Name in keyof typeof ORDER_COPIES]: ColumnOf<ReturnType<(typeof ORDER_COPIES)[Name]['of']>> };

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
    orderDays: OrderDay & Pick<Order, 'mode' | 'storeId' | 'accountId'>;
  }
}
