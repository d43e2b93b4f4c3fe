import { sandboxOf } from '../accounts/account.ts';
import { listStoreProducts } from '../catalog/store-products.db.ts';
import { Refusal } from '../http/refusal.ts';
import { adjustOrderItem, type ItemChange } from '../orders/adjustments/adjust-item.flow.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';

type Needs = Pick<OrderDeps, 'db' | 'clock' | 'tokens'> & { inventory: Pick<OrderDeps['inventory'], 'evict'> };

/** Products of a store that the simulation tries as a substitute. */
const MAX_TRIED = 20;

/**
 * The simulated store lacks one unit of the first item: it hands over a substitute for all units where the customer wants
 * one and a product of the store can be one, else one unit less. Does nothing once the order has taken another step.
 */
export async function simulateAdjustment(deps: Needs, order: Order): Promise<void> {
  const { quantity = 0 } = order.quote.items[0] ?? {};
  for (const substitute of await substitutesOf(deps, order)) {
    if (await tryChange(deps, order, { index: 0, quantity, substitute })) return;
  }
  await tryChange(deps, order, { index: 0, quantity: quantity - 1, substitute: null });
}

/** The products that the customer wants in place of the first item: named products, or any of the store. */
async function substitutesOf({ db }: Pick<Needs, 'db'>, order: Order): Promise<readonly string[]> {
  const { request, storeId } = order;
  const substitution = request.items[0]?.substitution;
  if (substitution?.preference === 'specific') return substitution.productIds;
  if (substitution?.preference !== 'store_choice') return [];
  const limits = { maxProducts: MAX_TRIED, maxOptions: 1000 };
  const filter = { sandbox: sandboxOf(order), words: [], offSale: false, afterNo: 0 };
  const { products } = await listStoreProducts(db, storeId, filter, limits);
  return products.map(({ externalId }) => externalId);
}

/** Makes a change; false where it is refused, or changes nothing. */
async function tryChange(deps: Needs, order: Order, change: ItemChange): Promise<boolean> {
  const guard = async (_tx: unknown, locked: Order) => {
    if (locked.lastSequence === order.lastSequence) return;
    throw new Refusal('transition_not_allowed', 'The order has taken another step.');
  };
  try {
    const changed = await adjustOrderItem(deps, order.orderId, { change, by: 'simulation', guard });
    return changed.lastSequence > order.lastSequence;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
