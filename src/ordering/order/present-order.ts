import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import {
  bool,
  cents,
  component,
  describedObject,
  flag,
  integer,
  named,
  number,
  orNull,
  text,
} from '../../platform/http/api-components.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { QUOTE_PREFERENCES } from '../../supply/pricing/quote.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';
import {
  OrderQuoteSchema,
  OrderSlotSchema,
  orderedQuantity,
  presentAgreedQuote,
  presentOrderQuote,
  presentSlot,
  presentWeight,
  TaxClassOfLine,
  WEIGHED_ITEM_MEMBERS,
} from './final-quote.ts';
import { type FulfilledItem, fulfilledItems } from './fulfilled-items.ts';
import {
  COLLECTORS,
  type Customer,
  DROP_OFF_PLACES,
  ORDER_STATUSES,
  type Order,
  type QuotedItem,
  type RequestedItem,
  type Substitution,
  WEIGHT_SOURCES,
} from './order.ts';
import { orderZone } from './order-times.ts';
import {
  arrivalOf,
  chosenOptions,
  givenBackCents,
  heldCents,
  orderTotalCents,
  placedAtOf,
  tipOf,
  weighedTotalCents,
} from './order-view.ts';
import { dueCents, toCollectCents } from './reprice-order.ts';
import { sharesOfOrder } from './shares.ts';
import { ITEM_DISCOUNT_MEMBERS, presentItemDiscount } from './shown-discounts.ts';
import { isWeighedOrder } from './weighed-order.ts';
import { weighedQuoteOf } from './weighed-quote.ts';

/* The Order element: its schema, and its presentation. */

/** Absent while unplaced. */
export const orderNumber = Type.Optional(
  Type.String({
    pattern: '^[A-Z][1-9][0-9]{0,3}$',
    description:
      'A short number for the store and the customer, such as `A17`. Unique within the store, its local day, and its live or sandbox orders. Absent while the order is unplaced.',
  }),
);

export const TRACKING_LINK = text(
  'Share this link only with the customer. Its `key` lets them cancel if the account allows it, and is included only for keys with the scope `order`.',
);

export const CHECKOUT_URL = Type.Optional(
  text(
    'A page for the customer to review, pay for and place the order. Present while the order is unplaced, for keys with the scope `order`. Valid for up to 24 hours.',
  ),
);

/** Fields of an item that are the same for the account and its store. */
export const SHARED_ITEM_MEMBERS = {
  product_id: text("The substitute's product ID if the store substituted the item."),
  image: text("The ordered product's image URL, or empty if there is none."),
  quantity: number('The ordered quantity. A whole number, except for items sold by weight.'),
  ordered_quantity: number('The same as `quantity`.'),
  fulfilled_quantity: number(
    'The number of units the store provides: fewer than ordered, or 0, if it lacks the item. For items sold by weight, the measured weight, or the ordered weight until weighed.',
  ),
  unit_price: cents(
    "The store's price of one as ordered, with its options. For items sold by weight, the price of `price_per` units without options.",
  ),
  total_price: cents(
    'The price of all units as ordered. These prices add up to the `subtotal`. For items sold by weight, an estimate.',
  ),
  ...WEIGHED_ITEM_MEMBERS,
  is_weighed: flag('Present only for items sold by weight.'),
  weight_from: Type.Optional(
    Type.Enum([...WEIGHT_SOURCES], {
      description:
        "`label_price`: computed from the label's price. `limit`: weighed more than the maximum, so the excess is free. Absent until weighed.",
    }),
  ),
  final_price: Type.Optional(
    orNull(Type.Integer(), 'The price at the measured weight in cents, for items sold by weight. Null until weighed.'),
  ),
  substituted_for: orNull(Type.String(), 'The ordered `product_id` if the item was substituted. Otherwise null.'),
  substitution: describedObject(
    "The customer's choice if the store lacks the item. `product_ids` is present only for `specific`.",
    {
      preference: Type.Enum(['store_choice', 'specific', 'refund']),
      product_ids: Type.Optional(Type.Array(Type.String())),
    },
  ),
  tax_class: TaxClassOfLine,
  selected_options: Type.Array(
    Type.Object({
      option_id: Type.String(),
      quantity: Type.Integer(),
      name: Type.String(),
      price: cents('The price of one, as charged in this order.'),
      customization_name: Type.String(),
      parent_option_id: Type.Optional(
        text(
          "The option that this nested option belongs to. It's charged once for each of its parent's units. Absent for a top-level option.",
        ),
      ),
    }),
    {
      description:
        'The ordered options, including the options that `autofill_selected_options` selected. For a substitute, the options that its menu requires.',
    },
  ),
  notes: Type.String(),
};

const OrderItemSchema = component('OrderItem', 'An item as ordered, and as the store provides it.', {
  name: text("The ordered item's name."),
  ...SHARED_ITEM_MEMBERS,
  ...ITEM_DISCOUNT_MEMBERS,
  marked_unit_price: Type.Optional(cents("The receipt's price of one with its options, if marked prices were sent.")),
  substitute_name: Type.Optional(text("The substitute's name. Absent without a substitute.")),
});

const TrackingSchema = Type.Partial(
  Type.Object({
    driver_latitude: Type.Number(),
    driver_longitude: Type.Number(),
    course: number("The driver's heading in degrees clockwise from north."),
    last_update_timestamp: integer('When the position was reported, in epoch seconds.'),
    completion_timestamp: integer('When the order was delivered, in epoch seconds.'),
    vehicle_type: text('Such as `car`.'),
    driver_name: Type.String(),
    driver_phone: integer('Digits only, with the country code first.'),
    driver_photo_url: Type.String(),
    driver_rating: Type.Number(),
  }),
  named(
    'Tracking',
    "The driver and the driver's position. A field is present once its value is known. Empty for pickup.",
  ),
);

export const DropOffSchema = describedObject('The handoff instructions. Absent if the customer chose none.', {
  where: Type.Enum([...DROP_OFF_PLACES], { description: 'Where the driver leaves a delivery.' }),
  utensils: bool('Whether the customer wants utensils.'),
  code: bool(
    "If `true`, the customer's order page shows a four-digit PIN, which is required as `code` to complete the order.",
  ),
});

/** Members of both the Order element and the element that its store sees (present-store-order.ts). */
export const SHARED_ORDER_MEMBERS = {
  order_id: Type.String(),
  order_number: orderNumber,
  pickup: Type.Boolean(),
  driver_tip_cents: cents('The full tip, including later additions. Zero for pickup.'),
  user_latitude: Type.Optional(number("Absent if it wasn't sent, such as for pickup.")),
  user_longitude: Type.Optional(number("Absent if it wasn't sent, such as for pickup.")),
  user_street_num: Type.String(),
  user_street_name: Type.String(),
  user_apt_num: Type.String(),
  user_city: Type.String(),
  user_state: Type.String(),
  user_zipcode: Type.String(),
  user_country: Type.String(),
  user_time_zone: text("The customer's time zone. Defaults to the order's `time_zone`."),
  user_language: Type.Optional(
    Type.Enum([...LANGUAGES], {
      description: "The language of the customer's pages and messages. Absent if it's the account's language.",
    }),
  ),
  user_dropoff_notes: Type.String(),
  user_pickup_notes: Type.String(),
  drop_off: Type.Optional(DropOffSchema),
  user_name: Type.String(),
  user_phone: Type.Optional(integer("With the country code. Absent if it wasn't sent.")),
  user_phone_extension: Type.Optional(text('Dialed after the call is answered. Absent without an extension.')),
  scheduled: OrderSlotSchema,
  eta_timestamp: integer('When the order is expected, in epoch seconds.'),
  timestamp: integer('When the order was placed, in epoch seconds. While the order is unplaced, when it was created.'),
  time_zone: text("The IANA name of the order's time zone: the delivery address's, or the store's for pickup."),
  tracking: TrackingSchema,
  status: Type.Enum([...ORDER_STATUSES], {
    description:
      '`unplaced`: only quoted. `awaiting_confirmation`: placed, but not yet confirmed by the store. `in_progress`: confirmed, and in preparation or on its way. `completed`: delivered or picked up. `canceled`: refunded in full.',
  }),
  favorited: Type.Boolean(),
  is_ready: bool('Whether the store has marked the order ready.'),
  realtime_tracking_available: bool('`true` for deliveries.'),
  quote_preference: Type.Enum([...QUOTE_PREFERENCES], { description: 'The value from the request.' }),
  delivery_party: Type.Optional(
    Type.Enum(['first', 'third', 'courier'], {
      description: 'The delivery provider: the store, a marketplace or a courier. Absent for pickup.',
    }),
  ),
  cancel_reason: Type.Optional(
    text("The cancellation reason. Absent if the order isn't canceled or no reason was given."),
  ),
  is_estimate: flag(
    'Whether `total_with_tip` is an estimate, which it is until the items sold by weight have left the store. Absent without such items.',
  ),
  is_sandbox: bool('Whether the order was created with a sandbox key.'),
  placed_by: Type.Optional(
    Type.Literal('store', { description: 'Present only if the store entered the order itself, such as by phone.' }),
  ),
  to_collect_cents: Type.Optional(
    cents('The amount to collect from the customer at handoff. Absent after handoff, and for prepaid orders.'),
  ),
  collected_cents: Type.Optional(
    cents('The amount collected at handoff, which may differ from the amount due. Absent until then.'),
  ),
  collected_by: Type.Optional(
    Type.Enum([...COLLECTORS], {
      description: 'Who collected the payment, and pays back any refunds. Absent until handoff.',
    }),
  ),
};

const OrderMessageSchema = component('OrderMessage', "A text message or email to an order's customer.", {
  message_id: Type.String(),
  channel: Type.Enum(['sms', 'email']),
  kind: text("The message's kind, such as `order_placed`."),
  to: text('Masked: `…0123` or `a…@example.com`.'),
  state: Type.Enum(['sent', 'pending', 'not_sent'], { description: '`pending`: the message is being sent.' }),
  reason: Type.Optional(
    Type.Enum(['sandbox', 'over_budget', 'out_of_reach', 'opted_out', 'failed'], {
      description:
        "Present only with `not_sent`. `over_budget`: exceeds one of the account's daily budgets. `out_of_reach`: text messages can't be sent to this number. `opted_out`: the recipient replied STOP. `failed`: the mail server or SMS provider did not accept the message.",
    }),
  ),
  timestamp: integer('When the event that the message reports happened, in epoch seconds.'),
  sent_at: Type.Optional(integer("When the message was sent, in epoch seconds. Absent if it wasn't sent.")),
});
export type OrderMessage = Static<typeof OrderMessageSchema>;

/** The Order element (docs/orders.md#order-element) in order retrieval and in the sandbox's steps. */
export const OrderSchema = component('Order', 'An order in its current state.', {
  ...SHARED_ORDER_MEMBERS,
  items: Type.Array(OrderItemSchema),
  final_quote: OrderQuoteSchema,
  weighed_quote: Type.Optional(
    orNull(
      OrderQuoteSchema,
      'The `final_quote` at the measured weights, which adds up to the captured amount. Null until all items are weighed. Absent without items sold by weight.',
    ),
  ),
  authorized_cents: Type.Optional(
    orNull(
      Type.Integer(),
      "The authorized amount in cents. Null if there's no authorization: not authorized yet, expired, or not supported by the gateway. Absent without items sold by weight.",
    ),
  ),
  captured_cents: Type.Optional(
    orNull(Type.Integer(), 'The captured amount in cents. Null until captured. Absent without items sold by weight.'),
  ),
  user_email: Type.String(),
  user_id: text('Your own ID for the user.'),
  tracking_link: TRACKING_LINK,
  checkout_url: CHECKOUT_URL,
  total_with_tip: cents(
    "The total charge: the quote's total plus later tips. For an order with items sold by weight, an estimate until it is captured.",
  ),
  customer_order_id: Type.Optional(
    text("The request's `customer_order_id`, which may be empty. Absent for a publishable key."),
  ),
  profit: Type.Optional(
    cents(
      "Your account's profit: the markup and the added fee, minus the discounts your account pays. For items sold by weight, an estimate like `total_with_tip`. Absent for a publishable key.",
    ),
  ),
  refunded_amount: cents(
    "The amount refunded to the card. `total_with_tip` minus this amount is the customer's net payment. Excludes the difference refunded after weighing if the order was charged when placed.",
  ),
  adjusted_amount: cents(
    "The amount that missing items and substitutes have taken off `total_with_tip`. If the card was charged, it's included in `refunded_amount`.",
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "The request's `metadata`, unchanged. Absent for a publishable key.",
    }),
  ),
  agent: Type.Optional(
    describedObject(
      "The app that prepared the order for a signed-in customer (`/docs/sign-in`). Absent if there's none, and in events.",
      { client_name: Type.String(), client_host: text("Empty for an app on the customer's device.") },
    ),
  ),
  messages: Type.Optional(
    Type.Array(OrderMessageSchema, {
      description: 'Messages to the customer, oldest first. Absent without `include=messages`.',
    }),
  ),
});

/** Presents the Order element of GET /account/orders (docs/orders.md#order-element). */
export function presentOrder(order: Order, site: TrackingSite): Static<typeof OrderSchema> {
  const { request } = order;
  return {
    ...presentSharedMembers(order),
    items: presentItems(order),
    final_quote: presentAgreedQuote(order),
    ...presentWeighed(order),
    user_email: request.customer.email,
    user_id: request.customer.userId,
    tracking_link: trackingLinkOf(site, order.orderId),
    total_with_tip: orderTotalCents(order),
    customer_order_id: request.customerOrderId,
    profit: profitOf(order),
    refunded_amount: givenBackCents(order),
    adjusted_amount: orderTotalCents(order) - dueCents(order),
    metadata: request.metadata,
  };
}

/** The account's profit: as agreed, or the final order's once the total of items sold by weight is known. */
function profitOf(order: Order): number {
  const { profitCents, miscFees } = order.quote;
  if (weighedTotalCents(order) === null) return profitCents;
  const { accountCents, accountDiscountCents = 0 } = sharesOfOrder(order);
  return accountCents + accountDiscountCents - sumCents(miscFees.map(({ amountCents }) => amountCents));
}

/** Fields of an order with items sold by weight. */
function presentWeighed(order: Order) {
  if (!isWeighedOrder(order.quote)) return {};
  const quote = weighedQuoteOf(order);
  return {
    weighed_quote: quote && presentOrderQuote({ ...order, quote }),
    authorized_cents: heldCents(order),
    captured_cents: order.capturedCents,
  };
}

const SharedMembers = Type.Object(SHARED_ORDER_MEMBERS);

/** Members that the account and the store see alike. */
export function presentSharedMembers(order: Order): Static<typeof SharedMembers> {
  const { request, quote } = order;
  const [timeZone] = orderZone(order);
  return {
    order_id: order.orderId,
    ...present({ order_number: order.orderNumber ?? undefined }),
    pickup: request.mode === 'pickup',
    driver_tip_cents: tipOf(order),
    ...presentRecipient(request.customer, timeZone),
    scheduled: presentSlot(quote),
    eta_timestamp: epochSeconds(arrivalOf(order)),
    timestamp: epochSeconds(placedAtOf(order)),
    time_zone: timeZone,
    tracking: presentTracking(order),
    status: order.status,
    favorited: request.favorited,
    is_ready: order.isReady,
    realtime_tracking_available: request.mode === 'delivery',
    quote_preference: request.quotePreference,
    ...present({ delivery_party: quote.party, cancel_reason: order.cancelReason || undefined }),
    ...(isWeighedOrder(quote) ? { is_estimate: weighedTotalCents(order) === null } : {}),
    is_sandbox: order.mode === 'sandbox',
    ...present({ placed_by: request.placedBy }),
    ...presentCollected(order),
  };
}

function presentCollected(order: Order) {
  const { collectedCents, collectedBy } = order;
  const toCollect = toCollectCents(order);
  return present({
    to_collect_cents: toCollect ?? undefined,
    collected_cents: collectedCents ?? undefined,
    collected_by: collectedBy ?? undefined,
  });
}

/**
 * Presents recipient and address under the names of the request body's members; members that the client did not send
 * are absent or ''. Without a customer's time zone, the order's is shown.
 */
function presentRecipient(customer: Customer, timeZone: string) {
  return {
    ...present({ user_latitude: customer.latitude ?? undefined, user_longitude: customer.longitude ?? undefined }),
    user_street_num: customer.streetNum,
    user_street_name: customer.streetName,
    user_apt_num: customer.aptNum,
    user_city: customer.city,
    user_state: customer.state,
    user_zipcode: customer.zipcode,
    user_country: customer.country,
    user_time_zone: customer.timeZone || timeZone,
    user_dropoff_notes: customer.dropoffNotes,
    user_pickup_notes: customer.pickupNotes,
    ...present({ drop_off: customer.dropOff }),
    user_name: customer.name,
    ...present({
      user_phone: customer.phone ?? undefined,
      user_phone_extension: customer.phoneExtension || undefined,
      user_language: customer.language,
    }),
  };
}

type PresentedTracking = Static<typeof TrackingSchema>;

/** Drops members without a value. The type requires every member, so none can be omitted by mistake. */
function known<Members extends object>(members: { [Key in keyof Members]-?: Members[Key] | undefined }) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
}

/** Presents the members whose value is known; empty for pickup (docs/orders.md#order-element). */
function presentTracking(order: Order): PresentedTracking {
  if (order.request.mode === 'pickup') return {};
  const { driver, completedAt } = order;
  return known<PresentedTracking>({
    driver_latitude: driver.latitude,
    driver_longitude: driver.longitude,
    course: driver.course,
    last_update_timestamp: driver.updatedEpochS && Math.floor(driver.updatedEpochS),
    completion_timestamp: completedAt ? epochSeconds(completedAt) : undefined,
    vehicle_type: driver.vehicleType,
    driver_name: driver.name,
    driver_phone: driver.phone,
    driver_photo_url: driver.photoUrl,
    driver_rating: driver.rating,
  });
}

const SharedItem = Type.Object(SHARED_ITEM_MEMBERS);
type SharedItemElement = Static<typeof SharedItem>;

/** Items as ordered and as handed off, as the account and the store see them. */
export function presentSharedItems(order: Pick<Order, 'request' | 'quote' | 'adjustments'>): SharedItemElement[] {
  const handedOver = fulfilledItems(order);
  return order.request.items.map((item, index) => {
    const fulfilled = handedOver[index];
    const ordered = order.quote.items[index];
    const isReplaced = fulfilled !== undefined && fulfilled.replaces !== null;
    return {
      product_id: isReplaced ? fulfilled.productId : item.productId,
      image: ordered?.image ?? '',
      ...presentQuantities(item, ordered, fulfilled),
      substituted_for: isReplaced ? item.productId : null,
      substitution: presentSubstitution(item.substitution),
      tax_class: fulfilled?.taxClass ?? 'general',
      selected_options: presentOptions(item, fulfilled?.customizations ?? []),
      notes: item.notes,
    };
  });
}

function presentQuantities(item: RequestedItem, ordered?: QuotedItem, fulfilled?: FulfilledItem) {
  const { scaled, weight, quantity: units = item.quantity, unitCents = 0 } = fulfilled ?? {};
  const quantity = orderedQuantity(ordered ?? item);
  const isOpen = weight !== undefined && scaled === undefined && units > 0;
  const handedOver = scaled && units > 0 ? decimalOfMilli(scaled.milli) : units;
  const shared = {
    quantity,
    ordered_quantity: quantity,
    fulfilled_quantity: isOpen ? quantity : handedOver,
    unit_price: (ordered?.weight ? ordered.basePriceCents : ordered?.unitCents) ?? 0,
    total_price: ordered?.totalCents ?? 0,
  };
  if (!ordered?.weight) return shared;
  return {
    ...shared,
    ...presentWeight(ordered.weight),
    is_weighed: scaled !== undefined,
    ...present({ weight_from: scaled?.from }),
    final_price: isOpen ? null : unitCents * units,
  };
}

function presentItems(order: Order): Static<typeof OrderItemSchema>[] {
  return presentSharedItems(order).map((item, index) => {
    const ordered = order.quote.items[index];
    const substitute = order.adjustments.find((one) => one.index === index)?.substitute;
    return {
      name: ordered?.name ?? '',
      ...item,
      ...presentItemDiscount(order.quote, index),
      ...present({
        marked_unit_price: ordered && order.request.receipt.pricesMarked ? ordered.markedUnitCents : undefined,
        substitute_name: substitute?.name,
      }),
    };
  });
}

function presentSubstitution(substitution: Substitution | undefined): SharedItemElement['substitution'] {
  if (substitution?.preference !== 'specific') return { preference: substitution?.preference ?? 'refund' };
  return { preference: 'specific', product_ids: [...substitution.productIds] };
}

/** Options in the order of the request, then auto-filled ones in menu order. */
function presentOptions({ selectedOptions }: RequestedItem, customizations: readonly PricedCustomization[]) {
  const selectedIds = selectedOptions.map(({ optionId }) => optionId);
  const selectedPosition = (optionId: string) =>
    selectedIds.includes(optionId) ? selectedIds.indexOf(optionId) : selectedIds.length;
  return chosenOptions(customizations)
    .toSorted((a, b) => selectedPosition(a.id) - selectedPosition(b.id))
    .map(({ id, quantity, name, priceCents, customization, parentId }) => ({
      option_id: id,
      quantity,
      name,
      price: priceCents,
      customization_name: customization,
      ...present({ parent_option_id: parentId }),
    }));
}
