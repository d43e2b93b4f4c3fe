import type { ColumnsOf, InstantColumn } from '../../platform/db/columns.ts';
import type { CourierDelivery } from './couriers/courier-delivery.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    /** What drivers recorded at the door. */
    deliveryProofs: { orderId: string; photo: Buffer | null; idChecked: boolean; at: InstantColumn };
    /** Which couriers a store has. */
    storeCouriers: { storeId: string; gateway: string; setAt: InstantColumn };
    /** The deliveries that were requested of couriers. */
    courierDeliveries: ColumnsOf<CourierDelivery>;
  }
}
