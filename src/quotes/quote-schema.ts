import { Type } from 'typebox';

const Cents = Type.Integer();
const Percent = Type.Number();

const Slot = Type.Object({
  id: Type.String({ description: 'Sent as scheduled_id to order for this window.' }),
  minimum: Type.Integer({ description: 'Epoch seconds.' }),
  maximum: Type.Integer({ description: 'Epoch seconds.' }),
  delivery_fee: Type.Object({
    delivery_fee_flat: Cents,
    delivery_fee_percent: Percent,
    delivery_fee_taxable: Type.Boolean(),
  }),
});

const Threshold = Type.Object({ minimum_subtotal: Cents, delivery_fee_flat: Cents, delivery_fee_percent: Percent });

/** A quote for the API's description (interface, Quote): either all of it, or `error` alone. */
export const QuoteSchema = Type.Partial(
  Type.Object({
    time_estimate: Type.Object({
      minimum: Type.Integer({ description: 'Minutes from now.' }),
      maximum: Type.Integer({ description: 'Minutes from now.' }),
      scheduled: Type.Array(Slot),
    }),
    sales_tax_percent: Percent,
    order_minimum: Cents,
    delivery_fee: Type.Object({
      delivery_fee_flat: Cents,
      delivery_fee_percent: Percent,
      delivery_fee_taxable: Type.Boolean(),
      threshold_fees: Type.Array(Threshold, {
        description: 'The entry with the largest minimum_subtotal that is reached replaces the fee.',
      }),
    }),
    service_fee: Type.Object({
      service_fee_flat: Cents,
      service_fee_percent: Percent,
      service_fee_min: Cents,
      service_fee_max: Type.Optional(Cents),
      service_fee_taxable: Type.Boolean(),
    }),
    small_order_fee: Type.Object({
      minimum_order_value: Cents,
      small_order_fee_flat: Cents,
      small_order_fee_percent: Percent,
    }),
    asap_available: Type.Boolean(),
    address: Type.Object({
      street_num: Type.String(),
      street_name: Type.String(),
      city: Type.String(),
      zipcode: Type.String(),
      state: Type.String(),
      country: Type.String(),
    }),
    first_party_quote: Type.Boolean(),
    third_party_quote: Type.Boolean(),
    courier_quote: Type.Boolean(),
    error: Type.String({ description: 'Why there is no quote; then nothing else is there.' }),
  }),
);
