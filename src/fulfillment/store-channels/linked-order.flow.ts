import { hasEnded, type Order } from '../../ordering/orders/order.ts';
import { findAnyOrder } from '../../ordering/orders/orders.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { findNoticeByLink } from './store-notices.db.ts';

/** The order of an offer's link; undefined for an unknown link, and once the order has ended. */
export async function findLinkedOrder(db: Db, link: string): Promise<Order | undefined> {
  const notice = await findNoticeByLink(db, sha256(link));
  const order = notice && (await findAnyOrder(db, notice.orderId));
  return order && hasEnded(order) ? undefined : order;
}
