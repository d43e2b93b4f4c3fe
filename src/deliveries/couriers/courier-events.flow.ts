import type { Clock } from '../../lib/clock.ts';
import type { EventHandler } from '../../orders/dispatch-events.flow.ts';
import { findAnyOrder } from '../../orders/orders.db.ts';
import { abandonDeliveries, abandonReplaced, findCouriersOrders, insertDelivery } from './courier-deliveries.db.ts';
import { requestDelivery } from './courier-delivery.ts';
import { readyAtOf } from './courier-job.ts';

/**
 * Requests a courier once a store has confirmed a live delivery that no other party brings. Gives the courier up once the
 * order has ended another way, or a driver of the store's own has it.
 */
export function courierEvents({ clock }: { clock: Clock }): EventHandler {
  return async (tx, events) => {
    const now = clock.now();
    const live = events.filter(({ mode }) => mode === 'live');
    const ordersOf = (...types: readonly string[]) =>
      live.filter(({ type }) => types.includes(type)).map(({ orderId }) => orderId);
    for (const { orderId, gateway } of await findCouriersOrders(tx, ordersOf('order.confirmed'))) {
      const order = await findAnyOrder(tx, orderId);
      if (!order || order.quote.withoutCourier) continue;
      await insertDelivery(tx, requestDelivery({ orderId, attempt: 1, gateway }, readyAtOf(order, now), now));
    }
    await abandonDeliveries(tx, ordersOf('order.canceled', 'order.completed'), now);
    // The assignment of a courier has moved the delivery on in the transaction of the step.
    await abandonReplaced(tx, ordersOf('order.driver_assigned'), now);
  };
}
