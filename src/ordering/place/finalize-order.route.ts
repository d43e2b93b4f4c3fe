import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { checkoutLinkDeps } from '../order/checkout-link.ts';
import type { CreateOrderDeps, OrderDeps } from '../order/order-deps.ts';
import { TOKEN_FORM } from '../payments/payment-method.ts';
import { PlacedOrderSchema, presentPlaced, REFUSES_TO_PLACE } from './create-order.route.ts';
import { completedRequest, MissingMembers } from './order-body.ts';
import { finalizeOrder } from './place-order.flow.ts';

const Body = Type.Object({
  order_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The `order_id` returned by order creation without `place_order`.',
  }),
  ...MissingMembers.properties,
  payment_token: Type.Optional(
    Type.String({
      pattern: TOKEN_FORM.source,
      description:
        "A token from the gateway's client library, instead of a `payment_method_id`. The card is saved for the `user_id`.",
    }),
  ),
});

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** Places an unplaced order at its quoted total. */
export const finalizeOrderOperation = operation({
  name: 'finalizeOrder',
  endpoint: 'POST /order/finalize',
  summary: 'Place an unplaced order',
  description:
    'Places the order at its quoted total. Send any fields that the quote lacks, except the address: to add one, quote the order again with its `order_id`. A field that differs from the quote returns an error. If the total has changed, the error contains the new `final_quote`, and sending the same request again accepts it. An already placed order is returned with its `status`. A canceled order returns 409 `transition_not_allowed`.',
  example: { body: { order_id: '{order_id}' } },
  body: Body,
  answer: PlacedOrderSchema,
  refuses: [...REFUSES_TO_PLACE, 'payment_token_not_accepted'],
  on: { account: { scope: 'order' } },
}).run(async (deps: Deps, { by: { caller }, body }) => {
  const placed = await finalizeOrder(deps, caller, body.order_id, {
    complete: (order) => completedRequest(order, body),
    payment: body,
  });
  return presentPlaced(placed, checkoutLinkDeps(deps, caller));
});
