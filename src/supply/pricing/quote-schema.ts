import { type Static, Type } from 'typebox';
import { named, orNull } from '../../platform/http/api-components.ts';
import type { JsonPiece } from '../../platform/http/json-pieces.ts';
import type { DeliveryFee, ServiceFee, SmallOrderFee, Store } from '../stores/store.ts';
import { readStreet } from '../stores/street-address.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import type { ChargedTax } from './price-order.ts';
import { QUOTE_ERROR_MESSAGES, type Quote, type QuoteFailure } from './quote.ts';

/* The Quote element of the API: its schema, and its presentation. */

const cents = (description: string) => Type.Integer({ description: `Cents. ${description}` });
const percent = (description: string) => Type.Number({ description: `Percent. ${description}` });
const text = (description: string) => Type.String({ description });

const SlotSchema = Type.Object(
  {
    id: Type.String({ description: 'Opaque. Sent as `scheduled_id` to order for this slot.' }),
    minimum: Type.Integer({ description: 'When the slot begins, in epoch seconds.' }),
    maximum: Type.Integer({ description: 'When it ends, in epoch seconds.' }),
    delivery_fee: Type.Object(
      {
        delivery_fee_flat: cents('Zero for pickup.'),
        delivery_fee_percent: percent('Of the subtotal.'),
        delivery_fee_taxable: Type.Boolean(),
      },
      { description: 'What delivery in this slot costs.' },
    ),
  },
  named('Slot', 'A delivery or pickup slot that an order can be scheduled for.'),
);

const DeliveryFeeSchema = Type.Object(
  {
    delivery_fee_flat: cents('Zero for pickup.'),
    delivery_fee_percent: percent('Of the subtotal, on top.'),
    delivery_fee_taxable: Type.Boolean(),
    threshold_fees: Type.Array(
      Type.Object({
        minimum_subtotal: cents('From this subtotal on.'),
        delivery_fee_flat: cents('Instead.'),
        delivery_fee_percent: percent('Instead.'),
      }),
      { description: 'The entry with the largest `minimum_subtotal` that is reached replaces the fee.' },
    ),
  },
  named('DeliveryFee', 'What delivery costs.'),
);

const ServiceFeeSchema = Type.Object(
  {
    service_fee_flat: cents('Zero for pickup in most stores.'),
    service_fee_percent: percent('Of the subtotal, on top.'),
    service_fee_min: cents('It is not less.'),
    service_fee_max: Type.Optional(cents('It is not more; absent where there is no bound.')),
    service_fee_taxable: Type.Boolean(),
  },
  named('ServiceFee', 'What the service costs.'),
);

const SmallOrderFeeSchema = Type.Object(
  {
    minimum_order_value: cents('A subtotal under it pays the fee.'),
    small_order_fee_flat: cents('Added once.'),
    small_order_fee_percent: percent('Of the subtotal, on top.'),
  },
  named('SmallOrderFee', 'What a small order pays.'),
);

const TaxRateSchema = Type.Object(
  {
    name: text('Such as `QST`.'),
    percent: percent('Of what is taxable; a tax is rounded once.'),
    classes: Type.Optional(
      Type.Array(Type.Enum([...TAX_CLASSES]), { description: 'What it is on; absent: every class but `exempt`.' }),
    ),
  },
  named('TaxRate', 'A rate of a tax of the store. Rates of one name are one tax.'),
);

const TaxSchema = Type.Object(
  { name: text('Such as `QST`.'), amount: cents('Rounded once.') },
  named('Tax', 'One of the taxes of an order.'),
);

/** Beside `sales_tax_cents`. */
export const TaxesByName = Type.Array(TaxSchema, { description: 'The taxes that `sales_tax_cents` is the sum of.' });

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
  named('QuoteAddress', 'Where the store is.'),
);

const TimeEstimateSchema = Type.Object(
  {
    minimum: Type.Integer({ description: 'Minutes from now, for an order as soon as possible.' }),
    maximum: Type.Integer({ description: 'Minutes from now.' }),
    scheduled: Type.Array(SlotSchema, { description: 'The slots that can be ordered for in this mode.' }),
  },
  named('TimeEstimate', 'When an order would come, or be ready.'),
);

export const WholeQuoteSchema = Type.Object(
  {
    time_estimate: TimeEstimateSchema,
    sales_tax_percent: percent("All taxes on the store's default class together."),
    taxes: Type.Array(TaxRateSchema, { description: 'The rates of the taxes of the store, each on its own classes.' }),
    order_minimum: cents('The least subtotal that the store takes.'),
    delivery_fee: DeliveryFeeSchema,
    service_fee: ServiceFeeSchema,
    small_order_fee: SmallOrderFeeSchema,
    asap_available: Type.Boolean({
      description: 'Whether it takes orders as soon as possible; where not, those for a slot of `scheduled`.',
    }),
    address: AddressSchema,
    first_party_quote: Type.Boolean({ description: 'By the store itself. Exactly one of the three is true.' }),
    third_party_quote: Type.Boolean({ description: 'By a marketplace.' }),
    courier_quote: Type.Boolean({ description: 'By a courier.' }),
  },
  named('FullQuote', 'The terms on which the store takes an order now.'),
);

const QuoteErrorSchema = Type.Object(
  { error: Type.Enum(Object.values(QUOTE_ERROR_MESSAGES), { description: 'Why there is no quote.' }) },
  named('QuoteError', 'The store takes no order of this kind now.'),
);

/** The type of a quote error, and when the mode can be ordered next. */
export const QuoteFailureSchema = Type.Object(
  {
    code: Type.Enum(Object.keys(QUOTE_ERROR_MESSAGES), { description: 'The type of the error.' }),
    available_at: orNull(
      Type.Integer(),
      'When the mode can be ordered next, in epoch seconds: once the store opens or a pause ends, or a slot is offered. Null if unknown.',
    ),
  },
  named('QuoteFailure', 'Beside a `quote` that holds only `error`: why there is none, and until when.'),
);

/** A quote's schema: the whole quote, or only `error`. */
export const QuoteSchema = Type.Union(
  [WholeQuoteSchema, QuoteErrorSchema],
  named('Quote', 'What an order would cost and when it would come; or, alone, why there is none.'),
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
