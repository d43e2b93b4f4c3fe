import type { Order } from '../orders/order.ts';
import { presentStoreOrder } from './present-store-order.ts';
import type { NoticeKind, StoreNotice } from './store-notice.ts';

/** The type of a call to a POS webhook, by the notice. */
const TYPES: Partial<Record<NoticeKind, string>> = { canceled: 'order.canceled', item_changed: 'order.item_changed' };

/** The body of a call to a store's POS, in the shape of the calls to accounts (docs/store-api.md#pos-webhook). */
export function noticeCallBody({ kind, createdAt }: StoreNotice, order: Order, siteUrl: string): string {
  return JSON.stringify({
    type: TYPES[kind] ?? 'order.offered',
    timestamp: createdAt.toString(),
    data: { order: presentStoreOrder(order, siteUrl) },
  });
}
