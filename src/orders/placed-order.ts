import type { Static } from 'typebox';
import { type TrackingSite, trackingLinkOf } from '../accounts/tracking-site.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { FrozenQuote, Order, QuotedItem } from './order.ts';
import type {
  FinalQuoteSchema,
  OrderSlotSchema,
  PlacedOrderSchema,
  QuotedCustomizationSchema,
  QuotedItemSchema,
} from './order-schema.ts';

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

/** The Final quote of order creation (docs/behaviour.md#final-quote). */
export function presentFinalQuote(quote: FrozenQuote): Static<typeof FinalQuoteSchema> {
  const { addedFee } = quote;
  return {
    store: quote.store.name,
    store_address: quote.store.address,
    store_id: quote.store.storeId,
    quote_id: quote.quoteId,
    quote: {
      subtotal: quote.subtotalCents,
      delivery_fee_cents: quote.deliveryFeeCents,
      service_fee_cents: quote.serviceFeeCents,
      small_order_fee_cents: quote.smallOrderFeeCents,
      sales_tax_cents: quote.salesTaxCents,
      delivery_time_min: quote.minutes.minimum,
      delivery_time_max: quote.minutes.maximum,
      total_without_tips: quote.totalWithoutTipsCents,
      expected_time_of_arrival: quote.expectedTimeOfArrival,
      scheduled: presentSlot(quote),
    },
    items: quote.items.map(presentItem),
    tip: quote.tipCents,
    total_with_tip: quote.totalWithTipCents,
    added_fees: {
      flat_fee_cents: addedFee.flatCents,
      percent_fee: addedFee.percent,
      is_fee_taxable: addedFee.taxable,
      total_fee_cents: addedFee.totalCents,
      sales_tax_cents: addedFee.salesTaxCents,
    },
    misc_fees: quote.miscFees.map((fee) => ({ fee_name: fee.name, fee_amount: fee.amountCents })),
  };
}

/** The window of a scheduled order; empty for an ASAP order. */
export function presentSlot({ scheduled }: FrozenQuote): Static<typeof OrderSlotSchema> {
  return scheduled ? { id: scheduled.id, minimum: scheduled.startEpochS, maximum: scheduled.endEpochS } : {};
}

function presentItem(item: QuotedItem): Static<typeof QuotedItemSchema> {
  return {
    name: item.name,
    base_price: item.basePriceCents,
    quantity: item.quantity,
    image: item.image ?? '',
    product_id: item.productId,
    customizations: item.customizations.map(presentCustomization),
  };
}

function presentCustomization(customization: PricedCustomization): Static<typeof QuotedCustomizationSchema> {
  return {
    name: customization.name,
    customization_id: customization.id,
    selected_options: customization.options.map((option) => ({
      name: option.name,
      price: option.priceCents,
      quantity: option.quantity,
      default_qty: option.defaultQty,
      option_id: option.id,
      customizations: option.customizations.map(presentCustomization),
    })),
  };
}
