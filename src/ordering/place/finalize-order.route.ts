import { Type } from 'typebox';
import type { Http } from '../../platform/http/http.ts';
import { checkoutLinkDeps } from '../order/checkout-link.ts';
import type { CreateOrderDeps, OrderDeps } from '../order/order-deps.ts';
import { TOKEN_FORM } from '../payments/payment-method.ts';
import { PlacedOrderSchema, presentPlaced, REFUSES_TO_PLACE } from './create-order.route.ts';
import { completedRequest, MissingMembers } from './order-body.ts';
import { finalizeOrder } from './place-order.flow.ts';

const Body = Type.Object({
  order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of order creation without `place_order`.' }),
  ...MissingMembers.properties,
  payment_token: Type.Optional(
    Type.String({
      pattern: TOKEN_FORM.source,
      description: "Of the gateway's client library, in place of a `payment_method_id`: it is saved for the `user_id`.",
    }),
  ),
});

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** POST /order/finalize: places an unplaced order at its quoted total. */
export function finalizeOrderRoute(http: Http, deps: Deps): void {
  const schema = {
    operationId: 'finalizeOrder',
    summary: 'Place an unplaced order',
    description:
      'Places it at the total it was quoted. What the quote lacked is given here, except an address: quote the order again with its `order_id` to add one. A member that the quote has and that differs is refused. A total that has changed since is refused with the new `final_quote`; the same call again accepts it. An order that is placed already is answered as it is, with its `status`; one that was canceled is 409 `transition_not_allowed`.',
    example: { body: { order_id: '{order_id}' } },
    body: Body,
    response: { 200: PlacedOrderSchema },
  };
  const refuses = [...REFUSES_TO_PLACE, 'payment_token_not_accepted'] as const;
  http.post('/order/finalize', { schema, config: { scope: 'order', refuses } as const }, async ({ body, caller }) => {
    const placed = await finalizeOrder(deps, caller, body.order_id, {
      complete: (order) => completedRequest(order, body),
      payment: body,
    });
    return presentPlaced(placed, checkoutLinkDeps(deps, caller));
  });
}
