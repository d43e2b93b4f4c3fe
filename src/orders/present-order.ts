import type { Static } from 'typebox';
import { type TrackingSite, trackingLinkOf } from '../accounts/tracking-site.ts';
import { epochSeconds } from '../lib/time.ts';
import { fulfilledItems } from './adjustments/item-adjustment.ts';
import { adjustedCents } from './adjustments/reprice-order.ts';
import type { FrozenQuote, Order, RequestedItem, Substitution } from './order.ts';
import { presentCustomer } from './order-body.ts';
import type { OrderQuoteSchema, OrderSchema, TrackingSchema } from './order-schema.ts';
import { arrivalOf, chosenOptions, placedAtOf, totalOf } from './order-view.ts';
import { presentSlot } from './placed-order.ts';
import { tipOf } from './tips/tip.ts';

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
    total_with_tip: totalOf(order),
    final_quote: presentOrderQuote(quote),
    scheduled: presentSlot(quote),
    eta_timestamp: epochSeconds(arrivalOf(order)),
    timestamp: epochSeconds(placedAtOf(order)),
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

type PresentedItem = Static<typeof OrderSchema>['items'][number];

/** The items of the Order element: as they were ordered, and as the store hands them over. */
export function presentItems(order: Pick<Order, 'request' | 'quote' | 'adjustments'>): PresentedItem[] {
  const handedOver = fulfilledItems(order);
  return order.request.items.map((item, index) => {
    const fulfilled = handedOver[index];
    const isReplaced = fulfilled !== undefined && fulfilled.replaces !== null;
    const options = chosenOptions(fulfilled?.customizations ?? []);
    const chosen = options.map(({ id, quantity }) => ({ option_id: id, quantity }));
    return {
      product_id: isReplaced ? fulfilled.productId : item.productId,
      quantity: item.quantity,
      ordered_quantity: item.quantity,
      fulfilled_quantity: fulfilled?.quantity ?? item.quantity,
      substituted_for: isReplaced ? item.productId : null,
      substitution: presentSubstitution(item.substitution),
      selected_options: inSequence(item, chosen),
      notes: item.notes,
    };
  });
}

function presentSubstitution(substitution: Substitution | undefined): PresentedItem['substitution'] {
  if (substitution?.preference !== 'specific') return { preference: substitution?.preference ?? 'refund' };
  return { preference: 'specific', product_ids: [...substitution.productIds] };
}

/** In the order of the request, then auto-filled options in the order of the menu. */
function inSequence({ selectedOptions }: RequestedItem, chosen: PresentedItem['selected_options']) {
  const asked = selectedOptions.map(({ optionId }) => optionId);
  const placeOf = (optionId: string) => (asked.includes(optionId) ? asked.indexOf(optionId) : asked.length);
  return chosen.toSorted((a, b) => placeOf(a.option_id) - placeOf(b.option_id));
}
