import { type Static, Type } from 'typebox';
import { bool, cents, integer, named, number, orNull, text } from '../../platform/http/api-components.ts';
import type { JsonPiece } from '../../platform/http/json-pieces.ts';
import type { DeliveryFee, ServiceFee, SmallOrderFee, Store } from '../stores/store.ts';
import { readStreet } from '../stores/street-address.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import type { ChargedTax } from './price-order.ts';
import { QUOTE_ERROR_MESSAGES, type Quote, type QuoteFailure } from './quote.ts';

/* The Quote element of the API: its schema, and its presentation. */

const percent = (description: string) => number(`${description} In percent.`);

const SlotSchema = Type.Object(
  {
    id: text('An opaque ID. Send it as `scheduled_id` to order for this slot.'),
    minimum: integer("The slot's start, in epoch seconds."),
    maximum: integer("The slot's end, in epoch seconds."),
    delivery_fee: Type.Object(
      {
        delivery_fee_flat: cents('Zero for pickup.'),
        delivery_fee_percent: percent('A percentage of the subtotal.'),
        delivery_fee_taxable: Type.Boolean(),
      },
      { description: 'The delivery fee for this slot.' },
    ),
  },
  named('Slot', 'A slot for a scheduled delivery or pickup.'),
);

const DeliveryFeeSchema = Type.Object(
  {
    delivery_fee_flat: cents('Zero for pickup.'),
    delivery_fee_percent: percent('A percentage of the subtotal, added to the amount.'),
    delivery_fee_taxable: Type.Boolean(),
    threshold_fees: Type.Array(
      Type.Object({
        minimum_subtotal: cents('Applies from this subtotal.'),
        delivery_fee_flat: cents('Instead.'),
        delivery_fee_percent: percent('Instead.'),
      }),
      { description: 'The entry with the largest `minimum_subtotal` that the order reaches replaces the fee.' },
    ),
  },
  named('DeliveryFee', 'The delivery fee.'),
);

const ServiceFeeSchema = Type.Object(
  {
    service_fee_flat: cents('Zero for pickup in most stores.'),
    service_fee_percent: percent('A percentage of the subtotal, added to the amount.'),
    service_fee_min: cents('The minimum fee.'),
    service_fee_max: Type.Optional(cents('The maximum fee. Absent if there is none.')),
    service_fee_taxable: Type.Boolean(),
  },
  named('ServiceFee', 'The service fee.'),
);

const SmallOrderFeeSchema = Type.Object(
  {
    minimum_order_value: cents('Subtotals below this amount pay the fee.'),
    small_order_fee_flat: cents('Added once.'),
    small_order_fee_percent: percent('A percentage of the subtotal, added to the amount.'),
  },
  named('SmallOrderFee', 'The small-order fee.'),
);

const TaxRateSchema = Type.Object(
  {
    name: text("The tax's name, such as `QST`."),
    percent: percent('A percentage of the taxable amount. Each tax is rounded once.'),
    classes: Type.Optional(
      Type.Array(Type.Enum([...TAX_CLASSES]), {
        description: 'The tax categories that it applies to. Absent if it applies to every category except `exempt`.',
      }),
    ),
  },
  named('TaxRate', 'A tax rate at the store. Rates with the same name form one tax.'),
);

const TaxSchema = Type.Object(
  { name: text("The tax's name, such as `QST`."), amount: cents('Rounded once.') },
  named('Tax', 'A tax on an order.'),
);

/** Alongside `sales_tax_cents`. */
export const TaxesByName = Type.Array(TaxSchema, { description: 'The taxes that add up to `sales_tax_cents`.' });

export const presentTaxes = (taxes: readonly ChargedTax[]): Static<typeof TaxesByName> =>
  taxes.map(({ name, cents: amount }) => ({ name, amount }));

const AddressSchema = Type.Object(
  {
    street_num: Type.String(),
    street_name: Type.String(),
    city: Type.String(),
    zipcode: Type.String(),
    state: Type.String(),
    country: Type.String(),
  },
  named('QuoteAddress', "The store's address."),
);

const TimeEstimateSchema = Type.Object(
  {
    minimum: integer('Minutes from now, for an order for as soon as possible.'),
    maximum: integer('Minutes from now.'),
    scheduled: Type.Array(SlotSchema, { description: 'The slots available for this fulfillment type.' }),
  },
  named('TimeEstimate', 'The estimated times of arrival or pickup.'),
);

export const WholeQuoteSchema = Type.Object(
  {
    time_estimate: TimeEstimateSchema,
    sales_tax_percent: percent("The combined rate of all taxes on the store's default tax category."),
    taxes: Type.Array(TaxRateSchema, { description: "The store's tax rates, each for its own tax categories." }),
    order_minimum: cents("The store's minimum subtotal."),
    delivery_fee: DeliveryFeeSchema,
    service_fee: ServiceFeeSchema,
    small_order_fee: SmallOrderFeeSchema,
    asap_available: bool(
      'Whether the store takes orders for as soon as possible. If not, order for a slot from `scheduled`.',
    ),
    address: AddressSchema,
    first_party_quote: bool('Delivered by the store itself. Exactly one of the three is true.'),
    third_party_quote: bool('Delivered by a marketplace.'),
    courier_quote: bool('Delivered by a courier.'),
  },
  named('FullQuote', "The store's current prices, times and conditions for an order."),
);

const QuoteErrorSchema = Type.Object(
  { error: Type.Enum(Object.values(QUOTE_ERROR_MESSAGES), { description: 'The reason there is no quote.' }) },
  named('QuoteError', 'The store currently takes no orders of this kind.'),
);

/** The type of a quote error, and when the mode can be ordered next. */
export const QuoteFailureSchema = Type.Object(
  {
    code: Type.Enum(Object.keys(QUOTE_ERROR_MESSAGES), { description: "The error's type." }),
    available_at: orNull(
      Type.Integer(),
      'When this fulfillment type is next available, in epoch seconds: once the store opens, a pause ends or a slot is offered. Null if unknown.',
    ),
  },
  named('QuoteFailure', 'The reason there is no quote, and until when. Present if `quote` contains only `error`.'),
);

/** A quote's schema: the whole quote, or only `error`. */
export const QuoteSchema = Type.Union(
  [WholeQuoteSchema, QuoteErrorSchema],
  named('Quote', 'The price and times of an order, or only an `error` that says why there is no quote.'),
);

/** The offered slots as a JSON array, each with the fee. */
type QuoteSlots = { jsonWith(fee: DeliveryFee): JsonPiece };

/** The Quote element as JSON (docs/quotes.md#quote-element). A quote error has `error` as its only member. */
export function presentQuote(quote: Quote | QuoteFailure, store: Store, slots: QuoteSlots): JsonPiece[] {
  if ('error' in quote) {
    return [JSON.stringify({ error: QUOTE_ERROR_MESSAGES[quote.error] })];
  }
  const { minMinutes, maxMinutes } = quote.estimate;
  const rest: Omit<Static<typeof WholeQuoteSchema>, 'time_estimate'> = {
    sales_tax_percent: quote.salesTaxPercent,
    taxes: quote.fees.taxes.map(({ classes, ...tax }) => (classes ? { ...tax, classes: [...classes] } : tax)),
    order_minimum: quote.orderMinimumCents,
    delivery_fee: presentDeliveryFee(quote.deliveryFee),
    service_fee: presentServiceFee(quote.serviceFee),
    small_order_fee: presentSmallOrderFee(quote.smallOrderFee),
    asap_available: quote.asapAvailable,
    address: presentAddress(store),
    first_party_quote: quote.party === 'first',
    third_party_quote: quote.party === 'third',
    courier_quote: quote.party === 'courier',
  };
  const estimate = `{"time_estimate":{"minimum":${minMinutes},"maximum":${maxMinutes},"scheduled":`;
  return [estimate, slots.jsonWith(quote.deliveryFee), `},${JSON.stringify(rest).slice(1)}`];
}

function presentDeliveryFee({ flatCents, percent, taxable, thresholds }: DeliveryFee) {
  return {
    delivery_fee_flat: flatCents,
    delivery_fee_percent: percent,
    delivery_fee_taxable: taxable,
    threshold_fees: thresholds.map((threshold) => ({
      minimum_subtotal: threshold.minimumSubtotalCents,
      delivery_fee_flat: threshold.flatCents,
      delivery_fee_percent: threshold.percent,
    })),
  };
}

function presentServiceFee({ flatCents, percent, minCents, maxCents, taxable }: ServiceFee) {
  return {
    service_fee_flat: flatCents,
    service_fee_percent: percent,
    service_fee_min: minCents,
    ...(maxCents === null ? {} : { service_fee_max: maxCents }),
    service_fee_taxable: taxable,
  };
}

function presentSmallOrderFee({ minimumOrderCents, flatCents, percent }: SmallOrderFee) {
  return { minimum_order_value: minimumOrderCents, small_order_fee_flat: flatCents, small_order_fee_percent: percent };
}

function presentAddress({ address }: Store) {
  const { streetNum, streetName } = readStreet(address.streetAddr);
  return {
    street_num: streetNum,
    street_name: streetName,
    city: address.city,
    zipcode: address.zipcode,
    state: address.state,
    country: address.country,
  };
}
