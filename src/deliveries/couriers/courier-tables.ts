import type { ColumnsOf, InstantColumn } from '../../db/columns.ts';
import type { CourierDelivery } from './courier-delivery.ts';

/** Which couriers a store has, and the deliveries that were requested of them. */
declare module '../../db/tables.ts' {
  interface Database {
    storeCouriers: { storeId: string; gateway: string; setAt: InstantColumn };
    courierDeliveries: ColumnsOf<CourierDelivery>;
  }
}
