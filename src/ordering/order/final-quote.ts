import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { cents, component, integer, number, reference, text } from '../../platform/http/api-components.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { presentTaxes, TaxesByName } from '../../supply/pricing/quote-schema.ts';
import { decimalOfMilli, WEIGHT_UNITS } from '../../supply/pricing/weight.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import type { FrozenQuote, Order, OrderedWeight, QuotedItem } from './order.ts';
import { tipOf } from './order-view.ts';
import {
  DISCOUNT_MEMBERS,
  ITEM_DISCOUNT_MEMBERS,
  ofStore,
  presentDiscounts,
  presentItemDiscount,
  presentStoreDiscounts,
  type QuotedFor,
  STORE_DISCOUNT_MEMBERS,
} from './shown-discounts.ts';
import { withWaivedTips } from './waived.ts';
import { holdCents, isWeighedOrder } from './weighed-order.ts';

/*
 * An order's frozen quote as it is shown: its store sees the store's part, the Order element adds the account's part,
 * and the response of order creation the items too.
 */

export const OrderSlotSchema = component(
  'OrderSlot',
  "A scheduled order's slot. Empty for an order for as soon as possible.",
  {
    id: Type.Optional(text('The `scheduled_id`.')),
    minimum: Type.Optional(integer("The slot's start, in epoch seconds.")),
    maximum: Type.Optional(integer("The slot's end, in epoch seconds.")),
  },
);

const QuotedOptionSchema = component('QuotedOption', 'A selected option.', {
  name: Type.String(),
  price: cents('The price of one, as charged in this order.'),
  quantity: Type.Integer(),
  default_qty: Type.Integer(),
  option_id: Type.String(),
  customizations: Type.Array(reference('QuotedCustomization'), {
    description: 'The options selected for this option.',
  }),
});

const QuotedCustomizationSchema = component('QuotedCustomization', 'A customization and the options selected for it.', {
  name: Type.String(),
  customization_id: Type.String(),
  selected_options: Type.Array(QuotedOptionSchema),
});

/** The tax class of an order's line in answers. */
export const TaxClassOfLine = Type.Enum([...TAX_CLASSES], { description: "The item's tax category." });

/** Fields of an item of goods by weight. */
export const WEIGHED_ITEM_MEMBERS = {
  sold_by: Type.Optional(Type.Literal('weight', { description: 'Present only for items sold by weight.' })),
  unit: Type.Optional(
    Type.Enum([...WEIGHT_UNITS], {
      description: "The unit of the item's quantities. Present only for items sold by weight.",
    }),
  ),
  price_per: Type.Optional(number('The number of units that the price is for. Present only for items sold by weight.')),
  pieces: Type.Optional(integer('The number of pieces ordered. Absent if a weight was ordered.')),
  max_quantity: Type.Optional(number('The maximum weight charged. Present only for items sold by weight.')),
};

const WeighedItem = Type.Object(WEIGHED_ITEM_MEMBERS);

/** Presents an ordered weight; nothing of goods by the piece. */
export function presentWeight(weight: OrderedWeight | undefined): Static<typeof WeighedItem> {
  if (!weight) return {};
  const { unit, per, max, pieces } = weight;
  const decimals = { price_per: decimalOfMilli(per), max_quantity: decimalOfMilli(max) };
  return { sold_by: 'weight', unit, ...decimals, ...present({ pieces }) };
}

/** The ordered quantity of an item: units, or a weight. */
export const orderedQuantity = ({ quantity, weight }: Pick<QuotedItem, 'quantity' | 'weight'>): number =>
  weight ? decimalOfMilli(weight.ordered) : quantity;

const QuotedItemSchema = component('QuotedItem', 'An item of an order, as quoted.', {
  name: Type.String(),
  base_price: cents('The price of one without options. For items sold by weight, the price of `price_per` units.'),
  quantity: number('A whole number, except for items sold by weight.'),
  image: text('An image URL, or empty if there is none.'),
  product_id: Type.String(),
  tax_class: TaxClassOfLine,
  ...WEIGHED_ITEM_MEMBERS,
  ...ITEM_DISCOUNT_MEMBERS,
  customizations: Type.Array(QuotedCustomizationSchema),
});

const FinalQuoteTotalsSchema = component(
  'FinalQuoteTotals',
  "The store's part of the total, and the order's estimated times.",
  {
    subtotal: cents('The sum of the items with their options.'),
    delivery_fee_cents: cents('Zero for pickup.'),
    service_fee_cents: cents(''),
    small_order_fee_cents: cents(''),
    sales_tax_cents: cents('The sales tax, without the tax on added fees.'),
    taxes: TaxesByName,
    delivery_time_min: integer('Minutes.'),
    delivery_time_max: integer('Minutes.'),
    time_min: integer('The same as `delivery_time_min`.'),
    time_max: integer('The same as `delivery_time_max`.'),
    total_without_tips: cents('The subtotal, the three fees and the tax, minus discounts.'),
    total: cents('The same as `total_without_tips`.'),
    expected_time_of_arrival: text(
      'The arrival time at the delivery address, or at the store for pickup, such as `06:45 PM`.',
    ),
    scheduled: OrderSlotSchema,
  },
);

const AddedFeesSchema = component('AddedFees', 'The fees that your account adds to the receipt.', {
  flat_fee_cents: cents("The request's `added_fee_flat`."),
  percent_fee: number("The request's `added_fee_percent`."),
  is_fee_taxable: Type.Boolean(),
  total_fee_cents: cents('The fee.'),
  sales_tax_cents: cents('The tax on the markup and, if the fee is taxable, on the fee.'),
  taxes: TaxesByName,
});

const MiscFeeSchema = component('MiscFee', 'Another fee.', { fee_name: Type.String(), fee_amount: cents('') });

const STORE_QUOTE_MEMBERS = {
  id: text('The same as `quote_id`.'),
  quote_id: Type.String(),
  store: text("The store's name."),
  store_id: text('Differs from the requested store if the order was moved to a substitute store.'),
  store_address: text('The address on one line.'),
  quote: FinalQuoteTotalsSchema,
};

/** `final_quote` of an order as its store sees it. */
export const StoreQuoteSchema = component(
  'StoreQuote',
  "The store's part of the total, and the order's estimated times.",
  { ...STORE_QUOTE_MEMBERS, ...STORE_DISCOUNT_MEMBERS },
);

const ORDER_QUOTE_MEMBERS = {
  ...STORE_QUOTE_MEMBERS,
  markup_cents: cents(
    'The amount that marked prices add to `quote.subtotal`, negative if they are lower. `total_with_tip` is the sum of `quote.subtotal`, this amount, the three fees and the tax in `quote`, `added_fees` with its tax, `misc_fees` and `tip`, minus `discount_cents`.',
  ),
  ...DISCOUNT_MEMBERS,
  added_fees: AddedFeesSchema,
  misc_fees: Type.Array(MiscFeeSchema),
  tip: cents('The full tip, including later additions. Zero for pickup.'),
  total_with_tip: cents('The total charge. For orders with items sold by weight, an estimate until they are weighed.'),
  at_most_cents: Type.Optional(
    cents('With goods by weight, as ordered: the most that is charged, which the card holds. Absent without any.'),
  ),
  is_taken_now: Type.Optional(
    Type.Literal(true, {
      description:
        'Present only if no card can be authorized for `at_most_cents`. Placing the order then captures that amount, and any difference after weighing is refunded.',
    }),
  ),
};

/** `final_quote` of the Order element. */
export const OrderQuoteSchema = component(
  'OrderQuote',
  "The breakdown of the order's total, as ordered.",
  ORDER_QUOTE_MEMBERS,
);

/** `final_quote` of the response of order creation. */
export const FinalQuoteSchema = component('FinalQuote', "The breakdown of the order's total.", {
  ...ORDER_QUOTE_MEMBERS,
  items: Type.Array(QuotedItemSchema),
});

type Quoted = QuotedFor & Pick<Order, 'addedTipCents' | 'waivedTipCents'>;

/** Presents a frozen quote to its store: at list prices, less the store's own discounts. */
export function presentStoreQuote(order: QuotedFor): Static<typeof StoreQuoteSchema> {
  const { subtotalCents, totalWithoutTipsCents } = ofStore(order.quote);
  const quote = { ...order.quote, subtotalCents, totalWithoutTipsCents };
  return { ...presentStorePart(quote), ...presentStoreDiscounts(order) };
}

const StorePart = Type.Object(STORE_QUOTE_MEMBERS);

/** Presents the store's part of a frozen quote; the tax excludes tax on added fees. */
function presentStorePart(quote: FrozenQuote): Static<typeof StorePart> {
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

/** Presents a frozen quote with the account's part and the tip, later tips included; it adds up to the charge. */
export function presentOrderQuote(order: Quoted): Static<typeof OrderQuoteSchema> {
  const quote = withWaivedTips(order);
  const { addedFee } = quote;
  return {
    ...presentStorePart(quote),
    markup_cents: quote.markupCents,
    ...presentDiscounts({ ...order, quote }),
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
    total_with_tip: quote.totalWithTipCents + order.addedTipCents,
  };
}

/** Presents the quote of an order as it was ordered, with the most that goods by weight may come to. */
export const presentAgreedQuote = (order: Quoted): Static<typeof OrderQuoteSchema> => ({
  ...presentOrderQuote(order),
  ...(isWeighedOrder(order.quote) ? { at_most_cents: holdCents(order.quote) + order.addedTipCents } : {}),
  ...(order.quote.isTakenNow && { is_taken_now: true as const }),
});

/** Presents the Final quote of order creation (docs/orders.md#final-quote). */
export function presentFinalQuote(order: Quoted): Static<typeof FinalQuoteSchema> {
  return {
    ...presentAgreedQuote(order),
    items: order.quote.items.map((item, at) => presentItem(item, order.quote, at)),
  };
}

/** Presents the slot of a scheduled order; empty for an ASAP order. */
export function presentSlot({ scheduled }: FrozenQuote): Static<typeof OrderSlotSchema> {
  return scheduled ? { id: scheduled.id, minimum: scheduled.startEpochS, maximum: scheduled.endEpochS } : {};
}

function presentItem(item: QuotedItem, quote: FrozenQuote, at: number): Static<typeof QuotedItemSchema> {
  return {
    name: item.name,
    base_price: item.basePriceCents,
    quantity: orderedQuantity(item),
    image: item.image ?? '',
    product_id: item.productId,
    tax_class: item.taxClass,
    ...presentWeight(item.weight),
    ...presentItemDiscount(quote, at),
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
