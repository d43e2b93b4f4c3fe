import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { type CheckoutLinkDeps, checkoutMember } from '../../ordering/order/checkout-link.ts';
import { handoverOf } from '../../ordering/order/drop-off.ts';
import { expectedTime } from '../../ordering/order/kitchen-times.ts';
import {
  type FrozenQuote,
  hasEnded,
  isWeighedOrder,
  ORDER_STATUSES,
  type Order,
  type QuotedItem,
} from '../../ordering/order/order.ts';
import { formatEta, orderZone } from '../../ordering/order/order-times.ts';
import {
  arrivalOf,
  chosenOptions,
  givenBackCents,
  orderTotalCents,
  otherFeesCents,
  tipOf,
  weighedTotalCents,
} from '../../ordering/order/order-view.ts';
import { adjustedCents } from '../../ordering/order/reprice-order.ts';
import { presentDiscounts } from '../../ordering/order/shown-discounts.ts';
import { holdCents } from '../../ordering/order/weighed-order.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { itemsInWords, type Rejection } from '../../supply/pricing/promotion.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';
import type { presentRejectedCodes } from '../../supply/promotions/rejected-codes.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { clip, clockTime, MAX_NAME, money, takeFitting } from './tool.ts';

/** Maximum bytes of `items` per answer. */
const MAX_ITEMS_BYTES = 5 * 1024;
const MAX_CHOICES = 240;

const ENGLISH = localeOf('en', 'US');

const text = (description?: string) => ({ type: 'string', description });
const WHOLE = { type: 'integer' };
const FLAG = { type: 'boolean' };
const NAME = text();
const shape = (properties: object, description?: string) => ({ type: 'object', properties, description });
const LIST = { type: 'array' };
const listOf = (items: object) => ({ type: 'array', items });

/**
 * JSON Schema of an order, in the list of tools once: every tool of orders answers one. No member is required, because
 * clients check errors against it too.
 */
export const SHOWN_ORDER = {
  ...shape({
    order_id: NAME,
    order_number: NAME,
    status: { enum: ORDER_STATUSES },
    order_placed: FLAG,
    is_sandbox: FLAG,
    mode: NAME,
    language: NAME,
    store: shape({ store_id: NAME, name: NAME, address: NAME }),
    items: listOf(shape({ name: NAME, quantity: {}, choices: NAME, notes: NAME, total_cents: WHOLE })),
    items_not_shown: WHOLE,
    drop_off: { type: 'object' },
    handover_notes: NAME,
    min_age: { ...WHOLE, description: 'The age of the recipient, who must show an ID' },
    is_estimate: FLAG,
    currency: NAME,
    taxes: listOf(shape({ name: NAME, amount_cents: WHOLE })),
    discounts: LIST,
    rejected_codes: LIST,
    slot: shape({ from: NAME, to: NAME }, 'By the clock of time_zone, else of the store'),
    time_zone: NAME,
    expected: text('At the latest, local'),
    expected_minutes: text('From now'),
    is_ready: FLAG,
    driver: shape({ stage: NAME, name: NAME }),
    cancel_reason: NAME,
    tracking_link: NAME,
    checkout_url: text('For the customer to pay'),
    suggested_tips: listOf(shape({ percent: WHOLE, tip_cents: WHOLE })),
    missing_to_place: listOf(NAME),
    next: NAME,
  }),
  // Each amount is there in cents and, without the suffix, as text.
  patternProperties: {
    '^(subtotal|(delivery|service|small_order)_fee|markup|other_fees|(added|sales)_tax|discount|tip|total|at_most|refunded|adjusted)_cents$':
      WHOLE,
  },
};

/** Renders an order for a model: contents, cost and progress. */
export function showOrder(order: Order, checkout: CheckoutLinkDeps) {
  const { site, hasToken } = checkout;
  const { quote, request } = order;
  const adjusted = adjustedCents(order);
  const minAge = minAgeOf(order);
  const { dropOff, notes } = handoverOf(order);
  return {
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    status: order.status,
    order_placed: order.placedAt !== null,
    is_sandbox: order.mode === 'sandbox',
    mode: request.mode,
    ...(request.customer.language ? { language: request.customer.language } : {}),
    store: {
      store_id: quote.store.storeId,
      name: clip(quote.store.name, MAX_NAME),
      address: clip(quote.store.address, 240),
    },
    ...showItems(quote.items),
    ...(dropOff ? { drop_off: dropOff } : {}),
    ...(notes === '' ? {} : { handover_notes: clip(notes, MAX_CHOICES) }),
    ...(minAge === null ? {} : { min_age: minAge }),
    currency: currencyOf(quote.store.country),
    ...showAmounts(quote),
    ...showDiscounts(order),
    ...money('tip', tipOf(order)),
    ...money('total', orderTotalCents(order)),
    ...showEstimate(order),
    ...(givenBackCents(order) > 0 ? money('refunded', givenBackCents(order)) : {}),
    ...(adjusted === 0 ? {} : money('adjusted', adjusted)),
    ...showSlot(order),
    ...showExpected(order, checkout.now),
    ...showProgress(order),
    ...(order.placedAt === null
      ? {}
      : { tracking_link: trackingLinkOf(hasToken ? { siteUrl: site.siteUrl } : site, order.orderId) }),
    ...checkoutMember(order, checkout),
  };
}

/** Whether the total of goods by weight is an estimate, and the most that can be charged. */
function showEstimate(order: Order) {
  if (!isWeighedOrder(order.quote)) return {};
  const atMost = money('at_most', holdCents(order.quote) + order.addedTipCents);
  return { is_estimate: weighedTotalCents(order) === null, ...atMost };
}

/** The slot of a scheduled order, by the order's clock. */
function showSlot(order: Order) {
  const { scheduled, store } = order.quote;
  if (!scheduled) return {};
  const [timeZone] = orderZone(order);
  const at = (epochS: number) => clockTime(timeZone, instantOfEpochSeconds(epochS));
  const slot = { from: at(scheduled.startEpochS), to: at(scheduled.endEpochS) };
  return timeZone === store.timeZone ? { slot } : { slot, time_zone: timeZone };
}

/** Shows when the customer gets an order that has not ended; for an unplaced one, as quoted. */
function showExpected(order: Order, now: Temporal.Instant): { expected?: string; expected_minutes?: string } {
  if (hasEnded(order)) return {};
  const { minutes } = order.quote;
  const zone = orderZone(order);
  const dayOf = (at: Temporal.Instant) => clockTime(zone[0], at).slice(0, 'YYYY-MM-DD'.length);
  const dayBefore = (at: Temporal.Instant) => (dayOf(at) === dayOf(now) ? '' : `${dayOf(at)} `);
  const shown = (at: Temporal.Instant, from: number, to: number) => ({
    expected: dayBefore(at) + formatEta(at, zone),
    expected_minutes: `${from} to ${to}`,
  });
  if (order.status === 'unplaced') return shown(arrivalOf(order), minutes.minimum, minutes.maximum);
  const { earliestEpochS, latestEpochS } = expectedTime(order, now);
  const minutesTo = (epochS: number) => Math.max(0, Math.ceil((epochS - epochSeconds(now)) / 60));
  return shown(instantOfEpochSeconds(latestEpochS), minutesTo(earliestEpochS), minutesTo(latestEpochS));
}

function showProgress({ driver, driverStage, isReady, cancelReason, status }: Order) {
  return {
    ...(isReady ? { is_ready: true } : {}),
    ...(driverStage === 'none'
      ? {}
      : { driver: { stage: driverStage, ...(driver.name ? { name: clip(driver.name, 60) } : {}) } }),
    ...(status === 'canceled' && cancelReason ? { cancel_reason: clip(cancelReason, MAX_CHOICES) } : {}),
  };
}

function showAmounts(quote: FrozenQuote) {
  const other = otherFeesCents(quote);
  return {
    ...money('subtotal', quote.subtotalCents),
    ...money('delivery_fee', quote.deliveryFeeCents),
    ...money('service_fee', quote.serviceFeeCents),
    ...(quote.smallOrderFeeCents === 0 ? {} : money('small_order_fee', quote.smallOrderFeeCents)),
    ...(quote.markupCents === 0 ? {} : money('markup', quote.markupCents)),
    ...(other === 0 ? {} : money('other_fees', other)),
    ...(quote.addedFee.salesTaxCents === 0 ? {} : money('added_tax', quote.addedFee.salesTaxCents)),
    ...money('sales_tax', quote.salesTaxCents),
    ...(quote.taxes ? { taxes: quote.taxes.map(({ name, cents }) => ({ name, ...money('amount', cents) })) } : {}),
  };
}

function showDiscounts(order: Order) {
  const { discount_cents: cents = 0, discounts = [], rejected_codes: rejected } = presentDiscounts(order);
  const shown = discounts.map(({ title, code, amount }) => ({
    title: clip(title, MAX_NAME),
    ...(code === undefined ? {} : { code }),
    ...money('amount', amount),
  }));
  return {
    ...(shown.length === 0 ? {} : { ...money('discount', cents), discounts: shown }),
    ...(rejected ? { rejected_codes: rejected.map(showRejectedCode) } : {}),
  };
}

type Rejected = ReturnType<typeof presentRejectedCodes>[number];

function showRejectedCode({ code, reason, missing_cents: cents, items }: Rejected) {
  const missing = cents === undefined ? undefined : money('missing', cents);
  const named = itemsInWords(items, ENGLISH.words.checkout.promoCode, ENGLISH.format) ?? 'its items';
  return { code, reason, ...missing, what_to_do: TO_DO_ABOUT[reason](missing?.missing ?? '', named) };
}

/** What to do about a code that does not apply, and about a minimum that is missed by an amount. */
const TO_DO_ABOUT: Readonly<Record<Rejection, (missing: string, items: string) => string>> = {
  not_valid: () => 'Ask for the correct code, or leave it out.',
  not_yet: () => "Leave it out: it hasn't started.",
  wrong_store: () => 'Leave it out, or order from a store where it applies.',
  wrong_mode: () => 'Leave it out, or quote with the other value of pickup.',
  wrong_time: () => 'Leave it out, or order for a time when it applies.',
  minimum_not_met: (missing, items) => `Add ${missing} more of ${items}, or leave it out.`,
  no_matching_items: () => 'Add one of its items, or leave it out.',
  only_alcohol: () => 'Add an item without alcohol, or leave it out.',
  first_order_only: () =>
    'Quote with user_id and user_phone: it applies only to a first order. If they are sent, leave it out.',
  already_used: () => 'Leave it out: this user has already used it.',
  used_up: () => "Leave it out: it's used up.",
  nothing_to_discount: () => 'Leave it out: there is nothing to discount.',
  better_offer_applied: () => 'Leave it out: a better offer applies instead.',
  duplicate: () => 'Send it once.',
};

function showItems(items: readonly QuotedItem[]) {
  const shown = takeFitting(items.map(showItem), MAX_ITEMS_BYTES);
  const left = items.length - shown.length;
  return { items: shown, ...(left > 0 ? { items_not_shown: left } : {}) };
}

/** As ordered, and as `quote_order` takes it: a count of units or pieces, or a weight with its unit. */
const shownQuantity = ({ quantity, weight }: QuotedItem): number | string =>
  weight ? (weight.pieces ?? `${decimalOfMilli(weight.ordered)} ${weight.unit}`) : quantity;

function showItem(item: QuotedItem) {
  const choices = chosenOptions(item.customizations)
    .map(({ name, quantity }) => (quantity > 1 ? `${name} x${quantity}` : name))
    .join(', ');
  return {
    name: clip(item.name, MAX_NAME),
    quantity: shownQuantity(item),
    ...(choices === '' ? {} : { choices: clip(choices, MAX_CHOICES) }),
    ...(item.notes === '' ? {} : { notes: clip(item.notes, MAX_NAME) }),
    ...money('total', item.totalCents),
  };
}
