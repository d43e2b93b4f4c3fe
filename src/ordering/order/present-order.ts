import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { component, describedObject, named, orNull } from '../../platform/http/api-components.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { QUOTE_PREFERENCES } from '../../supply/pricing/quote.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';
import {
  cents,
  OrderQuoteSchema,
  OrderSlotSchema,
  orderedQuantity,
  presentAgreedQuote,
  presentOrderQuote,
  presentSlot,
  presentWeight,
  TaxClassOfLine,
  text,
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
      'The short number that store and customer call the order by, such as `A17`: unique within the store, its local day, and live or sandbox orders. Absent while unplaced.',
  }),
);

export const TRACKING_LINK = text(
  'Share it with the customer only: its `key`, which keys without the scope `order` do not get, lets them cancel, if the account allows that.',
);

export const CHECKOUT_URL = Type.Optional(
  text(
    'While unplaced, for keys with the scope `order`: a page on which the customer reviews, pays and places the order. Works until then, for at most 24 hours.',
  ),
);

/** Members of an item that the account and its store see alike. */
export const SHARED_ITEM_MEMBERS = {
  product_id: text('Of the substitute, where the store hands one over.'),
  image: text('A URL of what was ordered; empty where there is none.'),
  quantity: Type.Number({ description: 'As ordered. Whole, but of goods by weight.' }),
  ordered_quantity: Type.Number({ description: 'The same as `quantity`.' }),
  fulfilled_quantity: Type.Number({
    description:
      "The units that the store hands over: fewer than were ordered, or 0, where it lacks the item. Of goods by weight, the scale's weight; until then as ordered.",
  }),
  unit_price: cents(
    "The store's price of one as it was ordered, with its options. Of goods by weight, for `price_per`, without them.",
  ),
  total_price: cents('Of all units as they were ordered: together the `subtotal`. Of goods by weight, the estimate.'),
  ...WEIGHED_ITEM_MEMBERS,
  is_weighed: Type.Optional(Type.Boolean({ description: 'Absent of goods by the piece.' })),
  weight_from: Type.Optional(
    Type.Enum([...WEIGHT_SOURCES], {
      description:
        '`label_price`: computed from the price of a label. `limit`: it weighed more, and the rest is free. Absent until weighed.',
    }),
  ),
  final_price: Type.Optional(
    orNull(Type.Integer(), 'Cents, of goods by weight: at the weight of the scale; null until then.'),
  ),
  substituted_for: orNull(
    Type.String(),
    'The `product_id` that was ordered, where a substitute is handed over; else null.',
  ),
  substitution: describedObject(
    'What the customer wants where the store lacks the item; `product_ids` only with `specific`.',
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
      price: cents('For one of it, as it counts in this order.'),
      customization_name: Type.String(),
      parent_option_id: Type.Optional(
        Type.String({ description: 'The option that it belongs to, and counts once for each of; absent without one.' }),
      ),
    }),
    {
      description:
        'Every option that was ordered, including those that `autofill_selected_options` chose. Of a substitute, the options that its menu requires.',
    },
  ),
  notes: Type.String(),
};

const OrderItemSchema = component('OrderItem', 'An item as it was ordered, and as the store hands it over.', {
  name: text('Of what was ordered.'),
  ...SHARED_ITEM_MEMBERS,
  ...ITEM_DISCOUNT_MEMBERS,
  marked_unit_price: Type.Optional(
    cents('Where marked prices were sent: the price of one on the receipt, with its options.'),
  ),
  substitute_name: Type.Optional(text('Of the substitute that the store hands over; absent without one.')),
});

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

export const DropOffSchema = describedObject('How it is handed over; absent where nothing was chosen.', {
  where: Type.Enum([...DROP_OFF_PLACES], { description: 'Of a delivery.' }),
  utensils: Type.Boolean({ description: 'Whether the customer wants utensils.' }),
  code: Type.Boolean({
    description: "If `true`, the customer's order page shows a four-digit PIN, which is required as `code` to complete the order.",
  }),
});

/** Members of both the Order element and the element that its store sees (present-store-order.ts). */
export const SHARED_ORDER_MEMBERS = {
  order_id: Type.String(),
  order_number: orderNumber,
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
  user_time_zone: text('`time_zone` where it was not given.'),
  user_language: Type.Optional(
    Type.Enum([...LANGUAGES], {
      description: "Of the customer's pages and messages; absent where it is the account's.",
    }),
  ),
  user_dropoff_notes: Type.String(),
  user_pickup_notes: Type.String(),
  drop_off: Type.Optional(DropOffSchema),
  user_name: Type.String(),
  user_phone: Type.Optional(Type.Integer({ description: 'With the country code; absent where it was not given.' })),
  user_phone_extension: Type.Optional(
    Type.String({ description: 'Dialed after the call is answered; absent without one.' }),
  ),
  scheduled: OrderSlotSchema,
  eta_timestamp: Type.Integer({ description: 'When it is expected, in epoch seconds.' }),
  timestamp: Type.Integer({ description: 'When it was placed (or created, while unplaced), in epoch seconds.' }),
  time_zone: text('The IANA name of the clock of its times: that of its door, at a pickup of its store.'),
  tracking: TrackingSchema,
  status: Type.Enum([...ORDER_STATUSES], {
    description:
      '`unplaced`: only quoted. `awaiting_confirmation`: placed; the store has not confirmed it yet. `in_progress`: confirmed; being prepared, or the driver is under way. `completed`: delivered or picked up. `canceled`: refunded in full.',
  }),
  favorited: Type.Boolean(),
  is_ready: Type.Boolean({ description: 'Whether the store has marked the order ready.' }),
  realtime_tracking_available: Type.Boolean({ description: 'True for deliveries.' }),
  quote_preference: Type.Enum([...QUOTE_PREFERENCES], { description: 'Of the request.' }),
  delivery_party: Type.Optional(
    Type.Enum(['first', 'third', 'courier'], {
      description: 'Who delivers: the store, a marketplace or a courier. Absent for pickup.',
    }),
  ),
  cancel_reason: Type.Optional(text('Why it was canceled; absent where it was not, or nobody has said.')),
  is_estimate: Type.Optional(
    Type.Boolean({
      description:
        'Whether `total_with_tip` is an estimate: until its goods by weight have left the store. Absent without any.',
    }),
  ),
  is_sandbox: Type.Boolean({ description: 'Whether it was made with a sandbox key.' }),
  placed_by: Type.Optional(Type.Literal('store', { description: 'Where its store took it, such as by phone.' })),
  to_collect_cents: Type.Optional(
    cents('Of an order that is paid at the handover, until then: what the customer pays. Absent for any other.'),
  ),
  collected_cents: Type.Optional(
    cents('What was collected at the handover, which may differ from what was due. Absent until then.'),
  ),
  collected_by: Type.Optional(
    Type.Enum([...COLLECTORS], { description: 'Who collected it, and hands refunds back. Absent until then.' }),
  ),
};

const OrderMessageSchema = component('OrderMessage', 'An SMS or email to the customer of an order.', {
  message_id: Type.String(),
  channel: Type.Enum(['sms', 'email']),
  kind: text('Such as `order_placed`.'),
  to: text('Masked: `…0123` or `a…@example.com`.'),
  state: Type.Enum(['sent', 'pending', 'not_sent'], { description: '`pending`: it is being sent.' }),
  reason: Type.Optional(
    Type.Enum(['sandbox', 'over_budget', 'out_of_reach', 'opted_out', 'failed'], {
      description:
        'With `not_sent`, else absent. `over_budget`: beyond a daily budget of the account. `out_of_reach`: SMS do not go to this number. `opted_out`: its holder has answered STOP. `failed`: the mail server or the SMS provider has not taken it.',
    }),
  ),
  timestamp: Type.Integer({ description: 'Of what it tells, in epoch seconds.' }),
  sent_at: Type.Optional(Type.Integer({ description: 'Epoch seconds; absent where it was not sent.' })),
});
export type OrderMessage = Static<typeof OrderMessageSchema>;

/** The Order element (docs/orders.md#order-element) in order retrieval and in the sandbox's steps. */
export const OrderSchema = component('Order', 'An order as it stands.', {
  ...SHARED_ORDER_MEMBERS,
  items: Type.Array(OrderItemSchema),
  final_quote: OrderQuoteSchema,
  weighed_quote: Type.Optional(
    orNull(
      OrderQuoteSchema,
      '`final_quote` at the weights of the scale, which adds up to what is taken; null until all is weighed. Absent without goods by weight.',
    ),
  ),
  authorized_cents: Type.Optional(
    orNull(
      Type.Integer(),
      'Cents that the card holds, or held until they were captured. Null without a hold: not yet, no longer, or with a gateway that cannot hold. Absent without goods by weight.',
    ),
  ),
  captured_cents: Type.Optional(
    orNull(Type.Integer(), 'Cents that were taken of what was held; null until then. Absent without goods by weight.'),
  ),
  user_email: Type.String(),
  user_id: text('Your own id of the user.'),
  tracking_link: TRACKING_LINK,
  checkout_url: CHECKOUT_URL,
  total_with_tip: cents(
    'All that is charged: the total of the quote, and what was added to the tip later. With goods by weight an estimate, then all that was taken.',
  ),
  customer_order_id: Type.Optional(text('Of the request; may be empty. Absent for a publishable key.')),
  profit: Type.Optional(
    cents(
      'Marked prices and the added fee, less what the account pays of discounts: what is left for the client. Of goods by weight an estimate, as `total_with_tip`. Absent for a publishable key.',
    ),
  ),
  refunded_amount: cents(
    'Given back to the card: `total_with_tip` less this is what the customer paid. Without what goods by weight cost less than was taken at placing.',
  ),
  adjusted_amount: cents(
    'What missing items and substitutes have taken off `total_with_tip`; it is part of `refunded_amount` where the card was charged.',
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of the request, as it was. Absent for a publishable key.',
    }),
  ),
  agent: Type.Optional(
    describedObject(
      'The program that prepared it for a customer who signed in (`/docs/sign-in`); absent without one, and in events.',
      { client_name: Type.String(), client_host: text('Empty for a program on the device of the customer.') },
    ),
  ),
  messages: Type.Optional(
    Type.Array(OrderMessageSchema, {
      description: 'To the customer, oldest first; absent without `include=messages`.',
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

/** The account's profit: as agreed, or that of the final order once the total of goods by weight is known. */
function profitOf(order: Order): number {
  const { profitCents, miscFees } = order.quote;
  if (weighedTotalCents(order) === null) return profitCents;
  const { accountCents, accountDiscountCents = 0 } = sharesOfOrder(order);
  return accountCents + accountDiscountCents - sumCents(miscFees.map(({ amountCents }) => amountCents));
}

/** Members of an order with goods by weight. */
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

/** Items as ordered and as handed over, as the account and the store see them. */
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

/** Options in the sequence of the request, then auto-filled ones in menu order. */
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
