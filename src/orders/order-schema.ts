import { Type } from 'typebox';
import { named, reference } from '../http/api-components.ts';
import { QUOTE_PREFERENCES } from '../quotes/delivery-terms.ts';
import type { OrderStatus } from './order.ts';

const cents = (description: string) => Type.Integer({ description: `Cents. ${description}` });
const text = (description: string) => Type.String({ description });

export const ORDER_STATUSES: readonly OrderStatus[] = [
  'unplaced',
  'awaiting_confirmation',
  'in_progress',
  'completed',
  'canceled',
];

/** Absent while unplaced. */
const orderNumber = Type.Optional(
  Type.String({
    pattern: '^[A-Z][1-9][0-9]{0,3}$',
    description:
      'The short number that store and customer call the order by, such as `A17`: unique within the store, its local day, and live or sandbox orders. Absent while unplaced.',
  }),
);

export const OrderSlotSchema = Type.Object(
  {
    id: Type.Optional(text('The `scheduled_id`.')),
    minimum: Type.Optional(Type.Integer({ description: 'When the window begins, in epoch seconds.' })),
    maximum: Type.Optional(Type.Integer({ description: 'When it ends, in epoch seconds.' })),
  },
  named('OrderSlot', 'The window of a scheduled order; empty for one as soon as possible.'),
);

const QuotedOptionSchema = Type.Object(
  {
    name: Type.String(),
    price: cents('For one of it, as it counts in this order.'),
    quantity: Type.Integer(),
    default_qty: Type.Integer(),
    option_id: Type.String(),
    customizations: Type.Array(reference('QuotedCustomization'), { description: 'What was chosen with it.' }),
  },
  named('QuotedOption', 'An option that was chosen.'),
);

export const QuotedCustomizationSchema = Type.Object(
  { name: Type.String(), customization_id: Type.String(), selected_options: Type.Array(QuotedOptionSchema) },
  named('QuotedCustomization', 'A choice, and what was chosen.'),
);

export const QuotedItemSchema = Type.Object(
  {
    name: Type.String(),
    base_price: cents('For one, without options.'),
    quantity: Type.Integer(),
    image: text('A URL; empty where there is none.'),
    product_id: Type.String(),
    customizations: Type.Array(QuotedCustomizationSchema),
  },
  named('QuotedItem', 'An item of an order, as it was quoted.'),
);

const FinalQuoteTotalsSchema = Type.Object(
  {
    subtotal: cents('The items with their options.'),
    delivery_fee_cents: cents('Zero for pickup.'),
    service_fee_cents: cents(''),
    small_order_fee_cents: cents(''),
    sales_tax_cents: cents('Without the tax of added fees.'),
    delivery_time_min: Type.Integer({ description: 'Minutes.' }),
    delivery_time_max: Type.Integer({ description: 'Minutes.' }),
    total_without_tips: cents('The sum of the above: what the store gets.'),
    expected_time_of_arrival: text("On the store's clock, such as `06:45 PM`."),
    scheduled: OrderSlotSchema,
  },
  named('FinalQuoteTotals', "The store's part of the money, and when the order comes."),
);

const AddedFeesSchema = Type.Object(
  {
    flat_fee_cents: cents('`added_fee_flat` of the request.'),
    percent_fee: Type.Number({ description: '`added_fee_percent` of the request.' }),
    is_fee_taxable: Type.Boolean(),
    total_fee_cents: cents('The fee.'),
    sales_tax_cents: cents('On marked prices and, where taxable, on the fee.'),
  },
  named('AddedFees', 'What the client adds to the receipt.'),
);

const MiscFeeSchema = Type.Object({ fee_name: Type.String(), fee_amount: cents('') }, named('MiscFee', 'Another fee.'));

export const FinalQuoteSchema = Type.Object(
  {
    store: text('The name of the store.'),
    store_address: text('In one line.'),
    store_id: text('Another one than was asked where the order has moved to a substitute.'),
    quote_id: Type.String(),
    quote: FinalQuoteTotalsSchema,
    items: Type.Array(QuotedItemSchema),
    tip: cents('Zero for pickup.'),
    total_with_tip: cents('What the card is charged.'),
    added_fees: AddedFeesSchema,
    misc_fees: Type.Array(MiscFeeSchema),
  },
  named('FinalQuote', 'What the order costs, and why.'),
);

const TRACKING_LINK = text('Share it with the customer only: its `key` lets them cancel, if the account allows that.');

/** The answer of order creation and of finalizing (docs/behaviour.md#body-of-an-order). */
export const PlacedOrderSchema = Type.Object(
  {
    order_placed: Type.Boolean({ description: 'False for an order that is only quoted.' }),
    tracking_link: TRACKING_LINK,
    final_quote: Type.Optional(FinalQuoteSchema),
    order_id: Type.String(),
    order_number: orderNumber,
    is_sandbox: Type.Boolean({ description: 'Whether it was made with a sandbox key.' }),
  },
  named('PlacedOrder', 'The order as it was taken; `final_quote` where `include_final_quote` asked for it.'),
);

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

export const OrderQuoteSchema = Type.Object(
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
      service_fee_cents: cents(''),
      small_order_fee_cents: cents(''),
      subtotal: cents('The items with their options.'),
      total: cents('The `total_without_tips` of the final quote.'),
    }),
  },
  named('OrderQuote', "The store's part of the money."),
);

export const TrackingSchema = Type.Partial(
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

const CUSTOMER = {
  user_latitude: Type.Optional(Type.Number({ description: 'Absent where it was not given.' })),
  user_longitude: Type.Optional(Type.Number({ description: 'Absent where it was not given.' })),
  user_street_num: Type.String(),
  user_street_name: Type.String(),
  user_apt_num: Type.String(),
  user_city: Type.String(),
  user_state: Type.String(),
  user_zipcode: Type.String(),
  user_country: Type.String(),
  user_time_zone: text('That of the store where it was not given.'),
  user_dropoff_notes: Type.String(),
  user_pickup_notes: Type.String(),
  user_name: Type.String(),
  user_email: Type.String(),
  user_id: text('Your own id of the user.'),
  user_phone: Type.Optional(Type.Integer({ description: 'Absent where it was not given.' })),
};

/** The Order element (docs/behaviour.md#order-element): of order retrieval, and of the sandbox's steps. */
export const OrderSchema = Type.Object(
  {
    order_id: Type.String(),
    order_number: orderNumber,
    items: Type.Array(OrderItemSchema),
    pickup: Type.Boolean(),
    driver_tip_cents: cents('The whole tip, also what was added later. Zero for pickup.'),
    ...CUSTOMER,
    tracking_link: TRACKING_LINK,
    total_with_tip: cents('All that is charged: the total of the quote, and what was added to the tip later.'),
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
    customer_order_id: text('Of the request; may be empty.'),
    realtime_tracking_available: Type.Boolean({ description: 'True for deliveries.' }),
    quote_preference: Type.Enum([...QUOTE_PREFERENCES], { description: 'Of the request.' }),
    delivery_party: Type.Optional(
      Type.Enum(['first', 'third', 'courier'], {
        description: 'Who delivers: the store, a marketplace or a courier. Absent for pickup.',
      }),
    ),
    profit: cents('Marked prices and the added fee: what is left for the client.'),
    refunded_amount: cents('Given back to the card.'),
    adjusted_amount: cents(
      'What missing items and substitutes have taken off `total_with_tip`; it is part of `refunded_amount` where the card was charged.',
    ),
    cancel_reason: Type.Optional(text('Why it was canceled; absent where it was not, or nobody has said.')),
    is_sandbox: Type.Boolean({ description: 'Whether it was made with a sandbox key.' }),
    metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'Of the request, as it was.' }),
  },
  named('Order', 'An order as it stands.'),
);
