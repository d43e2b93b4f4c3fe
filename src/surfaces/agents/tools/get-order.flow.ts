import { Type } from 'typebox';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import type { OrderDeps } from '../../../ordering/order/order-deps.ts';
import { requireOrder } from '../../../ordering/order/require-order.flow.ts';
import { SHOWN_ORDER, showOrder } from '../shown-order.ts';
import { defineTool, READ_ONLY, type Tool } from '../tool.ts';

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
