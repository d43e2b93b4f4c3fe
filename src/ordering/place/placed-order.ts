import { type Static, Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { named } from '../../platform/http/api-components.ts';
import { type CheckoutLinkDeps, checkoutMember } from '../order/checkout-link.ts';
import { FinalQuoteSchema, presentFinalQuote } from '../order/final-quote.ts';
import type { Order } from '../order/order.ts';
import { CHECKOUT_URL, orderNumber, TRACKING_LINK } from '../order/present-order.ts';

/* The answer of creating and finalizing an order: its schema and presentation. */

/** The answer of order creation and of finalizing (docs/orders.md#body-of-an-order). */
export const PlacedOrderSchema = Type.Object(
  {
    order_placed: Type.Boolean({ description: 'False for an order that is only quoted.' }),
    tracking_link: TRACKING_LINK,
    final_quote: Type.Optional(FinalQuoteSchema),
    order_id: Type.String(),
    order_number: orderNumber,
    checkout_url: CHECKOUT_URL,
    is_sandbox: Type.Boolean({ description: 'Whether it was made with a sandbox key.' }),
  },
  named('PlacedOrder', 'The order as it was taken; `final_quote` where `include_final_quote` asked for it.'),
);

/** Refusal codes of quoting and placing an order. */
export const REFUSES_TO_PLACE = [
  'payment_declined',
  'too_many_declines',
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
  'markup_not_allowed',
  'upstream_unavailable',
  'payment_gateway_not_configured',
] as const;

export function presentPlaced(order: Order, needs: CheckoutLinkDeps): Static<typeof PlacedOrderSchema> {
  const { site } = needs;
  return {
    // An order that was canceled because its charge was found too late was never placed.
    order_placed: order.placedAt !== null,
    tracking_link: trackingLinkOf(site, order.orderId),
    ...(order.request.includeFinalQuote ? { final_quote: presentFinalQuote(order) } : {}),
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    ...checkoutMember(order, needs),
    is_sandbox: order.mode === 'sandbox',
  };
}
