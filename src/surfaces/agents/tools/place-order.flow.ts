import { Type } from 'typebox';
import type { Caller } from '../../../access/accounts/account.ts';
import type { CreateOrderDeps, OrderDeps } from '../../../ordering/orders/order-deps.ts';
import { orderTotalCents } from '../../../ordering/orders/order-view.ts';
import { findOrder } from '../../../ordering/orders/orders.db.ts';
import { finalizeOrder } from '../../../ordering/orders/place-order.flow.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { withExplanation } from '../refused-answer.ts';
import { showOrder } from '../shown-order.ts';
import { defineTool, type Tool } from '../tool.ts';

const input = Type.Object(
  {
    order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of quote_order, of the same API key mode.' }),
    expected_total_cents: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'The `total_cents` of the quote that the customer has seen and accepted: send it, so that no other total is charged. Without it the quote that the order has now is accepted.',
      }),
    ),
  },
  { additionalProperties: false },
);

const CONFIRMED_NEXT =
  'The store confirms the order next: follow the order with get_order, or send the customer tracking_link.';

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** The tool over the placing of a quoted order at the total that its caller names, else at the quoted one (docs/orders.md). */
export function placeOrderTool(deps: Deps): Tool {
  return defineTool({
    name: 'place_order',
    title: 'Place a quoted order',
    description:
      'Places an order that quote_order has quoted, and charges its payment method. Call it only when the customer has seen and accepted the total. Calling it again for the same order places and charges nothing more. A changed total places nothing, and answers with the new quote.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input,
    async run(caller, { order_id: orderId, expected_total_cents: expected }) {
      try {
        const order = await finalizeOrder(deps, caller, orderId, expected);
        return {
          ...showOrder(order, deps.trackingSites.siteOf(caller.accountId)),
          ...(order.status === 'awaiting_confirmation' ? { next: CONFIRMED_NEXT } : {}),
        };
      } catch (error) {
        if (error instanceof Refusal && error.code === 'quote_changed')
          throw await withQuote(deps, caller, orderId, error);
        throw error;
      }
    },
  });
}

/** The refusal with the quote that the order has now. */
async function withQuote(deps: Deps, caller: Caller, orderId: string, refusal: Refusal): Promise<Refusal> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) return refusal;
  const quote = showOrder(order, deps.trackingSites.siteOf(caller.accountId));
  return withExplanation(refusal, {
    quote,
    accept_with: { order_id: orderId, expected_total_cents: orderTotalCents(order) },
  });
}
