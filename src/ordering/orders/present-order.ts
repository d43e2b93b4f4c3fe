import { type Static, Type } from 'typebox';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { named } from '../../platform/http/api-components.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { QUOTE_PREFERENCES } from '../../supply/pricing/quote.ts';
import { TaxesByName, taxesMember } from '../../supply/pricing/quote-schema.ts';
import { fulfilledItems } from './adjustments/item-adjustment.ts';
import { adjustedCents } from './adjustments/reprice-order.ts';
import { type FrozenQuote, ORDER_STATUSES, type Order, type RequestedItem, type Substitution } from './order.ts';
import { presentRecipient } from './order-body.ts';
import { arrivalOf, chosenOptions, orderTotalCents, placedAtOf } from './order-view.ts';
import { CHECKOUT_URL, cents, OrderSlotSchema, orderNumber, presentSlot, TRACKING_LINK, text } from './placed-order.ts';
import { tipOf } from './tips/tip.ts';

/* The Order element: its schema, and its presentation. */

const OrderItemSchema = Type.Object(
  {
    product_id: text('Of the substitute, where the store hands one over.'),
    quantity: Type.Integer({ description: 'As ordered.' }),
    ordered_quantity: Type.Integer({ description: 'The same as `quantity`.' }),
    fulfilled_quantity: Type.Integer({
      description: 'The units that the store hands over: fewer than were ordered, or 0, where it lacks the item.',
    }),
    substituted_for: Type.Union([Type.String(), Type.Null()], {
      description: 'The `product_id` that was ordered, where a substitute is handed over; else null.',
    }),
    substitution: Type.Object(
      {
        preference: Type.Enum(['store_choice', 'specific', 'refund']),
        product_ids: Type.Optional(Type.Array(Type.String())),
      },
      { description: 'What the customer wants where the store lacks the item.' },
    ),
    selected_options: Type.Array(Type.Object({ option_id: Type.String(), quantity: Type.Integer() }), {
      description:
        'Every option that was ordered, including those that `autofill_selected_options` chose. Of a substitute, the options that its menu requires.',
    }),
    notes: Type.String(),
  },
  named('OrderItem', 'An item as it was ordered, and as the store hands it over.'),
);

const OrderQuoteSchema = Type.Object(
  {
    id: text('The `quote_id`.'),
    store: text('The name of the store.'),
    store_id: Type.String(),
    store_address: text('In one line.'),
    quote: Type.Object({
      delivery_fee_cents: cents('Zero for pickup.'),
      time_max: Type.Integer({ description: 'Minutes.' }),
      time_min: Type.Integer({ description: 'Minutes.' }),
      expected_time_of_arrival: text("On the store's clock, such as `06:45 PM`."),
      sales_tax_cents: cents('Without the tax of added fees.'),
      taxes: TaxesByName,
      service_fee_cents: cents(''),
      small_order_fee_cents: cents(''),
      subtotal: cents('The items with their options.'),
      total: cents('The `total_without_tips` of the final quote.'),
    }),
  },
  named('OrderQuote', "The store's part of the money."),
);

const TrackingSchema = Type.Partial(
  Type.Object({
    driver_latitude: Type.Number(),
    driver_longitude: Type.Number(),
    course: Type.Number({ description: 'Degrees from north.' }),
    last_update_timestamp: Type.Integer({ description: 'Epoch seconds of the position.' }),
    completion_timestamp: Type.Integer({ description: 'Epoch seconds of the delivery.' }),
    vehicle_type: text('Such as `car`.'),
    driver_name: Type.String(),
    driver_phone: Type.Integer({ description: 'Digits only, country code first.' }),
    driver_photo_url: Type.String(),
    driver_rating: Type.Number(),
  }),
  named('Tracking', 'The driver: a member is there once its value is known; empty for pickup.'),
);

/** Members of both the Order element and the element that its store sees (present-store-order.ts). */
export const SHARED_ORDER_MEMBERS = {
  order_id: Type.String(),
  order_number: orderNumber,
  items: Type.Array(OrderItemSchema),
  pickup: Type.Boolean(),
  driver_tip_cents: cents('The whole tip, also what was added later. Zero for pickup.'),
  user_latitude: Type.Optional(Type.Number({ description: 'Absent where it was not given, such as for pickup.' })),
  user_longitude: Type.Optional(Type.Number({ description: 'Absent where it was not given, such as for pickup.' })),
  user_street_num: Type.String(),
  user_street_name: Type.String(),
  user_apt_num: Type.String(),
  user_city: Type.String(),
  user_state: Type.String(),
  user_zipcode: Type.String(),
  user_country: Type.String(),
  user_time_zone: text('That of the store where it was not given.'),
  user_language: Type.Optional(
    Type.Enum([...LANGUAGES], {
      description: "Of the customer's pages and messages; absent where it is the account's.",
    }),
  ),
  user_dropoff_notes: Type.String(),
  user_pickup_notes: Type.String(),
  user_name: Type.String(),
  user_phone: Type.Optional(Type.Integer({ description: 'Absent where it was not given.' })),
  final_quote: OrderQuoteSchema,
  scheduled: OrderSlotSchema,
  eta_timestamp: Type.Integer({ description: 'When it is expected, in epoch seconds.' }),
  timestamp: Type.Integer({ description: 'When it was placed (or created, while unplaced), in epoch seconds.' }),
  tracking: TrackingSchema,
  status: Type.Enum([...ORDER_STATUSES], {
    description:
      '`unplaced`: only quoted. `awaiting_confirmation`: placed; the store has not confirmed it yet. `in_progress`: confirmed; being prepared, or the driver is under way. `completed`: delivered or picked up. `canceled`: refunded in full.',
  }),
  favorited: Type.Boolean(),
  is_ready: Type.Boolean({ description: 'Whether the store has told that it is ready.' }),
  realtime_tracking_available: Type.Boolean({ description: 'True for deliveries.' }),
  quote_preference: Type.Enum([...QUOTE_PREFERENCES], { description: 'Of the request.' }),
  delivery_party: Type.Optional(
    Type.Enum(['first', 'third', 'courier'], {
      description: 'Who delivers: the store, a marketplace or a courier. Absent for pickup.',
    }),
  ),
  cancel_reason: Type.Optional(text('Why it was canceled; absent where it was not, or nobody has said.')),
  is_sandbox: Type.Boolean({ description: 'Whether it was made with a sandbox key.' }),
};

/** The Order element (docs/orders.md#order-element) in order retrieval and in the sandbox's steps. */
export const OrderSchema = Type.Object(
  {
    ...SHARED_ORDER_MEMBERS,
    user_email: Type.String(),
    user_id: text('Your own id of the user.'),
    tracking_link: TRACKING_LINK,
    checkout_url: CHECKOUT_URL,
    total_with_tip: cents('All that is charged: the total of the quote, and what was added to the tip later.'),
    customer_order_id: text('Of the request; may be empty.'),
    profit: cents('Marked prices and the added fee: what is left for the client.'),
    refunded_amount: cents('Given back to the card.'),
    adjusted_amount: cents(
      'What missing items and substitutes have taken off `total_with_tip`; it is part of `refunded_amount` where the card was charged.',
    ),
    metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'Of the request, as it was.' }),
  },
  named('Order', 'An order as it stands.'),
);

/** The Order element of GET /account/orders (docs/orders.md#order-element). */
export function presentOrder(order: Order, site: TrackingSite): Static<typeof OrderSchema> {
  const { request, quote } = order;
  return {
    ...presentSharedMembers(order),
    user_email: request.customer.email,
    user_id: request.customer.userId,
    tracking_link: trackingLinkOf(site, order.orderId),
    total_with_tip: orderTotalCents(order),
    customer_order_id: request.customerOrderId,
    profit: quote.profitCents,
    refunded_amount: order.refundedCents,
    adjusted_amount: adjustedCents(order),
    metadata: request.metadata,
  };
}

const SharedMembers = Type.Object(SHARED_ORDER_MEMBERS);

/** Members that the account and the store see alike. */
export function presentSharedMembers(order: Order): Static<typeof SharedMembers> {
  const { request, quote } = order;
  return {
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    items: presentItems(order),
    pickup: request.mode === 'pickup',
    driver_tip_cents: tipOf(order),
    ...presentRecipient(request.customer, quote.store.timeZone),
    final_quote: presentOrderQuote(quote),
    scheduled: presentSlot(quote),
    eta_timestamp: epochSeconds(arrivalOf(order)),
    timestamp: epochSeconds(placedAtOf(order)),
    tracking: presentTracking(order),
    status: order.status,
    favorited: request.favorited,
    is_ready: order.isReady,
    realtime_tracking_available: request.mode === 'delivery',
    quote_preference: request.quotePreference,
    ...(quote.party === undefined ? {} : { delivery_party: quote.party }),
    ...(order.cancelReason ? { cancel_reason: order.cancelReason } : {}),
    is_sandbox: order.mode === 'sandbox',
  };
}

/** The store's part of the amounts: `total` is total_without_tips, and the tax excludes tax on added fees. */
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
      ...taxesMember(quote.taxes),
      service_fee_cents: quote.serviceFeeCents,
      small_order_fee_cents: quote.smallOrderFeeCents,
      subtotal: quote.subtotalCents,
      total: quote.totalWithoutTipsCents,
    },
  };
}

type PresentedTracking = Static<typeof TrackingSchema>;

/** Drops members without a value. The type requires every member, so none can be omitted by mistake. */
function known<Members extends object>(
  members: { [Key in keyof Members]-?: Members[Key] | undefined },
): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
}

/** Members appear once their value is known; empty for pickup (docs/orders.md#order-element). */
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

/** Items of the Order element, as ordered and as handed over. */
function presentItems(order: Pick<Order, 'request' | 'quote' | 'adjustments'>): PresentedItem[] {
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

/** Options in the order of the request, then auto-filled ones in menu order. */
function inSequence({ selectedOptions }: RequestedItem, chosen: PresentedItem['selected_options']) {
  const asked = selectedOptions.map(({ optionId }) => optionId);
  const askedPosition = (optionId: string) => (asked.includes(optionId) ? asked.indexOf(optionId) : asked.length);
  return chosen.toSorted((a, b) => askedPosition(a.option_id) - askedPosition(b.option_id));
}
