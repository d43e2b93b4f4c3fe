import type { Generated } from 'kysely';
import type { ColumnOf, ColumnsOf, InstantColumn, JsonColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { DriverPosition } from './driver-positions.db.ts';
import type { Order } from './order.ts';
import type { LoggedProgress, ORDER_COPIES } from './order-columns.ts';
import type { OrderEvent, OrderEventType } from './order-events.ts';

type OrderCopies = { [Name in keyof typeof ORDER_COPIES]: ColumnOf<ReturnType<(typeof ORDER_COPIES)[Name]>> };

/** Orders and their event log. */
declare module '../db/tables.ts' {
  interface Database {
    orders: ColumnsOf<Order> & OrderCopies & { requotedAt: MaybeInstantColumn };
    driverPositions: ColumnsOf<DriverPosition>;
    orderEvents: {
      orderId: string;
      sequence: number;
      type: OrderEventType;
      at: InstantColumn;
      data: JsonColumn<OrderEvent['data']>;
      progress: JsonColumn<Partial<LoggedProgress>>;
      dispatched: Generated<boolean>;
      traceparent: Generated<string | null>;
    };
  }
}
