import type { Order } from '../orders/order.ts';
import { presentStoreOrder } from './present-store-order.ts';
import type { StoreNotice } from './store-notice.ts';

/** The type of a call to a POS webhook, by the notice. */
const TYPES = { offered: 'order.offered', canceled: 'order.canceled' } as const;

/** The body of a call to a store's POS, in the shape of the calls to accounts (docs/store-api.md#pos-webhook). */
export function noticeCallBody({ kind, createdAt }: StoreNotice, order: Order, trackingUrl: string): string {
  const type = kind === 'canceled' ? TYPES.canceled : TYPES.offered;
  return JSON.stringify({
    type,
    timestamp: createdAt.toString(),
    data: { order: presentStoreOrder(order, trackingUrl) },
  });
}
