import { type Static, Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { named, reference } from '../../platform/http/api-components.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { TaxesByName, taxesMember } from '../../supply/pricing/quote-schema.ts';
import { type CheckoutLinkDeps, checkoutMember } from './checkout-link.ts';
import type { FrozenQuote, Order, QuotedItem } from './order.ts';

/* The answer of creating and finalizing an order: its schema and presentation. */

export const cents = (description: string) => Type.Integer({ description: `Cents. ${description}` });
export const text = (description: string) => Type.String({ description });

/** Absent while unplaced. */
export const orderNumber = Type.Optional(
  Type.String({
    pattern: '^[A-Z][1-9][0-9]{0,3}$',
    description:
      'The short number that store and customer call the order by, such as `A17`: unique within the store, its local day, and live or sandbox orders. Absent while unplaced.',
  }),
);

export const OrderSlotSchema = Type.Object(
  {
    id: Type.Optional(text('The `scheduled_id`.')),
    minimum: Type.Optional(Type.Integer({ description: 'When the slot begins, in epoch seconds.' })),
    maximum: Type.Optional(Type.Integer({ description: 'When it ends, in epoch seconds.' })),
  },
  named('OrderSlot', 'The slot of a scheduled order; empty for one as soon as possible.'),
);

const QuotedOptionSchema = Type.Object(
  {
    name: Type.String(),
    price: cents('For one of it, as it counts in this order.'),
    quantity: Type.Integer(),
    default_qty: Type.Integer(),
    option_id: Type.String(),
    customizations: Type.Array(reference('QuotedCustomization'), { description: 'What was chosen with it.' }),
  },
  named('QuotedOption', 'An option that was chosen.'),
);

const QuotedCustomizationSchema = Type.Object(
  { name: Type.String(), customization_id: Type.String(), selected_options: Type.Array(QuotedOptionSchema) },
  named('QuotedCustomization', 'A choice, and what was chosen.'),
);

const QuotedItemSchema = Type.Object(
  {
    name: Type.String(),
    base_price: cents('For one, without options.'),
    quantity: Type.Integer(),
    image: text('A URL; empty where there is none.'),
    product_id: Type.String(),
    customizations: Type.Array(QuotedCustomizationSchema),
  },
  named('QuotedItem', 'An item of an order, as it was quoted.'),
);

const FinalQuoteTotalsSchema = Type.Object(
  {
    subtotal: cents('The items with their options.'),
    delivery_fee_cents: cents('Zero for pickup.'),
    service_fee_cents: cents(''),
    small_order_fee_cents: cents(''),
    sales_tax_cents: cents('Without the tax of added fees.'),
    taxes: TaxesByName,
    delivery_time_min: Type.Integer({ description: 'Minutes.' }),
    delivery_time_max: Type.Integer({ description: 'Minutes.' }),
    total_without_tips: cents('The sum of the above: what the store gets.'),
    expected_time_of_arrival: text("On the store's clock, such as `06:45 PM`."),
    scheduled: OrderSlotSchema,
  },
  named('FinalQuoteTotals', "The store's part of the money, and when the order comes."),
);

const AddedFeesSchema = Type.Object(
  {
    flat_fee_cents: cents('`added_fee_flat` of the request.'),
    percent_fee: Type.Number({ description: '`added_fee_percent` of the request.' }),
    is_fee_taxable: Type.Boolean(),
    total_fee_cents: cents('The fee.'),
    sales_tax_cents: cents('On marked prices and, where taxable, on the fee.'),
    taxes: TaxesByName,
  },
  named('AddedFees', 'What the client adds to the receipt.'),
);

const MiscFeeSchema = Type.Object({ fee_name: Type.String(), fee_amount: cents('') }, named('MiscFee', 'Another fee.'));

const FinalQuoteSchema = Type.Object(
  {
    store: text('The name of the store.'),
    store_address: text('In one line.'),
    store_id: text('A different store than requested where the order has moved to a substitute.'),
    quote_id: Type.String(),
    quote: FinalQuoteTotalsSchema,
    items: Type.Array(QuotedItemSchema),
    tip: cents('Zero for pickup.'),
    total_with_tip: cents('What the card is charged.'),
    added_fees: AddedFeesSchema,
    misc_fees: Type.Array(MiscFeeSchema),
  },
  named('FinalQuote', 'What the order costs, and why.'),
);

export const TRACKING_LINK = text(
  'Share it with the customer only: its `key`, which keys without the scope `order` do not get, lets them cancel, if the account allows that.',
);

export const CHECKOUT_URL = Type.Optional(
  text(
    'While unplaced, for keys with the scope `order`: a page on which the customer reviews, pays and places the order. Works until then, for at most 24 hours.',
  ),
);

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
    ...(order.request.includeFinalQuote ? { final_quote: presentFinalQuote(order.quote) } : {}),
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    ...checkoutMember(order, needs),
    is_sandbox: order.mode === 'sandbox',
  };
}

/** The Final quote of order creation (docs/orders.md#final-quote). */
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
      ...taxesMember(quote.taxes),
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
      ...taxesMember(addedFee.taxes),
    },
    misc_fees: quote.miscFees.map((fee) => ({ fee_name: fee.name, fee_amount: fee.amountCents })),
  };
}

/** The slot of a scheduled order; empty for an ASAP order. */
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
