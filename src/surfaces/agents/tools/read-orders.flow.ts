import { Type } from 'typebox';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import { ORDER_STATUSES, type Order } from '../../../ordering/order/order.ts';
import type { OrderDeps } from '../../../ordering/order/order-deps.ts';
import { orderTotalCents } from '../../../ordering/order/order-view.ts';
import { listOrders } from '../../../ordering/order/orders.db.ts';
import { requireOrder } from '../../../ordering/order/require-order.flow.ts';
import { SHOWN_ORDER, showOrder } from '../shown-order.ts';
import { clip, defineTool, MAX_LIST_BYTES, MAX_NAME, money, READ_ONLY, type Tool, takeFitting } from '../tool.ts';

const input = { order_id: Type.String({ minLength: 1, maxLength: 64, description: 'An order_id from quote_order' }) };

type Deps = Pick<OrderDeps, 'clock' | 'db' | 'tokens' | 'trackingSites'>;

/** Defines the tool that reads one order (docs/orders.md#list-orders). */
export function getOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'get_order',
    description: "Gets an order's current state. Amounts in cents also have formatted text, named without `_cents`.",
    annotations: READ_ONLY,
    input,
    outputSchema: SHOWN_ORDER,
    async run(caller, { order_id: orderId }) {
      const order = await requireOrder(deps.db, orderId, caller);
      return showOrder(order, checkoutLinkDeps(deps, caller));
    },
  });
}

const MAX_ORDERS = 50;
const STATUSES = ORDER_STATUSES.filter((status) => status !== 'unplaced');

/** Defines the tool that lists the placed orders of a signed-in customer. */
export function listOrdersTool({ db }: Pick<OrderDeps, 'db'>): Tool {
  return defineTool({
    name: 'list_orders',
    description: "Lists the customer's placed orders, newest first. get_order returns a complete order.",
    annotations: READ_ONLY,
    input: {},
    async run(caller) {
      const orders = await listOrders(db, caller, { statuses: STATUSES }, { from: 0, limit: MAX_ORDERS });
      return { orders: takeFitting(orders.map(showRow), MAX_LIST_BYTES) };
    },
  });
}

const showRow = (order: Order) => ({
  order_id: order.orderId,
  status: order.status,
  placed_at: order.placedAt?.toString({ smallestUnit: 'second' }),
  store: clip(order.quote.store.name, MAX_NAME),
  ...money('total', orderTotalCents(order)),
});
