import { adjustOrderItem } from '../../ordering/money/adjust-item.flow.ts';
import type { ItemChange } from '../../ordering/money/adjust-item.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { openWeights } from '../../ordering/order/weighed-order.ts';
import { requireGateway } from '../../ordering/payments/payment-gateway.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { shareOf } from '../../platform/lib/money.ts';
import { type Scenario, scenarioOf } from './simulated-plan.ts';

/* A simulated store's changes to items: weights from its scale, and missing items. */

type WeighingDeps = Parameters<typeof adjustOrderItem>[0] & Pick<OrderDeps, 'db' | 'gateways'>;

/** A line's weight in percent of the ordered one. */
const PERCENT: Partial<Record<Scenario, number>> = { weighs_more: 104, weighs_too_much: 150 };
const USUAL_PERCENT = 98;

/**
 * Weighs every open line of an order. Weight above the maximum charge is free. With the scenario
 * `hold_expires` its authorization expires afterward without a report.
 */
export async function simulateWeighing(deps: WeighingDeps, order: Order): Promise<Order> {
  const scenario = scenarioOf(order) ?? 'store_silent';
  const percent = PERCENT[scenario] ?? USUAL_PERCENT;
  let weighed = order;
  for (const index of openWeights(order)) {
    const milli = Math.max(1, shareOf(order.quote.items[index]?.weight?.ordered ?? 0, percent, 100));
    const change = { index, quantity: 1, substitute: null };
    const weigh = (isAtLimit: boolean) => tryChange(deps, weighed, { ...change, weighing: { milli, isAtLimit } });
    weighed = (await weigh(false)) ?? (await weigh(true)) ?? weighed;
  }
  if (scenario === 'hold_expires' && order.chargeState === 'authorized' && order.chargeId !== null)
    await requireGateway(deps.gateways, order.mode).cancelCharge(order.chargeId);
  return weighed;
}

/** Makes a change; undefined if it is refused or the order has moved on. */
export async function tryChange(deps: WeighingDeps, order: Order, change: ItemChange): Promise<Order | undefined> {
  const guard = async (_tx: unknown, locked: Order) => {
    if (locked.lastSequence === order.lastSequence) return;
    throw new Refusal('transition_not_allowed', 'The order has already moved to another step.');
  };
  try {
    const changed = await adjustOrderItem(deps, order.orderId, { change, by: 'simulation', guard });
    return changed.lastSequence > order.lastSequence ? changed : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
