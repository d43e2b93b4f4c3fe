import type { InstantColumn } from '../db/columns.ts';

/** What drivers recorded at the door. */
declare module '../db/tables.ts' {
  interface Database {
    deliveryProofs: { orderId: string; photo: Buffer | null; idChecked: boolean; at: InstantColumn };
  }
}
