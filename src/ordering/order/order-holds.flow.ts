import { sandboxOf } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { openProduct } from '../../supply/catalog/catalog-tokens.ts';
import { returnStock, takeStock } from '../../supply/catalog/stock.db.ts';
import { holdSlot, releaseSlot } from '../../supply/pricing/slots.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import type { HeldStock, Order } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { type OrderFault, refusalOfFaults } from './order-faults.ts';

/*
 * An order's holds from its first charge attempt to its end: capacity of its slot and counted stock, live or of its
 * sandbox. Lock order against deadlocks: the order's row, its slot, products by number, the counter of order numbers.
 */

/** Holds the order's slot and stock, or refuses and names everything that is gone. */
export async function takeHolds(
  { tokens }: Pick<OrderDeps, 'tokens'>,
  tx: Sql,
  order: Order,
  { store, stock }: { store: Store; stock: readonly HeldStock[] },
): Promise<Order> {
  const slot = order.quote.scheduled;
  const sandbox = sandboxOf(order);
  const faults: OrderFault[] = [];
  if (slot) {
    const startsAt = instantOfEpochSeconds(slot.startEpochS);
    const hold = { storeId: store.storeId, sandbox, pickup: order.request.mode === 'pickup', startsAt };
    const isHeld = await holdSlot(tx, { ...hold, capacity: store.scheduling.capacity });
    if (!isHeld) faults.push({ code: 'slot_unavailable', name: 'scheduled_id', message: 'This slot was just taken.' });
  }
  for (const productNo of await takeStock(tx, store.storeId, stock, sandbox)) {
    const item = order.quote.items.find(({ productId }) => openProduct(tokens, productId)?.productNo === productNo);
    const message = `The last of ${item ? `"${item.name}"` : 'a product'} has just been sold.`;
    faults.push({ code: 'product_unavailable', name: 'items', message, productIds: item ? [item.productId] : [] });
  }
  if (faults.length > 0) throw refusalOfFaults(faults);
  return { ...order, stockHeld: stock, slotHeld: slot !== null };
}

/** Releases an order's holds. */
export async function releaseHolds(tx: Sql, order: Order): Promise<Order> {
  const { storeId, quote, request } = order;
  const sandbox = sandboxOf(order);
  if (order.slotHeld && quote.scheduled) {
    const startsAt = instantOfEpochSeconds(quote.scheduled.startEpochS);
    await releaseSlot(tx, { storeId, sandbox, pickup: request.mode === 'pickup', startsAt });
  }
  await returnStock(tx, storeId, order.stockHeld, sandbox);
  return { ...order, stockHeld: [], slotHeld: false };
}
