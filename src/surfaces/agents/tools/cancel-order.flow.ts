import { Type } from 'typebox';
import { findBranding } from '../../../access/accounts/brandings.db.ts';
import { cancelOrder } from '../../../ordering/money/cancel-order.flow.ts';
import { MAX_REFUND_REASON } from '../../../ordering/money/refund.ts';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import type { OrderDeps } from '../../../ordering/order/order-deps.ts';
import { requireOrder } from '../../../ordering/order/require-order.flow.ts';
import { optionalText } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { showOrder } from '../shown-order.ts';
import { type AgentCaller, defineTool, type Tool } from '../tool.ts';

const input = {
  order_id: Type.String({ minLength: 1, maxLength: 64, description: "A placed order's ID" }),
  reason: optionalText(MAX_REFUND_REASON, 'For customer and store'),
};

type Deps = Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'inventory' | 'tokens' | 'trackingSites'>;

/** Defines the tool that cancels an order (docs/orders.md#statuses-and-steps). */
export function cancelOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'cancel_order',
    description:
      "Cancels and refunds a placed order until a driver or the customer has it. Only at the customer's request.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input,
    async run(caller, { order_id: orderId, reason = '' }) {
      if (caller.customer) await requireCustomerCancel(deps, orderId, caller);
      const order = await cancelOrder(deps, { orderId, reason: reason.trim() }, caller);
      return showOrder(order, checkoutLinkDeps(deps, caller));
    },
  });
}

/** Refuses where the customer could not cancel on the order's page either. */
async function requireCustomerCancel({ db }: Pick<Deps, 'db'>, orderId: string, caller: AgentCaller): Promise<void> {
  await requireOrder(db, orderId, caller);
  const { customerCancel } = await findBranding(db, caller.accountId);
  if (!customerCancel) throw new Refusal('transition_not_allowed', 'In this shop, only stores can cancel an order.');
}
