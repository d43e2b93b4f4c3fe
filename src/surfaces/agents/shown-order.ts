import { Type } from 'typebox';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { type CheckoutLinkDeps, checkoutMember } from '../../ordering/order/checkout-link.ts';
import { handoverOf } from '../../ordering/order/drop-off.ts';
import { expectedTime } from '../../ordering/order/kitchen-times.ts';
import { type FrozenQuote, hasEnded, ORDER_STATUSES, type Order, type QuotedItem } from '../../ordering/order/order.ts';
import { arrivalOf, chosenOptions, orderTotalCents, tipOf } from '../../ordering/order/order-view.ts';
import { adjustedCents } from '../../ordering/order/reprice-order.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { formatEta } from '../../supply/stores/time-estimate.ts';
import { clip, MAX_NAME, maybeMoney, money, moneySchema, takeFitting } from './tool.ts';

/** Maximum bytes of `items` per answer. */
const MAX_ITEMS_BYTES = 5 * 1024;
const MAX_CHOICES = 240;

/** Output schema of `showOrder`. */
export const SHOWN_ORDER = {
  order_id: Type.String(),
  order_number: Type.Optional(Type.String()),
  status: Type.Enum([...ORDER_STATUSES]),
  order_placed: Type.Boolean(),
  is_sandbox: Type.Boolean(),
  mode: Type.String(),
  language: Type.Optional(Type.String()),
  store: Type.Object({ store_id: Type.String(), name: Type.String(), address: Type.String() }),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      quantity: Type.Integer(),
      choices: Type.Optional(Type.String()),
      notes: Type.Optional(Type.String()),
      ...moneySchema('total'),
    }),
  ),
  items_not_shown: Type.Optional(Type.Integer()),
  drop_off: Type.Optional(Type.Object({ where: Type.String(), utensils: Type.Boolean(), code: Type.Boolean() })),
  handover_notes: Type.Optional(Type.String({ description: 'For the driver, or the store of a pickup.' })),
  min_age: Type.Optional(Type.Integer({ description: 'With alcohol: minimum age of the recipient, who shows an ID.' })),
  currency: Type.String(),
  ...moneySchema('subtotal'),
  ...moneySchema('delivery_fee'),
  ...moneySchema('service_fee'),
  ...maybeMoney('small_order_fee'),
  ...maybeMoney('markup'),
  ...maybeMoney('other_fees'),
  ...maybeMoney('added_tax'),
  ...moneySchema('sales_tax'),
  taxes: Type.Optional(Type.Array(Type.Object({ name: Type.String(), ...moneySchema('amount') }))),
  ...moneySchema('tip'),
  ...moneySchema('total'),
  ...maybeMoney('refunded'),
  ...maybeMoney('adjusted'),
  expected: Type.Optional(
    Type.String({ description: 'When it arrives or is ready, at the latest; absent once it has ended.' }),
  ),
  expected_minutes: Type.Optional(Type.String({ description: 'From now, such as 21 to 32.' })),
  is_ready: Type.Optional(Type.Boolean()),
  driver: Type.Optional(Type.Object({ stage: Type.String(), name: Type.Optional(Type.String()) })),
  cancel_reason: Type.Optional(Type.String()),
  tracking_link: Type.Optional(Type.String()),
  checkout_url: Type.Optional(
    Type.String({ description: 'Of an unplaced order: a page on which the customer pays and places it.' }),
  ),
};

/** Renders an order for a model: contents, cost and progress. */
export function showOrder(order: Order, checkout: CheckoutLinkDeps) {
  const { site } = checkout;
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
    ...money('tip', tipOf(order)),
    ...money('total', orderTotalCents(order)),
    ...(order.refundedCents > 0 ? money('refunded', order.refundedCents) : {}),
    ...(adjusted === 0 ? {} : money('adjusted', adjusted)),
    ...showExpected(order, checkout.now),
    ...showProgress(order),
    ...(order.placedAt === null ? {} : { tracking_link: trackingLinkOf(site, order.orderId) }),
    ...checkoutMember(order, checkout),
  };
}

/** Shows when the customer gets an order that has not ended; for an unplaced one, as quoted. */
function showExpected(order: Order, now: Temporal.Instant): { expected?: string; expected_minutes?: string } {
  if (hasEnded(order)) return {};
  const { minutes, store } = order.quote;
  const shown = (at: Temporal.Instant, from: number, to: number) => ({
    expected: formatEta(at, store.timeZone),
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
  const other = quote.addedFee.totalCents + quote.miscFees.reduce((sum, { amountCents }) => sum + amountCents, 0);
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

function showItems(items: readonly QuotedItem[]) {
  const shown = takeFitting(items.map(showItem), MAX_ITEMS_BYTES);
  const left = items.length - shown.length;
  return { items: shown, ...(left > 0 ? { items_not_shown: left } : {}) };
}

function showItem(item: QuotedItem) {
  const choices = chosenOptions(item.customizations)
    .map(({ name, quantity }) => (quantity > 1 ? `${name} x${quantity}` : name))
    .join(', ');
  return {
    name: clip(item.name, MAX_NAME),
    quantity: item.quantity,
    ...(choices === '' ? {} : { choices: clip(choices, MAX_CHOICES) }),
    ...(item.notes === '' ? {} : { notes: clip(item.notes, MAX_NAME) }),
    ...money('total', item.totalCents),
  };
}
