import { present } from 'doorstep/collections';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import { movementOf } from '../../ordering/order/money-plan.ts';
import {
  type FrozenQuote,
  hasLeftTheStore,
  type Order,
  type QuotedItem,
  shownOrderNumber,
} from '../../ordering/order/order.ts';
import type { EventRow } from '../../ordering/order/order-events.db.ts';
import type { EventData } from '../../ordering/order/order-events.ts';
import { possibleSteps } from '../../ordering/order/order-view.ts';
import { dueCents } from '../../ordering/order/reprice-order.ts';
import { lineDiscountCents } from '../../ordering/order/shown-discounts.ts';
import { itemChanges } from '../../ordering/order/wording.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { writeStreet } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { METHODS } from './catalog-request.ts';
import type { ShopLine, UcpCheckout } from './checkout.ts';
import { estimateOf, lineTotals, totalsOf } from './checkout-lines.ts';
import type { Message } from './contract.ts';
import { measureOf, orderedUnits } from './quantities.ts';

/* A placed order as platforms see it: lines and totals as placed, its events, and the payments since. */

export type OrderView = {
  order: Order;
  events: readonly EventRow[];
  /** Absent for an order that no platform made. */
  checkout: Pick<UcpCheckout, 'checkoutId' | 'input'> | undefined;
  site: TrackingSite;
  /** Whether the account lets customers cancel. */
  customerCancel: boolean;
  locale: Locale;
};

export function presentOrder(view: OrderView): object {
  const { order, checkout, site, customerCancel, locale } = view;
  const { orderId, quote } = order;
  const link = trackingLinkOf(site, orderId);
  const canCancel = customerCancel && possibleSteps(order).includes('cancel');
  const content = locale.words.agent.order.cancel({ link });
  const messages: Message[] = [
    ...estimateOf(order, locale),
    ...(canCancel ? [{ type: 'info' as const, code: 'cancel_possible', content }] : []),
  ];
  const lines = linesOf(view);
  return {
    id: orderId,
    label: shownOrderNumber(order),
    checkout_id: checkout?.checkoutId ?? orderId,
    permalink_url: link,
    currency: currencyOf(quote.store.country),
    line_items: lines,
    fulfillment: { expectations: [expectationOf(view, lines)], events: fulfillmentEvents(view, lines, link) },
    adjustments: adjustmentsOf(view, lines),
    totals: totalsOf(quote, locale),
    ...(messages.length > 0 ? { messages } : {}),
  };
}

type Line = { id: string; quantity: { original: number; total: number } };

function linesOf({ order, checkout }: OrderView) {
  const { quote, status } = order;
  const isDone = status === 'completed';
  const left = fulfilledItems(order);
  return quote.items.map((item, nth) => {
    const id = checkout?.input.line_items[nth]?.id ?? `li_${nth + 1}`;
    const wanted = checkout?.input.wanted?.find((line) => line.id === id);
    const units = unitsOfLine(item, wanted, quote.store);
    const { quantity = 0, scaled } = left[nth] ?? {};
    const handed = units && quantity > 0 ? units.stepsOf(scaled?.milli ?? units.ordered) : quantity;
    const total = status === 'canceled' ? 0 : handed;
    const { price = item.markedUnitCents, members = {} } = units ?? {};
    return {
      id,
      item: { id: wanted?.itemId ?? item.productId, title: item.name, price, ...members },
      quantity: { original: units?.stepsOf(units.ordered) ?? item.quantity, total, fulfilled: isDone ? total : 0 },
      totals: lineTotals(item.markedTotalCents, lineDiscountCents(quote, nth)),
      status: total === 0 ? 'removed' : isDone ? 'fulfilled' : 'processing',
    };
  });
}

/** How a line of goods by weight is counted; undefined for others. */
function unitsOfLine(
  item: QuotedItem,
  wanted: ShopLine | undefined,
  { country }: Pick<FrozenQuote['store'], 'country'>,
) {
  const { weight, basePriceCents } = item;
  if (!weight) return undefined;
  const terms = { scale: wanted?.units?.quantity_unit?.scale, currency: currencyOf(country) };
  return { ordered: weight.ordered, ...orderedUnits({ weight, basePriceCents }, terms) };
}

/** The rest of an order; for a canceled one, its former content. */
function unitsOf(lines: readonly Line[]) {
  const left = lines.filter(({ quantity }) => quantity.total > 0);
  if (left.length > 0) return left.map(({ id, quantity }) => ({ id, quantity: quantity.total }));
  return lines.map(({ id, quantity }) => ({ id, quantity: quantity.original }));
}

function expectationOf({ order, locale }: OrderView, lines: readonly Line[]): object {
  const { quote, request } = order;
  const { customer } = request;
  const { minimum, maximum } = quote.minutes;
  const isPickup = request.mode === 'pickup';
  const door = {
    street_address: writeStreet(customer),
    extended_address: customer.aptNum || undefined,
    address_locality: customer.city,
    address_region: customer.state,
    postal_code: customer.zipcode,
    address_country: customer.country,
  };
  return {
    id: 'exp_1',
    line_items: unitsOf(lines),
    method_type: isPickup ? METHODS.pickup : METHODS.delivery,
    destination: isPickup
      ? { street_address: quote.store.address, address_country: quote.store.country }
      : present(door),
    description: quote.scheduled
      ? quote.expectedTimeOfArrival
      : locale.words.shop.list.minutes({ from: minimum, to: maximum }),
  };
}

const STEPS: Readonly<Record<string, string>> = {
  'order.confirmed': 'processing',
  'order.picked_up': 'shipped',
  'order.driver_nearby': 'in_transit',
};

function stepOf({ type, data }: EventRow, isPickup: boolean): string | undefined {
  if (type === 'order.ready') return isPickup ? 'ready_for_pickup' : undefined;
  if (type === 'order.completed') return isPickup ? 'picked_up' : 'delivered';
  if (type === 'order.canceled') return data.reason === 'undeliverable' ? 'undeliverable' : 'canceled';
  return STEPS[type];
}

function fulfillmentEvents({ order, events }: OrderView, lines: readonly Line[], link: string): object[] {
  const isPickup = order.request.mode === 'pickup';
  return events.flatMap((event) => {
    const type = stepOf(event, isPickup);
    if (type === undefined) return [];
    return {
      id: `evt_${event.sequence}`,
      occurred_at: isoSeconds(event.at),
      type,
      line_items: unitsOf(lines),
      tracking_number: shownOrderNumber(order),
      tracking_url: link,
      ...(isPickup ? {} : { carrier: 'Courier' }),
    };
  });
}

/** The line of a change: the change of its units or steps of weight; of pieces sold by weight, their measured weight. */
function changedLine(
  { order: { quote }, checkout }: OrderView,
  lines: readonly Line[],
  { index, quantity, from_quantity: before, weight }: EventData<'order.item_changed'>,
) {
  const item = quote.items[index];
  const id = lines[index]?.id ?? `li_${index + 1}`;
  const wanted = checkout?.input.wanted?.find((line) => line.id === id);
  const units = item && unitsOfLine(item, wanted, quote.store);
  if (!item?.weight || !units || !weight) return { id, quantity: quantity - before };
  const { from, to, unit } = weight;
  const steps = units.stepsOf(to) - units.stepsOf(from);
  const isByPiece = item.weight.pieces !== undefined;
  return { id, quantity: steps, ...(isByPiece && to > 0 ? { measure: measureOf(unit, to) } : {}) };
}

/**
 * Changes of the total since placing: refunds, and reductions of an order that is charged as handed off. A refund that
 * follows from another event is part of that event's adjustment; one of a charge above the total of weighed goods is
 * none.
 */
function adjustmentsOf(view: OrderView, lines: readonly Line[]): object[] {
  const { order, events, locale } = view;
  const changes = itemChanges(order, locale);
  const { chargedCents, quote, addedTipCents } = order;
  const isTakenBefore = (end: number) =>
    movementOf(order, 'leave') === 'nothing'
      ? chargedCents > 0
      : events.some(({ type, sequence }) => type === 'order.captured' && sequence < end);
  const keptCents = hasLeftTheStore(order) ? quote.tipCents + addedTipCents : 0;
  const isRefundedLater = chargedCents > 0 && movementOf(order, 'change') !== 'lower';
  const isRefunded = (kind: string, after: number) =>
    events.some(({ type, sequence, data }) => type === 'order.refunded' && sequence > after && data.kind === kind);
  return events.flatMap((event) => {
    const { sequence, at } = event;
    const moved = (type: string, amount: number, status: 'completed' | 'pending', more: object = {}) => ({
      id: `adj_${sequence}`,
      type,
      occurred_at: isoSeconds(at),
      status,
      ...(amount === 0 ? {} : { totals: [{ type: 'total', amount }] }),
      ...more,
    });
    const statusOf = (kind: string, cents: number) =>
      cents === 0 || isRefunded(kind, sequence) ? 'completed' : 'pending';
    switch (event.type) {
      case 'order.item_changed': {
        const { index, refund_cents: cents, less_cents: less } = event.data;
        const more = {
          line_items: [changedLine(view, lines, event.data)],
          ...present({ description: changes[index] }),
        };
        return moved('price_adjustment', isRefundedLater ? -cents : -less, statusOf('item_changed', cents), more);
      }
      case 'order.canceled':
        return moved(
          'cancellation',
          -(isTakenBefore(sequence) ? event.data.refund_cents : Math.max(0, dueCents(order) - keptCents)),
          statusOf('canceled', event.data.refund_cents),
        );
      case 'order.refunded':
        return /^(item_changed|canceled|weighed)$/.test(event.data.kind)
          ? []
          : moved('refund', -event.data.refund_cents, 'completed');
      case 'order.tipped':
        return moved('tip', event.data.added_cents - (event.data.waived_cents ?? 0), 'completed');
      default:
        return [];
    }
  });
}
