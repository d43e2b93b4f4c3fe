import { type Static, Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { notOfStore, type Refund } from '../../ordering/money/refund.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { presentStoreQuote, StoreQuoteSchema } from '../../ordering/order/final-quote.ts';
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
import { taxationOf } from '../../ordering/order/reprice-order.ts';
import { sharesOfOrder } from '../../ordering/order/shares.ts';
import { ofStore } from '../../ordering/order/shown-discounts.ts';
import { cents, component, describedObject, orNull, reference } from '../../platform/http/api-components.ts';
import { epochSeconds, epochSecondsOrNull } from '../../platform/lib/time.ts';
import { ALLERGENS } from '../../supply/catalog/food.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { presentTaxes, TaxesByName } from '../../supply/pricing/quote-schema.ts';
import { NO_ADDRESS } from '../../supply/stores/street-address.ts';

/*
 * An order as its store sees it (docs/store-api.md#an-order), in the API and in every channel: in the store's own
 * prices, fees and taxes, without the account's mark-ups and added fees and without refunds of those. Amounts follow
 * from the frozen quote, the adjustments and the shares of refunds.
 */

const moment = (description: string) => orNull(Type.Integer(), `${description} Epoch seconds, or null.`);

const allergens = (description: string) =>
  orNull(Type.Array(Type.Enum([...ALLERGENS])), `${description} Null: unknown.`);

const StoreOrderOptionSchema = component('StoreOrderOption', 'An option as the kitchen sees it.', {
  customization: Type.String({ description: "The name of the option's customization." }),
  name: Type.String(),
  quantity: Type.Integer(),
  options: Type.Array(reference('StoreOrderOption'), { description: 'The options selected for this option.' }),
});

const StoreOrderItemSchema = component('StoreOrderItem', 'An item with the details for the kitchen.', {
  ...SHARED_ITEM_MEMBERS,
  external_id: Type.String({ description: "The provided product's ID in the feed." }),
  name: Type.String({ description: "The provided product's name: the substitute's, if there is one." }),
  ordered_name: Type.String({ description: "The ordered product's name." }),
  options: Type.Array(StoreOrderOptionSchema),
  allergens: allergens('Known allergens of the ordered product and its selected options.'),
  may_contain: allergens('Known traces, in addition to `allergens`.'),
  named_substitutes: Type.Array(Type.Object({ product_id: Type.String(), name: Type.String() }), {
    description: 'The products that the customer accepts instead, with the preference `specific`.',
  }),
});

const StoreOrderRefundSchema = Type.Object({
  amount: cents("The store's part."),
  by: Type.Enum([...REFUNDERS, 'account', 'gateway'], { description: '`gateway`: a refund made at the card gateway.' }),
  reason: Type.String({ description: 'The reason shown to the customer. Empty if there is none.' }),
  at: Type.Integer({ description: 'Epoch seconds.' }),
  is_done: Type.Boolean({ description: '`false` until the gateway has responded.' }),
});

/** The Order element without members that concern only the account and its customer, with the kitchen's members. */
export const StoreOrderSchema = component('StoreOrder', 'An order as its store sees it.', {
  ...SHARED_ORDER_MEMBERS,
  items: Type.Array(StoreOrderItemSchema),
  final_quote: StoreQuoteSchema,
  user_name: Type.String({ description: "The customer's first name and last initial." }),
  tracking_link: Type.String({ description: 'Shows the order without its `key`, so it permits no changes.' }),
  min_age: orNull(
    Type.Integer(),
    "The recipient's minimum age for an order with alcohol, which requires an ID check. Otherwise null.",
  ),
  order_number: Type.String({ description: "The order's short number for the counter." }),
  total_with_tip: cents(
    "The store's prices, fees and taxes, and the full tip, as ordered. For items sold by weight, at the measured weights once they have left.",
  ),
  adjusted_amount: cents('The amount that missing items and substitutes have taken off `total_with_tip`.'),
  refunded_amount: cents("The store's part of the refunds to the customer."),
  refunds: Type.Array(StoreOrderRefundSchema, {
    description:
      'Refunds requested or made at the gateway, excluding refunds for missing items, lower weights and cancellations.',
  }),
  offered_at: moment('When the order is sent to the store.'),
  received_at: moment('When the first store channel received the order. Null for a sandbox order.'),
  confirm_by: moment('When an unconfirmed order is canceled.'),
  quoted_ready_by: Type.Integer({
    description: 'When the food must be ready for the quoted arrival, in epoch seconds.',
  }),
  quoted_preparation_minutes: Type.Integer({
    description: "The store's prep time for the order, the middle of its range: a default for `confirm`.",
  }),
  ready_by: moment("When the store says it's ready. For a scheduled order, not before `quoted_ready_by`."),
  store_part: describedObject(
    "The store's earnings from the order in cents. `total` includes its fees and taxes, minus its own discounts (`discount_cents`), without the tip.",
    {
      subtotal: Type.Integer(),
      discount_cents: Type.Optional(cents('The discount that the store pays. Absent if there is none.')),
      sales_tax_cents: Type.Integer(),
      taxes: TaxesByName,
      total: Type.Integer(),
    },
  ),
  driver_link: orNull(Type.String(), "The page for the store's own driver. Null if there is none."),
  driver_link_texted: Type.Boolean({ description: 'Whether that driver is texted the link. If not, share it.' }),
  driver_accepted_at: moment("When the store's own driver accepted the delivery on the driver's page."),
  steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps currently available.' }),
});

export type StoreOrder = Static<typeof StoreOrderSchema>;
type StoreOrderOption = StoreOrder['items'][number]['options'][number];

/** How many days after its end a store sees how to reach an order's customer (docs/store-api.md#past-orders). */
const CONTACT_DAYS = 3;

/**
 * Returns an order as its store may see it: the customer by first name and last initial, without the account's private
 * facts; some days after its end also without phone, address and notes, and without the driver's phone and position.
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
  const part = storePartOf(order);
  const { totalCents, dueCents } = storeTotals(order, part);
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
    total_with_tip: totalCents,
    adjusted_amount: totalCents - dueCents,
    refunded_amount: storeRefundedCents(order),
    refunds: refunds.flatMap(presentRefund),
    offered_at: epochSecondsOrNull(order.offerAt),
    received_at: epochSecondsOrNull(order.receivedAt),
    confirm_by: order.status === 'awaiting_confirmation' ? epochSecondsOrNull(order.confirmBy) : null,
    quoted_ready_by: quotedReadyEpochS(order),
    quoted_preparation_minutes: quotedPreparationMinutes(order),
    ready_by: epochSecondsOrNull(order.readyBy),
    store_part: part,
    driver_link: driverLink,
    driver_link_texted: driverLink !== null && order.driver.isLinkTexted === true,
    driver_accepted_at: order.driver.acceptedEpochS ?? null,
    steps: possibleSteps(order),
  };
}

/** An item's prices without its menu price, in the store's part; for goods by weight the final one too. */
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

/** Returns the store's part of the price, without tip: the items that it hands off, its fees and tax. */
export function storePartOf(order: Pick<Order, 'quote' | 'adjustments'>): StoreOrder['store_part'] {
  const taxation = taxationOf(order);
  const { salesCents, deliveryFeesCents, serviceFeesCents, storeDiscountCents = 0 } = sharesOfOrder(order, taxation);
  const { salesTaxCents, taxes } = taxation.price;
  return {
    subtotal: salesCents,
    ...(storeDiscountCents < 0 && { discount_cents: -storeDiscountCents }),
    sales_tax_cents: salesTaxCents,
    taxes: presentTaxes(taxes),
    total: salesCents + deliveryFeesCents + serviceFeesCents + salesTaxCents + storeDiscountCents,
  };
}

/**
 * The totals at the store's prices with the tip: of the handoff, and as agreed until weighed goods have left. Of an order
 * with nothing left, only later tips.
 */
function storeTotals(order: Order, { total }: StoreOrder['store_part']) {
  const dueCents = total + sharesOfOrder(order).tipCents + order.addedTipCents + order.waivedTipCents;
  const agreedCents = ofStore(order.quote).totalWithoutTipsCents + tipOf(order);
  return { dueCents, totalCents: weighedTotalCents(order) === null ? agreedCents : dueCents };
}

/** Returns the store's part of the refunds, without the account's part and its taxes. */
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
