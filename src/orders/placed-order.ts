import type { Static } from 'typebox';
import type { TrackingSite } from '../accounts/tracking-site.ts';
import type { Order } from './order.ts';
import type { PlacedOrderSchema } from './order-schema.ts';
import { presentFinalQuote } from './present-order.ts';
import { trackingLinkOf } from './tracking-link.ts';

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

/** The answer of order creation and of finalizing (docs/behaviour.md#body-of-an-order). */
export function presentPlaced(order: Order, site: TrackingSite): Static<typeof PlacedOrderSchema> {
  return {
    // An order that was canceled because its charge was found too late has never been placed.
    order_placed: order.placedAt !== null,
    tracking_link: trackingLinkOf(site, order.orderId),
    ...(order.request.includeFinalQuote ? { final_quote: presentFinalQuote(order.quote) } : {}),
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    is_sandbox: order.mode === 'sandbox',
  };
}
