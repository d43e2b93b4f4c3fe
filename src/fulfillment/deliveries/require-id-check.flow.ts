import { needsIdCheck } from '../../ordering/order/alcohol.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { findProof, saveIdCheck } from './proofs.db.ts';

/** Records that an ID was seen; refuses an order with alcohol if no one has seen one. */
export async function requireIdCheck(tx: Sql, order: Order, isChecked: boolean, now: Temporal.Instant): Promise<void> {
  if (isChecked) return saveIdCheck(tx, order.orderId, now);
  if (!needsIdCheck(order) || (await findProof(tx, order.orderId))?.idChecked) return;
  throw new Refusal('id_check_required', 'This order contains alcohol. Check an ID, and confirm with id_checked.');
}
