import { Type } from 'typebox';
import type { Caller } from '../accounts/account.ts';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import { Refusal } from '../lib/errors.ts';
import { createOrder, finalizeOrder } from './create-order.flow.ts';
import type { Order } from './order.ts';
import { OrderBody, orderRequestOf } from './order-body.ts';
import { PlacedOrderSchema } from './order-schema.ts';
import { presentFinalQuote, trackingLinkOf } from './present-order.ts';
import { readOrderBody } from './read-order-body.ts';

const REFUSES_TO_PLACE = [
  'payment_declined',
  'product_not_found',
  'order_not_found',
  'payment_method_not_found',
  'transition_not_allowed',
  'pickup_not_supported',
  'quote_unavailable',
  'product_unavailable',
  'invalid_options',
  'order_minimum_not_met',
  'slot_unavailable',
  'payment_method_mismatch',
  'upstream_unavailable',
  'payment_gateway_not_configured',
] as const;

/** POST /order/order/v2: quotes, stores and places an order (interface.md; decisions, section 9). */
export function createOrderRoute(http: Http, deps: Deps): void {
  const schema = {
    operationId: 'createOrder',
    tags: ['Orders'],
    summary: 'Quote or place an order',
    description:
      'Without `place_order` the order is priced, checked and stored unplaced: finalize it, or send its `order_id` with another request that replaces it. With `place_order: true` it is placed and the card is charged, all or nothing. All faults of an order are told in one refusal; send an `Idempotency-Key` and retry when no answer came.',
    body: OrderBody,
    response: { 200: PlacedOrderSchema } as Record<string, unknown>,
  };
  http.post(
    '/order/order/v2',
    {
      schema,
      config: { refuses: [...REFUSES_TO_PLACE, 'mixed_stores'] },
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
  const schema = {
    operationId: 'finalizeOrder',
    tags: ['Orders'],
    summary: 'Place an unplaced order',
    description:
      'Places it at the total it was quoted. A total that has changed since is refused with the new `final_quote`; the same call again accepts it. An order that is placed already is answered as it is.',
    body: Type.Object({
      order_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of order creation without `place_order`.' }),
    }),
    response: { 200: PlacedOrderSchema } as Record<string, unknown>,
  };
  const config = { refuses: [...REFUSES_TO_PLACE, 'quote_changed'] as const };
  http.post('/order/finalize', { schema, config }, async ({ body, caller }) =>
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
