import type { ColumnsOf, InstantColumn } from '../../platform/db/columns.ts';
import type { CourierDelivery } from './couriers/courier-delivery.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    /** What drivers recorded at the door. */
    deliveryProofs: { orderId: string; photo: Buffer | null; idChecked: boolean; at: InstantColumn };
    /** The courier company of each store. */
    storeCouriers: { storeId: string; gateway: string; setAt: InstantColumn };
    /** Deliveries requested from couriers. */
    courierDeliveries: ColumnsOf<CourierDelivery>;
  }
}
