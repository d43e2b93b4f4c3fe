import { sumCents } from '../../platform/lib/money.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { allowsStep } from './advance-order.ts';
import { fulfilledItems } from './fulfilled-items.ts';
import { isChargedHere } from './money-plan.ts';
import {
  ADVANCE_EVENTS,
  type AdvanceEvent,
  type FrozenQuote,
  hasEnded,
  hasLeftTheStore,
  isTipReturned,
  type Order,
  type OrderStatus,
  type Paid,
  paidCents,
} from './order.ts';
import { repriceOrder } from './reprice-order.ts';
import { isWeighedOrder } from './weighed-order.ts';

/**
 * Derived facts of an order, computed in one place for every surface: tracking page, console, operators, tickets,
 * messages, webhooks, agents and the command line. The quote holds promised values; these are current ones.
 */

type Totaled = Pick<Order, 'quote' | 'adjustments' | 'status' | 'driverStage' | 'chargeState' | 'capturedCents'>;

/** Returns the quote's total, or a weighed order's final total, plus later tips. */
export function orderTotalCents(order: Totaled & Pick<Order, 'addedTipCents'>): number {
  return (weighedTotalCents(order) ?? order.quote.totalWithTipCents) + order.addedTipCents;
}

/** Returns the final total of goods by weight, without later tips; null until it left the store, and for others. */
export function weighedTotalCents(order: Totaled): number | null {
  if (order.capturedCents !== null) return order.capturedCents;
  const isHeld = order.chargeState === 'authorized' || order.chargeState === 'capturing';
  const isGone = hasLeftTheStore(order) || order.status === 'completed';
  return isGone && !isHeld && isWeighedOrder(order.quote) ? repriceOrder(order).totalWithTipCents : null;
}

/** Returns the refunded part of `orderTotalCents`, without any excess charged before the goods were weighed. */
export function givenBackCents(
  order: Totaled & Pick<Order, 'moneyPlan' | 'authorizedCents' | 'refundedCents'>,
): number {
  const { moneyPlan, authorizedCents, refundedCents, quote } = order;
  if (moneyPlan !== 'maximum_charged') return refundedCents;
  const beyondCents = (authorizedCents ?? 0) - (weighedTotalCents(order) ?? quote.totalWithTipCents);
  return Math.max(0, refundedCents - beyondCents);
}

/** Returns what `givenBackCents` will be once the booked refunds are made. */
export const goingBackCents = (order: Order): number =>
  givenBackCents({ ...order, refundedCents: order.refundedCents + order.refundingCents });

/** Returns the amount held until capture; null for a hold that was never made, or was voided. */
export function heldCents(
  order: Pick<Order, 'moneyPlan' | 'authorizedCents' | 'capturedCents' | 'holdUntil' | 'status' | 'driverStage'>,
) {
  const { moneyPlan, authorizedCents, capturedCents, holdUntil } = order;
  const isHeld = holdUntil !== null && !isTipReturned(order);
  return moneyPlan === 'held' && (isHeld || (capturedCents ?? 0) > 0) ? authorizedCents : null;
}

/** Returns the total tip of an order: the quoted tip plus later additions. */
export function tipOf(order: Pick<Order, 'quote' | 'addedTipCents' | 'waivedTipCents'>): number {
  return order.quote.tipCents + order.addedTipCents + order.waivedTipCents;
}

/** Returns when the order was placed, or created if it is unplaced. */
export function placedAtOf({ placedAt, createdAt }: Pick<Order, 'placedAt' | 'createdAt'>): Temporal.Instant {
  return placedAt ?? createdAt;
}

/** Returns when the store is offered the order. */
export function offeredAtOf(order: Pick<Order, 'offerAt' | 'placedAt' | 'createdAt'>): Temporal.Instant {
  return order.offerAt ?? placedAtOf(order);
}

/** Returns the expected time of delivery or pickup: the latest estimate, otherwise the quoted time. */
export function arrivalOf({ eta, quote }: Pick<Order, 'eta'> & { quote: Pick<Order['quote'], 'etaEpochS'> }) {
  return eta ?? instantOfEpochSeconds(quote.etaEpochS);
}

/** Returns the number of units that the store hands off, without missing ones. */
export function unitCountOf(order: Pick<Order, 'quote' | 'adjustments'>): number {
  return fulfilledItems(order).reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * A chosen option. `depth` is its nesting level, `parentId` the option above it, `priceCents` the price of one unit.
 */
type ChosenOption = {
  customization: string;
  id: string;
  parentId: string | undefined;
  name: string;
  priceCents: number;
  quantity: number;
  depth: number;
};

/** Returns the chosen options of an item in menu order, nested options after their parent. */
export function chosenOptions(from: readonly PricedCustomization[], depth = 0, parentId?: string): ChosenOption[] {
  return from.flatMap(({ name: customization, options }) =>
    options.flatMap(({ id, name, priceCents, quantity, customizations: nested }) => [
      { customization, id, parentId, name, priceCents, quantity, depth },
      ...chosenOptions(nested, depth + 1, id),
    ]),
  );
}

/** Lists the steps that the order can take now; none if it is unplaced or has ended. */
export function possibleSteps(order: Order): AdvanceEvent[] {
  return ADVANCE_EVENTS.filter((event) => allowsStep(order, event));
}

/** Whether the hosted checkout offers to order again: only for ended orders that the customer paid for. */
export function allowsReorder(order: Pick<Order, 'status' | 'placedAt' | 'isForgotten' | 'moneyPlan'>) {
  return hasEnded(order) && order.placedAt !== null && isChargedHere(order) && !order.isForgotten;
}

/** Statuses of a placed order that has not ended. */
export const UNDER_WAY: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress'];

/** The card that holds or paid the money of an order; the last given one may have declined. */
export const payingMethodId = ({ request }: Pick<Order, 'request'>): string | null =>
  request.heldPaymentMethodId ?? request.paymentMethodId;

export const isUnderWay = ({ status }: Pick<Order, 'status'>): boolean => UNDER_WAY.includes(status);

/** Whether the order is final: completed, or canceled and fully refunded. */
export function isSettled(order: Pick<Order, 'status' | 'chargeState'>): boolean {
  const isMoneyMoving = ['pending', 'capturing', 'refund_pending'].includes(order.chargeState);
  return hasEnded(order) && !(order.status === 'canceled' && isMoneyMoving);
}

/** Whether notes, apartment, name and phone may change: until a driver or the customer may have the order. */
export function isUpdatable(order: Order): boolean {
  if (order.status === 'unplaced' || hasEnded(order) || hasLeftTheStore(order)) return false;
  return order.request.mode === 'delivery' || !order.isReady;
}

/** Returns the cents that a cancelation now would refund, including booked refunds. */
export const refundOnCancelCents = (order: Paid): number => paidCents(order) + order.refundingCents;

/** Fees that the account adds to an order: `added_fee` and `misc_fees`. */
export function otherFeesCents({ addedFee, miscFees }: FrozenQuote): number {
  return addedFee.totalCents + sumCents(miscFees.map(({ amountCents }) => amountCents));
}
