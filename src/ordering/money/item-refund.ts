import { Refusal } from '../../platform/http/refusal.ts';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { fulfilledItems, isAsOrdered } from '../order/fulfilled-items.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { itemTaxes, taxationOf } from '../order/reprice-order.ts';
import { addShares, NO_SHARES, type Shares, sharesOfUnits } from '../order/shares.ts';
import { type FrozenItem, MISSING, type Refund, type RefundedItem } from './refund.ts';

/**
 * An order line for refunds: its units, the marked price of one unit, and its shares of taxes (`itemTaxes`). `lacked`
 * are ordered units that the store does not hand over; absent for a line that is handed over as ordered.
 */
export type RefundLine = { quantity: number; markedUnitCents: number; taxes: readonly number[]; lacked?: number };

type RequestedRefund = Pick<Refund, 'kind' | 'state' | 'items'>;
type OrderPart = Pick<Order, 'quote' | 'adjustments'>;

/** Units of the item at this index. */
export type RefundItemRequest = { index: number; quantity: number };

export type RefundableItems<Earlier = RefundedItem> = {
  lines: readonly RefundLine[];
  /** Units of requested refunds, made or pending. */
  earlier: readonly Earlier[];
};

/** The lines of an order as handed over, for refunds by item. */
export function refundableItems(order: OrderPart, refunds: readonly RequestedRefund[]): RefundableItems<FrozenItem> {
  const taxes = itemTaxes(order);
  const lines = fulfilledItems(order).map((item, index) => {
    const { quantity, orderedQuantity, markedUnitCents } = item;
    const line = { quantity, markedUnitCents, taxes: taxes[index] ?? [] };
    return isAsOrdered(item) ? line : { ...line, lacked: Math.max(0, orderedQuantity - quantity) };
  });
  const requested = refunds.filter(({ kind, state }) => kind === 'requested' && state !== 'failed');
  return { lines, earlier: requested.flatMap(({ items }) => items) };
}

/**
 * The refund of units (docs/payments.md#refunds): marked price and share of tax. Of what the line bears of taxes k of q
 * units get k/q, rounded half away from zero, and the last unit gets the rest. Refuses more units than are left.
 * Missing units that the store has reported too were given back then.
 */
export function priceItemRefund(
  items: RefundableItems,
  requests: readonly RefundItemRequest[],
  isMissing = false,
): RefundedItem[] {
  const given: RefundedItem[] = [];
  for (const request of requests) {
    const known = { ...items, earlier: [...items.earlier, ...given] };
    given.push(isMissing ? priceMissing(known, request) : priceUnits(known, request));
  }
  const more = given.filter(({ quantity }) => quantity > 0);
  if (more.length > 0) return more;
  throw new Refusal('refund_not_allowed', 'The store reported these units as missing: they were given back then.');
}

function priceUnits(items: RefundableItems, { index, quantity }: RefundItemRequest): RefundedItem {
  const line = items.lines[index];
  if (!line) throw new Refusal('refund_not_allowed', `The order has no item ${index}.`);
  const own = unitsGiven(items, index);
  const left = line.quantity - unitsOf(own);
  if (quantity > left) {
    const sentence = `Item ${index} has ${Math.max(0, left)} of its ${line.quantity} units left to give back.`;
    throw new Refusal('refund_not_allowed', sentence);
  }
  // A line that its store has since made cheaper may owe no more tax.
  const open = line.taxes.map((cents, at) => Math.max(0, cents - sumCents(own.map(({ taxes }) => taxes[at] ?? 0))));
  const shareCents = Math.min(shareOf(sumCents(line.taxes), quantity, line.quantity), sumCents(open));
  const taxes = quantity === left || open.length === 0 ? open : splitInProportion(shareCents, open);
  return withTaxes({ index, quantity, cents: line.markedUnitCents * quantity }, taxes);
}

/**
 * The refunded units of a line as it is handed over. The units that the account calls missing are first those that the
 * store lacks; only those beyond count as units that were handed over.
 */
export function unitsGiven({ lines, earlier }: RefundableItems, index: number): readonly RefundedItem[] {
  const own = earlier.filter((item) => item.index === index);
  const lacked = lines[index]?.lacked;
  if (lacked === undefined) return own;
  const others = own.filter(({ missing }) => missing === undefined);
  const quantity = sumCents(own.map(({ missing = 0 }) => missing)) - lacked;
  if (quantity <= 0) return others;
  return [...others, { ...priceUnits({ lines, earlier: others }, { index, quantity }), missing: quantity }];
}

/** The refund of units that the account calls missing, less that of units which it or the store called missing before. */
function priceMissing(items: RefundableItems, request: RefundItemRequest): RefundedItem {
  const { index, quantity: missing } = request;
  if (items.lines[index]?.lacked === undefined) return { ...priceUnits(items, request), missing };
  const counted = { index, quantity: 0, cents: 0, taxCents: 0, taxes: [], missing };
  const givenBy = (earlier: readonly RefundedItem[]) =>
    unitsGiven({ ...items, earlier }, index).find((item) => item.missing !== undefined) ?? counted;
  const [before, after] = [givenBy(items.earlier), givenBy([...items.earlier, counted])];
  const taxes = after.taxes.map((cents, at) => cents - (before.taxes[at] ?? 0));
  const units = { index, quantity: after.quantity - before.quantity, cents: after.cents - before.cents };
  return { ...withTaxes(units, taxes), missing };
}

const unitsOf = (items: readonly RefundedItem[]) => sumCents(items.map(({ quantity }) => quantity));

function withTaxes(units: Pick<RefundedItem, 'index' | 'quantity' | 'cents'>, taxes: readonly number[]): RefundedItem {
  return { ...units, taxCents: sumCents(taxes), taxes };
}

/**
 * Limits a refund to `leftCents`. Adjustments round the shares of what is left again, so that together with earlier
 * refunds they can exceed the charged tax by a cent per share; these cents are subtracted from the tax. Any other
 * excess is refused.
 */
export function fitRounding(
  units: readonly RefundedItem[],
  { lines }: RefundableItems,
  leftCents: number,
): RefundedItem[] {
  const excess = amountOf(units) - leftCents;
  const shares = lines.reduce((sum, { taxes }) => sum + taxes.length, 0);
  if (excess <= 0 || excess > shares) return [...units];
  let rest = excess;
  return units.map((item) => {
    const cut = Math.min(rest, item.taxCents);
    rest -= cut;
    return cut === 0 ? item : withTaxes(item, splitInProportion(item.taxCents - cut, item.taxes));
  });
}

/** Freezes the shares of units that a refund gives back. */
export function withShares(order: OrderPart, items: RefundableItems, units: readonly RefundedItem[]): FrozenItem[] {
  const taxation = taxationOf(order);
  return units.map((item, at) => {
    const given = unitsGiven({ ...items, earlier: [...items.earlier, ...units.slice(0, at)] }, item.index);
    return { ...item, shares: sharesOfUnits(taxation, item, unitsOf(given)) };
  });
}

/** Prices a refund of units beside the order's earlier refunds, and freezes its shares. */
export function priceRefund(
  order: Order,
  refunds: readonly RequestedRefund[],
  requests: readonly RefundItemRequest[],
  reason: string,
): FrozenItem[] {
  const items = refundableItems(order, refunds);
  const units = priceItemRefund(items, requests, reason === MISSING);
  return withShares(order, items, fitRounding(units, items, refundableCents(order)));
}

/** The shares of the refunded units. */
export function sharesOf(units: readonly { shares: Shares }[]): Shares {
  return units.reduce((sum, { shares }) => addShares(sum, shares), NO_SHARES);
}

/** The total of the refunded units. */
export function amountOf(units: readonly RefundedItem[]): number {
  return sumCents(units.map(({ cents, taxCents }) => cents + taxCents));
}
