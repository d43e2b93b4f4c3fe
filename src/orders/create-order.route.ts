import { Type } from 'typebox';
import type { Caller } from '../accounts/account.ts';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import { Refusal } from '../lib/errors.ts';
import { createOrder, finalizeOrder } from './create-order.flow.ts';
import type { Order } from './order.ts';
import { OrderBody, orderRequestOf, readOrderBody } from './order-body.ts';
import { presentFinalQuote, trackingLinkOf } from './present-order.ts';

const Placed = Type.Object({
  order_placed: Type.Boolean(),
  tracking_link: Type.String(),
  final_quote: Type.Optional(Type.Unknown({ description: 'Final quote, where include_final_quote asks for it.' })),
  order_id: Type.String(),
  is_sandbox: Type.Boolean(),
});

/** POST /order/order/v2: quotes, stores and places an order (interface.md; decisions, section 9). */
export function createOrderRoute(http: Http, deps: Deps): void {
  const schema = { tags: ['Orders'], summary: 'Create an order', body: OrderBody, response: { 200: Placed } };
  http.post(
    '/order/order/v2',
    {
      schema,
      preValidation: async ({ body, caller }) => refuseWithoutGateway(deps, caller, body),
      validatorCompiler: () => readOrderBody,
    },
    (request) =>
      createOrder(deps, request.caller, {
        request: orderRequestOf(request.body),
        place: request.body.place_order ?? false,
        replaces: request.body.order_id || null,
        idempotencyKey: request.claim?.key ?? null,
      }).then((order) => presentPlaced(order, deps.config.trackingUrl)),
  );
}

/** POST /order/finalize: places an unplaced order at the total it was quoted. */
export function finalizeOrderRoute(http: Http, deps: Deps): void {
  const body = Type.Object({ order_id: Type.String({ minLength: 1, maxLength: 64 }) });
  const schema = { tags: ['Orders'], summary: 'Place an unplaced order', body, response: { 200: Placed } };
  http.post('/order/finalize', { schema }, async ({ body, caller }) =>
    presentPlaced(await finalizeOrder(deps, caller, body.order_id), deps.config.trackingUrl),
  );
}

/** A live order that charges needs a gateway: said before anything else is looked at (decisions, section 2). */
function refuseWithoutGateway({ gateways }: Deps, { mode }: Caller, body: unknown): void {
  const charges = (body as { charge_user?: unknown } | undefined)?.charge_user !== false;
  if (mode === 'live' && charges && !gateways.live) {
    throw new Refusal('payment_gateway_not_configured', 'No payment gateway is configured for live payments.');
  }
}

function presentPlaced(order: Order, trackingUrl: string) {
  return {
    // An order that was canceled because its charge was found too late has never been placed.
    order_placed: order.placedAt !== null,
    tracking_link: trackingLinkOf(trackingUrl, order.orderId),
    ...(order.request.includeFinalQuote ? { final_quote: presentFinalQuote(order.quote) } : {}),
    order_id: order.orderId,
    is_sandbox: order.mode === 'sandbox',
  };
}
