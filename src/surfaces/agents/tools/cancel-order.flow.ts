import { Type } from 'typebox';
import { cancelOrder } from '../../../ordering/money/cancel-order.flow.ts';
import { MAX_REFUND_REASON } from '../../../ordering/money/refund.ts';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import type { OrderDeps } from '../../../ordering/order/order-deps.ts';
import { optionalText } from '../../../platform/http/api-components.ts';
import { showOrder } from '../shown-order.ts';
import { defineTool, type Tool } from '../tool.ts';

const input = {
  order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of a placed order' }),
  reason: optionalText(MAX_REFUND_REASON, 'For the customer and the store'),
};

type Deps = Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'inventory' | 'tokens' | 'trackingSites'>;

/** Defines the tool that cancels an order (docs/orders.md#statuses-and-steps). */
export function cancelOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'cancel_order',
    description:
      'Cancels a placed order and gives the money back, until a driver or the customer has it. Only when the customer asks.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input,
    async run(caller, { order_id: orderId, reason = '' }) {
      const order = await cancelOrder(deps, { orderId, reason: reason.trim() }, caller);
      return showOrder(order, checkoutLinkDeps(deps, caller));
    },
  });
}
