import { type Static, Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { notOfStore, type Refund } from '../../ordering/money/refund.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { cents, presentStoreQuote, StoreQuoteSchema } from '../../ordering/order/final-quote.ts';
import { type FulfilledItem, fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import { quotedPreparationMinutes, quotedReadyEpochS } from '../../ordering/order/kitchen-times.ts';
import { ADVANCE_EVENTS, type Order, type QuotedItem, shownOrderNumber } from '../../ordering/order/order.ts';
import { REFUNDERS } from '../../ordering/order/order-events.ts';
import { givenBackCents, possibleSteps, tipOf, weighedTotalCents } from '../../ordering/order/order-view.ts';
import {
  presentSharedItems,
  presentSharedMembers,
  SHARED_ITEM_MEMBERS,
  SHARED_ORDER_MEMBERS,
} from '../../ordering/order/present-order.ts';
import { allergensOf } from '../../ordering/order/quoted-food.ts';
import { repriceOrder } from '../../ordering/order/reprice-order.ts';
import { sharesOfOrder } from '../../ordering/order/shares.ts';
import { ofStore } from '../../ordering/order/shown-discounts.ts';
import { component, describedObject, orNull, reference } from '../../platform/http/api-components.ts';
import { epochSeconds, epochSecondsOrNull } from '../../platform/lib/time.ts';
import { ALLERGENS } from '../../supply/catalog/food.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { presentTaxes, TaxesByName } from '../../supply/pricing/quote-schema.ts';
import { NO_ADDRESS } from '../../supply/stores/street-address.ts';

/*
 * An order as its store sees it (docs/store-api.md#an-order), in the API and in every channel: in the store's own prices,
 * fees and taxes, without the account's mark-ups and added fees and without refunds of those. Amounts follow from the
 * frozen quote, the adjustments and the shares of refunds.
 */

const moment = (description: string) => orNull(Type.Integer(), `${description} Epoch seconds, or null.`);

const allergens = (description: string) =>
  orNull(Type.Array(Type.Enum([...ALLERGENS])), `${description} Null: unknown.`);

const StoreOrderOptionSchema = component('StoreOrderOption', 'An option as the kitchen reads it.', {
  customization: Type.String({ description: 'The choice that the option answers.' }),
  name: Type.String(),
  quantity: Type.Integer(),
  options: Type.Array(reference('StoreOrderOption'), { description: 'What was chosen with the option.' }),
});

const StoreOrderItemSchema = component('StoreOrderItem', 'An item with the names that the kitchen needs.', {
  ...SHARED_ITEM_MEMBERS,
  external_id: Type.String({ description: "The feed's ID of what is handed over." }),
  name: Type.String({ description: 'Of what is handed over: of the substitute, where there is one.' }),
  ordered_name: Type.String({ description: 'Of what was ordered.' }),
  options: Type.Array(StoreOrderOptionSchema),
  allergens: allergens('Allergens that are known of the product and its chosen options, as they were ordered.'),
  may_contain: allergens('Traces that are known beside `allergens`.'),
  named_substitutes: Type.Array(Type.Object({ product_id: Type.String(), name: Type.String() }), {
    description: 'The products that the customer takes instead, with the preference `specific`.',
  }),
});

const StoreOrderRefundSchema = Type.Object({
  amount: cents("The store's part of it."),
  by: Type.Enum([...REFUNDERS, 'account', 'gateway'], { description: '`gateway`: it was made at the card gateway.' }),
  reason: Type.String({ description: 'As the customer reads it; empty without one.' }),
  at: Type.Integer({ description: 'Epoch seconds.' }),
  is_done: Type.Boolean({ description: 'False while the gateway has not answered.' }),
});

/** The Order element without members that concern only the account and its customer, with those of the kitchen. */
export const StoreOrderSchema = component('StoreOrder', 'An order as its store sees it.', {
  ...SHARED_ORDER_MEMBERS,
  items: Type.Array(StoreOrderItemSchema),
  final_quote: StoreQuoteSchema,
  user_name: Type.String({ description: "The customer's first name and last initial." }),
  tracking_link: Type.String({ description: 'Shows the order, and permits nothing: it has no `key`.' }),
  min_age: orNull(
    Type.Integer(),
    'Minimum age of the recipient of an order with alcohol, whose ID is to be seen; else null.',
  ),
  order_number: Type.String({ description: 'What people call the order at the counter.' }),
  total_with_tip: cents(
    "The store's prices, fees and taxes, and the whole tip, as ordered; of goods by weight, once they have left, of what was handed over.",
  ),
  adjusted_amount: cents('What missing items and substitutes have taken off `total_with_tip`.'),
  refunded_amount: cents("The store's part of what was given back to the customer."),
  refunds: Type.Array(StoreOrderRefundSchema, {
    description:
      'Refunds that were requested or made at the gateway; not those of missing items, of goods that weighed less, and of cancelations.',
  }),
  offered_at: moment('When the store is offered the order.'),
  received_at: moment('When a first channel of the store had the order; null for a sandbox order.'),
  confirm_by: moment('When an unconfirmed order is canceled.'),
  quoted_ready_by: Type.Integer({
    description: 'When the food has to be ready for the quoted time of arrival, in epoch seconds.',
  }),
  quoted_preparation_minutes: Type.Integer({
    description: "The store's preparation time for the order, the middle of its range: a default for `confirm`.",
  }),
  ready_by: moment('When the food is ready, as the store said; for a scheduled order not before `quoted_ready_by`.'),
  store_part: describedObject(
    'What the store gets for what it hands over, in cents: `total` has its fees and taxes, less `discount_cents`, which the store takes off itself, and no tip.',
    {
      subtotal: Type.Integer(),
      discount_cents: Type.Optional(cents('What the store takes off itself; absent where it takes off nothing.')),
      sales_tax_cents: Type.Integer(),
      taxes: TaxesByName,
      total: Type.Integer(),
    },
  ),
  driver_link: orNull(Type.String(), "The page of the store's own driver; null without one."),
  driver_link_texted: Type.Boolean({ description: 'Whether that driver gets the link by SMS; else hand it over.' }),
  driver_accepted_at: moment("When the store's own driver accepted the delivery on the driver's page."),
  steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps that the order can take now.' }),
});

export type StoreOrder = Static<typeof StoreOrderSchema>;
type StoreOrderOption = StoreOrder['items'][number]['options'][number];

/** Days after its end for which a store sees how to reach an order's customer (docs/store-api.md#past-orders). */
const CONTACT_DAYS = 3;

/**
 * Returns what the store may see of an order: the customer by first name and last initial, without what only the
 * account knows; some days after its end also without phone, address and notes, and without the driver's phone and
 * position.
 */
export function asStoreSees(order: Order, now: Temporal.Instant): Order {
  const { customer } = order.request;
  const seen = { ...customer, name: nameForStore(customer.name), email: '', userId: '' };
  const request = { ...order.request, customer: seen, customerOrderId: '', metadata: {} };
  const endedAt = order.completedAt ?? order.canceledAt;
  const isKept = endedAt === null || Temporal.Instant.compare(endedAt.add({ hours: 24 * CONTACT_DAYS }), now) > 0;
  if (isKept) return { ...order, request };
  const { name, vehicleType } = order.driver;
  const driver = { ...(name === undefined ? {} : { name }), ...(vehicleType === undefined ? {} : { vehicleType }) };
  return { ...order, driver, request: { ...request, customer: { ...seen, ...NO_CONTACT } } };
}

/** Shortens a name: `Ada L.` for `Ada King Lovelace`. */
function nameForStore(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  const [initial] = others.at(-1) ?? '';
  return initial === undefined ? first : `${first} ${initial}.`;
}

const NO_CONTACT = {
  ...NO_ADDRESS,
  phone: null,
  phoneExtension: '',
  latitude: null,
  longitude: null,
  dropoffNotes: '',
  pickupNotes: '',
} as const;

type Around = { siteUrl: string; driverLink?: string | null; refunds: readonly Refund[] };

/** Presents an order to its store. The tracking link has no key; `driverLink` is the URL of the driver's page. */
export function presentStoreOrder(
  order: Order,
  { siteUrl, driverLink = null, refunds }: Around,
  now: Temporal.Instant,
): StoreOrder {
  const fulfilled = fulfilledItems(order);
  return {
    ...presentSharedMembers(asStoreSees(order, now)),
    min_age: minAgeOf(order),
    items: presentSharedItems(order).map((item, index) => {
      const { contains, mayContain } = allergensOf(fulfilled[index] ?? {});
      const ordered = order.quote.items[index];
      return {
        ...item,
        ...listPrices(ordered, fulfilled[index]),
        external_id: fulfilled[index]?.externalId ?? '',
        name: fulfilled[index]?.name ?? '',
        ordered_name: ordered?.name ?? '',
        options: fulfilled[index]?.customizations.flatMap(optionsOf) ?? [],
        allergens: contains && [...contains],
        may_contain: mayContain && [...mayContain],
        named_substitutes: (ordered?.namedSubstitutes ?? []).map(({ productId, name }) => ({
          product_id: productId,
          name,
        })),
      };
    }),
    final_quote: presentStoreQuote(order),
    tracking_link: trackingLinkOf({ siteUrl }, order.orderId),
    order_number: shownOrderNumber(order),
    total_with_tip: storeTotalCents(order),
    adjusted_amount: storeTotalCents(order) - storeDueCents(order),
    refunded_amount: storeRefundedCents(order),
    refunds: refunds.flatMap(presentRefund),
    offered_at: epochSecondsOrNull(order.offerAt),
    received_at: epochSecondsOrNull(order.receivedAt),
    confirm_by: order.status === 'awaiting_confirmation' ? epochSecondsOrNull(order.confirmBy) : null,
    quoted_ready_by: quotedReadyEpochS(order),
    quoted_preparation_minutes: quotedPreparationMinutes(order),
    ready_by: epochSecondsOrNull(order.readyBy),
    store_part: storePartOf(order),
    driver_link: driverLink,
    driver_link_texted: driverLink !== null && order.driver.isLinkTexted === true,
    driver_accepted_at: order.driver.acceptedEpochS ?? null,
    steps: possibleSteps(order),
  };
}

/** Prices of an item without its menu price, of which the store has its own part; of goods by weight the final one too. */
function listPrices(ordered?: QuotedItem, fulfilled?: FulfilledItem) {
  const listCents = ordered?.listUnitCents;
  if (!ordered || listCents === undefined) return {};
  const isFinal = fulfilled?.scaled !== undefined && ordered.weight !== undefined;
  return {
    unit_price: ordered.listPriceCents ?? listCents,
    total_price: listCents * ordered.quantity,
    ...(isFinal && { final_price: fulfilled.listUnitCents * fulfilled.quantity }),
  };
}

function presentRefund({ kind, state, requestedBy, reason, createdAt, ...refund }: Refund): StoreOrder['refunds'] {
  if (state === 'failed' || kind === 'canceled' || kind === 'item_changed' || kind === 'weighed') return [];
  const amount = (state === 'done' ? refund.refundedCents : refund.cents) - notOfStore(refund.shares);
  const by = kind === 'at_gateway' ? 'gateway' : (requestedBy ?? 'account');
  return [{ amount, by, reason, at: epochSeconds(createdAt), is_done: state === 'done' }];
}

/** Returns the store's part of the price, without tip: the items that it hands over, its fees and tax. */
export function storePartOf(order: Pick<Order, 'quote' | 'adjustments'>): StoreOrder['store_part'] {
  const price = repriceOrder(order);
  const { salesCents, storeDiscountCents = 0 } = sharesOfOrder(order);
  const fees = price.deliveryFeeCents + price.serviceFeeCents + price.smallOrderFeeCents;
  return {
    subtotal: salesCents,
    ...(storeDiscountCents < 0 && { discount_cents: -storeDiscountCents }),
    sales_tax_cents: price.salesTaxCents,
    taxes: presentTaxes(price.taxes),
    total: salesCents + fees + price.salesTaxCents + storeDiscountCents,
  };
}

/** The agreed total at the store's prices, with the whole tip; once goods by weight have left, what they came to. */
function storeTotalCents(order: Order): number {
  const isAgreed = weighedTotalCents(order) === null;
  return isAgreed ? ofStore(order.quote).totalWithoutTipsCents + tipOf(order) : storeDueCents(order);
}

/** What is handed over at the store's prices, with the tip; once nothing is left, with later tips alone. */
function storeDueCents(order: Order): number {
  const { totalWithTipCents, waivedCents } = repriceOrder(order);
  const agreedTipCents = totalWithTipCents + waivedCents === 0 ? order.quote.tipCents : 0;
  return storePartOf(order).total + tipOf(order) - agreedTipCents;
}

/** Returns the store's part of the refunds, without what they gave back of the account's part and its taxes. */
export function storeRefundedCents(
  order: Parameters<typeof givenBackCents>[0] & Pick<Order, 'refundedAccountCents'>,
): number {
  return givenBackCents(order) - order.refundedAccountCents;
}

function optionsOf({ name, options }: PricedCustomization): StoreOrderOption[] {
  return options.map((option) => ({
    customization: name,
    name: option.name,
    quantity: option.quantity,
    options: option.customizations.flatMap(optionsOf),
  }));
}
