import { Type } from 'typebox';
import type { Http } from '../../platform/http/http.ts';
import { checkoutLinkDeps } from './checkout-link.ts';
import type { CreateOrderDeps, OrderDeps } from './order-deps.ts';
import { finalizeOrder } from './place-order.flow.ts';
import { PlacedOrderSchema, presentPlaced, REFUSES_TO_PLACE } from './placed-order.ts';

/** POST /order/finalize: places an unplaced order at its quoted total. */
export function finalizeOrderRoute(http: Http, deps: CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>): void {
  const schema = {
    operationId: 'finalizeOrder',
    tags: ['Orders'],
    summary: 'Place an unplaced order',
    description:
      'Places it at the total it was quoted. A total that has changed since is refused with the new `final_quote`; the same call again accepts it. An order that is placed already is answered as it is.',
    example: { body: { order_id: '{order_id}' } },
    body: Type.Object({
      order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of order creation without `place_order`.' }),
    }),
    response: { 200: PlacedOrderSchema },
  };
  const config = { scope: 'order' as const, refuses: [...REFUSES_TO_PLACE, 'quote_changed'] as const };
  http.post('/order/finalize', { schema, config }, async ({ body, caller }) =>
    presentPlaced(await finalizeOrder(deps, caller, body.order_id), checkoutLinkDeps(deps, caller)),
  );
}
