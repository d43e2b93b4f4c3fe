import type { Static } from 'typebox';
import type { TrackingSite } from '../accounts/tracking-site.ts';
import { epochSeconds } from '../lib/time.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import { presentItems } from './adjustments/present-items.ts';
import { adjustedCents } from './adjustments/reprice-order.ts';
import type { FrozenQuote, Order, QuotedItem } from './order.ts';
import type {
  FinalQuoteSchema,
  OrderQuoteSchema,
  OrderSchema,
  OrderSlotSchema,
  QuotedCustomizationSchema,
  QuotedItemSchema,
  TrackingSchema,
} from './order-schema.ts';
import { tipOf } from './tips/tip-raise.ts';
import { trackingLinkOf } from './tracking-link.ts';

/** The Order element of GET /account/orders (docs/behaviour.md#order-element). */
export function presentOrder(order: Order, site: TrackingSite): Static<typeof OrderSchema> {
  const { request, quote } = order;
  const { customer } = request;
  return {
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    items: presentItems(order),
    pickup: request.mode === 'pickup',
    driver_tip_cents: tipOf(order),
    ...presentCustomer(customer, quote.store.timeZone),
    tracking_link: trackingLinkOf(site, order.orderId),
    total_with_tip: quote.totalWithTipCents + order.addedTipCents,
    final_quote: presentOrderQuote(quote),
    scheduled: presentSlot(quote),
    eta_timestamp: order.eta ? epochSeconds(order.eta) : quote.etaEpochS,
    timestamp: epochSeconds(order.placedAt ?? order.createdAt),
    tracking: presentTracking(order),
    status: order.status,
    favorited: request.favorited,
    is_ready: order.isReady,
    customer_order_id: request.customerOrderId,
    realtime_tracking_available: request.mode === 'delivery',
    quote_preference: request.quotePreference,
    ...(quote.party === undefined ? {} : { delivery_party: quote.party }),
    profit: quote.profitCents,
    refunded_amount: order.refundedCents,
    adjusted_amount: adjustedCents(order),
    ...(order.cancelReason ? { cancel_reason: order.cancelReason } : {}),
    is_sandbox: order.mode === 'sandbox',
    metadata: request.metadata,
  };
}

/**
 * The customer by the names of the order's body; members that the client did not send are absent or ''. Without a zone of
 * the customer the store's zone is shown, because the store is near.
 */
export function presentCustomer(customer: Order['request']['customer'], storeTimeZone: string) {
  return {
    ...(customer.latitude === null ? {} : { user_latitude: customer.latitude }),
    ...(customer.longitude === null ? {} : { user_longitude: customer.longitude }),
    user_street_num: customer.streetNum,
    user_street_name: customer.streetName,
    user_apt_num: customer.aptNum,
    user_city: customer.city,
    user_state: customer.state,
    user_zipcode: customer.zipcode,
    user_country: customer.country,
    user_time_zone: customer.timeZone || storeTimeZone,
    user_dropoff_notes: customer.dropoffNotes,
    user_pickup_notes: customer.pickupNotes,
    user_name: customer.name,
    user_email: customer.email,
    user_id: customer.userId,
    ...(customer.phone === null ? {} : { user_phone: customer.phone }),
  };
}

/** The store's part of the amounts: `total` is total_without_tips, and the tax is without the tax of added fees. */
function presentOrderQuote(quote: FrozenQuote): Static<typeof OrderQuoteSchema> {
  return {
    id: quote.quoteId,
    store: quote.store.name,
    store_id: quote.store.storeId,
    store_address: quote.store.address,
    quote: {
      delivery_fee_cents: quote.deliveryFeeCents,
      time_max: quote.minutes.maximum,
      time_min: quote.minutes.minimum,
      expected_time_of_arrival: quote.expectedTimeOfArrival,
      sales_tax_cents: quote.salesTaxCents,
      service_fee_cents: quote.serviceFeeCents,
      small_order_fee_cents: quote.smallOrderFeeCents,
      subtotal: quote.subtotalCents,
      total: quote.totalWithoutTipsCents,
    },
  };
}

type PresentedTracking = Static<typeof TrackingSchema>;

/** The members that have a value. The type requires every member, so that no member is forgotten. */
function known<Members extends object>(
  members: { [Key in keyof Members]-?: Members[Key] | undefined },
): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
}

/** A key appears once its value is known; empty for pickup (docs/behaviour.md#order-element). */
function presentTracking(order: Order): PresentedTracking {
  if (order.request.mode === 'pickup') return {};
  const { driver, completedAt } = order;
  return known<PresentedTracking>({
    driver_latitude: driver.latitude,
    driver_longitude: driver.longitude,
    course: driver.course,
    last_update_timestamp: driver.updatedEpochS,
    completion_timestamp: completedAt ? epochSeconds(completedAt) : undefined,
    vehicle_type: driver.vehicleType,
    driver_name: driver.name,
    driver_phone: driver.phone,
    driver_photo_url: driver.photoUrl,
    driver_rating: driver.rating,
  });
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
function presentSlot({ scheduled }: FrozenQuote): Static<typeof OrderSlotSchema> {
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
