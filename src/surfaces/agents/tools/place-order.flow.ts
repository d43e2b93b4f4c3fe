import { Type } from 'typebox';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import type { CreateOrderDeps, OrderDeps } from '../../../ordering/order/order-deps.ts';
import { orderTotalCents } from '../../../ordering/order/order-view.ts';
import { findOrder } from '../../../ordering/order/orders.db.ts';
import { finalizeOrder } from '../../../ordering/place/place-order.flow.ts';
import { optionalWhole } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { withExplanation } from '../refused-answer.ts';
import { showOrder } from '../shown-order.ts';
import { type AgentCaller, defineTool, type Tool } from '../tool.ts';

const input = {
  order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of quote_order' }),
  expected_total_cents: optionalWhole(
    0,
    Number.MAX_SAFE_INTEGER,
    'The total that the customer has accepted: no other one is charged',
  ),
};

const NEXT_IS_CONFIRMATION =
  'The store confirms the order next: follow the order with get_order, or send the customer tracking_link.';

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** Creates the tool that places a quoted order, at the caller's stated total or the quoted one (docs/orders.md). */
export function placeOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'place_order',
    description:
      'Places a quoted order and charges it, once the customer has accepted the total. Again, it does nothing more. A changed total places nothing, and answers the new quote. Where no agent may place, send the customer checkout_url.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input,
    async run(caller, { order_id: orderId, expected_total_cents: expected }) {
      const handedOver = await handOver(deps, caller, orderId);
      if (handedOver) return handedOver;
      try {
        const order = await finalizeOrder(deps, caller, orderId, { totalCents: expected });
        return {
          ...showOrder(order, checkoutLinkDeps(deps, caller)),
          ...(order.status === 'awaiting_confirmation' ? { next: NEXT_IS_CONFIRMATION } : {}),
        };
      } catch (error) {
        if (error instanceof Refusal && error.code === 'quote_changed')
          throw await withQuote(deps, caller, orderId, error);
        throw error;
      }
    },
  });
}

const HAND_OVER = 'Nothing was placed or charged. Send the customer checkout_url: there they pay and place the order.';
const QUOTE_AGAIN = 'Nothing was placed or charged. Call quote_order again with this order_id for a checkout_url.';

/**
 * Hands the unplaced order over to its customer, who places it on the hosted checkout, if the account requires that.
 */
async function handOver(deps: Deps, caller: AgentCaller, orderId: string) {
  if (caller.agentOrders !== 'handover') return undefined;
  const order = await findOrder(deps.db, caller, orderId);
  if (order?.status !== 'unplaced') return undefined;
  const shown = showOrder(order, checkoutLinkDeps(deps, caller));
  return { ...shown, next: shown.checkout_url === undefined ? QUOTE_AGAIN : HAND_OVER };
}

/** Returns the refusal with the order's current quote. */
async function withQuote(deps: Deps, caller: AgentCaller, orderId: string, refusal: Refusal): Promise<Refusal> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) return refusal;
  const quote = showOrder(order, checkoutLinkDeps(deps, caller));
  return withExplanation(refusal, {
    quote,
    accept_with: { order_id: orderId, expected_total_cents: orderTotalCents(order) },
  });
}
