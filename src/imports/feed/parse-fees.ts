import type { DeliveryFee, Fees, ServiceFee, SmallOrderFee } from '../../stores/fees.ts';
import {
  type FeedObject,
  faultAt,
  given,
  MISSING,
  readCents,
  readFlag,
  readNumber,
  readObject,
  readObjects,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';

const PERCENT = { min: 0, max: FEED_LIMITS.percent };

/** The fees of a store. An absent fee is zero; an absent sales tax is the rate of the state or province. */
export function readFees(from: FeedObject): Fees {
  const fees = readObject(from, 'fees') ?? { ...from, fields: {} };
  const pickupServiceFee = readObject(fees, 'pickup_service_fee');
  return {
    deliveryFee: readDeliveryFee(within(fees, 'delivery_fee')),
    serviceFee: readServiceFee(within(fees, 'service_fee')),
    pickupServiceFee: pickupServiceFee ? readServiceFee(pickupServiceFee) : null,
    smallOrderFee: readSmallOrderFee(within(fees, 'small_order_fee')),
    orderMinimumCents: readCents(fees, 'order_minimum') ?? 0,
    salesTaxPercent: readNumber(fees, 'sales_tax_percent', PERCENT) ?? null,
  };
}

function within(from: FeedObject, key: string): FeedObject {
  return readObject(from, key) ?? { ...from, fields: {} };
}

export function readDeliveryFee(from: FeedObject): DeliveryFee {
  return {
    flatCents: readCents(from, 'delivery_fee_flat') ?? 0,
    percent: readNumber(from, 'delivery_fee_percent', PERCENT) ?? 0,
    taxable: readFlag(from, 'delivery_fee_taxable', false),
    thresholds: readObjects(from, 'threshold_fees', FEED_LIMITS.feeThresholds).map((threshold) => {
      if (given(threshold, 'minimum_subtotal') === undefined) faultAt(threshold, 'minimum_subtotal', MISSING);
      return {
        minimumSubtotalCents: readCents(threshold, 'minimum_subtotal') ?? 0,
        flatCents: readCents(threshold, 'delivery_fee_flat') ?? 0,
        percent: readNumber(threshold, 'delivery_fee_percent', PERCENT) ?? 0,
      };
    }),
  };
}

export function readServiceFee(from: FeedObject): ServiceFee {
  return {
    flatCents: readCents(from, 'service_fee_flat') ?? 0,
    percent: readNumber(from, 'service_fee_percent', PERCENT) ?? 0,
    minCents: readCents(from, 'service_fee_min') ?? 0,
    maxCents: readCents(from, 'service_fee_max') ?? null,
    taxable: readFlag(from, 'service_fee_taxable', false),
  };
}

export function readSmallOrderFee(from: FeedObject): SmallOrderFee {
  return {
    minimumOrderCents: readCents(from, 'minimum_order_value') ?? 0,
    flatCents: readCents(from, 'small_order_fee_flat') ?? 0,
    percent: readNumber(from, 'small_order_fee_percent', PERCENT) ?? 0,
  };
}
