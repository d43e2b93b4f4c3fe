import type { ColumnsOf, InstantColumn } from '../../platform/db/columns.ts';
import type { CourierDelivery } from './couriers/courier-delivery.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    deliveryProofs: { orderId: string; photo: Buffer | null; idChecked: boolean; at: InstantColumn };
    storeCouriers: { storeId: string; gateway: string; setAt: InstantColumn };
    courierDeliveries: ColumnsOf<CourierDelivery>;
  }
}
