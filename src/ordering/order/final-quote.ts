import { type Static, Type } from 'typebox';
import { named, reference } from '../../platform/http/api-components.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { presentTaxes, TaxesByName } from '../../supply/pricing/quote-schema.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import type { FrozenQuote, Order, QuotedItem } from './order.ts';
import { orderTotalCents, tipOf } from './order-view.ts';

/*
 * An order's frozen quote as it is shown: its store sees the store's part, the Order element has the account's part
 * beside it, and the answer of order creation the items too.
 */

export const cents = (description: string) => Type.Integer({ description: `Cents. ${description}` });
export const text = (description: string) => Type.String({ description });

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

/** The tax class of an order's line in answers. */
export const TaxClassOfLine = Type.Enum([...TAX_CLASSES], { description: 'What it is for taxes.' });

const QuotedItemSchema = Type.Object(
  {
    name: Type.String(),
    base_price: cents('For one, without options.'),
    quantity: Type.Integer(),
    image: text('A URL; empty where there is none.'),
    product_id: Type.String(),
    tax_class: TaxClassOfLine,
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
    time_min: Type.Integer({ description: 'The same as `delivery_time_min`.' }),
    time_max: Type.Integer({ description: 'The same as `delivery_time_max`.' }),
    total_without_tips: cents('The subtotal, the three fees and the tax: what the store gets.'),
    total: cents('The same as `total_without_tips`.'),
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

const STORE_QUOTE_MEMBERS = {
  id: text('The same as `quote_id`.'),
  quote_id: Type.String(),
  store: text('The name of the store.'),
  store_id: text('A different store than requested where the order has moved to a substitute.'),
  store_address: text('In one line.'),
  quote: FinalQuoteTotalsSchema,
};

/** `final_quote` of an order as its store sees it. */
export const StoreQuoteSchema = Type.Object(
  STORE_QUOTE_MEMBERS,
  named('StoreQuote', "The store's part of the money, and when the order comes."),
);

const ORDER_QUOTE_MEMBERS = {
  ...STORE_QUOTE_MEMBERS,
  markup_cents: cents(
    'What marked prices add to `quote.subtotal`; below zero where they are lower. `quote.subtotal`, this, the three fees and the tax of `quote`, `added_fees` with its tax, `misc_fees` and `tip` add up to `total_with_tip`.',
  ),
  added_fees: AddedFeesSchema,
  misc_fees: Type.Array(MiscFeeSchema),
  tip: cents('The whole tip, also what was added later. Zero for pickup.'),
  total_with_tip: cents('All that is charged.'),
};

/** `final_quote` of the Order element. */
export const OrderQuoteSchema = Type.Object(
  ORDER_QUOTE_MEMBERS,
  named('OrderQuote', 'What the order costs, and why, as it was ordered.'),
);

/** `final_quote` of the answer of order creation. */
export const FinalQuoteSchema = Type.Object(
  { ...ORDER_QUOTE_MEMBERS, items: Type.Array(QuotedItemSchema) },
  named('FinalQuote', 'What the order costs, and why.'),
);

type Quoted = Pick<Order, 'quote' | 'addedTipCents'>;

/** Presents the store's part of a frozen quote; the tax excludes tax on added fees. */
export function presentStoreQuote(quote: FrozenQuote): Static<typeof StoreQuoteSchema> {
  const { minutes } = quote;
  return {
    id: quote.quoteId,
    quote_id: quote.quoteId,
    store: quote.store.name,
    store_id: quote.store.storeId,
    store_address: quote.store.address,
    quote: {
      subtotal: quote.subtotalCents,
      delivery_fee_cents: quote.deliveryFeeCents,
      service_fee_cents: quote.serviceFeeCents,
      small_order_fee_cents: quote.smallOrderFeeCents,
      sales_tax_cents: quote.salesTaxCents,
      taxes: presentTaxes(quote.taxes),
      delivery_time_min: minutes.minimum,
      delivery_time_max: minutes.maximum,
      time_min: minutes.minimum,
      time_max: minutes.maximum,
      total_without_tips: quote.totalWithoutTipsCents,
      total: quote.totalWithoutTipsCents,
      expected_time_of_arrival: quote.expectedTimeOfArrival,
      scheduled: presentSlot(quote),
    },
  };
}

/** Presents a frozen quote with the account's part and the tip, later tips included; it adds up to what is charged. */
export function presentOrderQuote(order: Quoted): Static<typeof OrderQuoteSchema> {
  const { quote } = order;
  const { addedFee } = quote;
  return {
    ...presentStoreQuote(quote),
    markup_cents: quote.markupCents,
    added_fees: {
      flat_fee_cents: addedFee.flatCents,
      percent_fee: addedFee.percent,
      is_fee_taxable: addedFee.taxable,
      total_fee_cents: addedFee.totalCents,
      sales_tax_cents: addedFee.salesTaxCents,
      taxes: presentTaxes(addedFee.taxes),
    },
    misc_fees: quote.miscFees.map((fee) => ({ fee_name: fee.name, fee_amount: fee.amountCents })),
    tip: tipOf(order),
    total_with_tip: orderTotalCents(order),
  };
}

/** Presents the Final quote of order creation (docs/orders.md#final-quote). */
export function presentFinalQuote(order: Quoted): Static<typeof FinalQuoteSchema> {
  return { ...presentOrderQuote(order), items: order.quote.items.map(presentItem) };
}

/** Presents the slot of a scheduled order; empty for an ASAP order. */
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
    tax_class: item.taxClass,
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
