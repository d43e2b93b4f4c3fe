import type { Static } from 'typebox';
import type { JsonPiece } from '../http/json-pieces.ts';
import type { DeliveryFee, ServiceFee, SmallOrderFee } from '../stores/fees.ts';
import type { Store } from '../stores/store.ts';
import type { Quote, QuoteFailure } from './quote.ts';
import { QUOTE_ERROR_MESSAGES } from './quote-error.ts';
import type { WholeQuoteSchema } from './quote-schema.ts';
import { splitStreet } from './street.ts';

/** The Quote element as JSON (docs/behaviour.md#quote-element); a quote error stands alone in it. */
export function presentQuote(quote: Quote | QuoteFailure, store: Store, slots: { json: JsonPiece }): JsonPiece[] {
  if ('error' in quote) {
    return [JSON.stringify({ error: QUOTE_ERROR_MESSAGES[quote.error] })];
  }
  const { minMinutes, maxMinutes } = quote.estimate;
  const rest: Omit<Static<typeof WholeQuoteSchema>, 'time_estimate'> = {
    sales_tax_percent: quote.salesTaxPercent,
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
  return [estimate, slots.json, `},${JSON.stringify(rest).slice(1)}`];
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
  const { streetNum, streetName } = splitStreet(address.streetAddr);
  return {
    street_num: streetNum,
    street_name: streetName,
    city: address.city,
    zipcode: address.zipcode,
    state: address.state,
    country: address.country,
  };
}
