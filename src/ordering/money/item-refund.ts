import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { decimalOfMilli, type WeightUnit } from '../../supply/pricing/weight.ts';
import { isAsOrdered, refundUnits } from '../order/fulfilled-items.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { NO_CUT, type PayerCents } from '../order/order-discounts.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { addShares, NO_SHARES, type Shares, sharesOfUnits } from '../order/shares.ts';
import { type FrozenItem, MISSING, type Refund, type RefundedItem, type RefundItemRequest } from './refund.ts';

/**
 * An order line for refunds: its units, the marked price of one unit before discounts, its shares of taxes
 * (`Taxation.itemShares`), and its discounts, if it has any. `lacked` are ordered units that the store does not hand
 * off; absent for a line that is handed off as ordered. Goods by weight count thousandths of `unit`, and the price is
 * for all of them.
 */
export type RefundLine = {
  quantity: number;
  unit?: WeightUnit;
  markedUnitCents: number;
  taxes: readonly number[];
  discounts?: PayerCents;
  lacked?: number;
};

type RequestedRefund = Pick<Refund, 'kind' | 'state' | 'items'>;
type OrderPart = Pick<Order, 'quote' | 'adjustments'>;

type WantedUnits = { index: number; quantity: number };

export type RefundableItems<Earlier = RefundedItem> = {
  lines: readonly RefundLine[];
  /** Units of requested refunds, made or pending. */
  earlier: readonly Earlier[];
};

/** The lines of an order as handed off, for refunds by item. */
export function refundableItems(order: OrderPart, refunds: readonly RequestedRefund[]): RefundableItems<FrozenItem> {
  const { items: fulfilled, itemShares, cuts } = taxationOf(order);
  const lines = fulfilled.map((item, index): RefundLine => {
    const { quantity, orderedQuantity, unitCents, listUnitCents, weight } = item;
    const ordered = (item.replaces ?? item).weight?.ordered;
    const markedUnitCents = item.markedUnitCents + listUnitCents - unitCents;
    const { byPayer: discounts } = cuts.lines[index] ?? NO_CUT;
    const line = {
      quantity: refundUnits(item),
      ...(weight && { unit: weight.unit }),
      markedUnitCents,
      taxes: itemShares[index] ?? [],
      ...(sumCents(discounts) > 0 && { discounts }),
    };
    // A substitute for a weight replaces all of it.
    const isWhole = ordered !== undefined && quantity > 0;
    const lacked = isWhole ? 0 : Math.max(0, (ordered ?? orderedQuantity) - quantity);
    return isAsOrdered(item) ? line : { ...line, lacked };
  });
  const requested = refunds.filter(({ kind, state }) => kind === 'requested' && state !== 'failed');
  return { lines, earlier: requested.flatMap(({ items }) => items) };
}

/**
 * The refund of units (docs/payments.md#refunds): marked price less discounts, and share of tax. k of q units get k/q
 * of the line's taxes and discounts, rounded half away from zero, and the last unit gets the rest. Weights work alike,
 * also for the price. Refuses more units than are left. Missing units reported by the store were refunded then.
 */
export function priceItemRefund(
  items: RefundableItems,
  requests: readonly RefundItemRequest[],
  isMissing = false,
): RefundedItem[] {
  const given: RefundedItem[] = [];
  for (const [nth, request] of requests.entries()) {
    const known = { ...items, earlier: [...items.earlier, ...given] };
    const wanted = wantedUnits(known, request, `items[${nth}]`);
    given.push(isMissing ? priceMissing(known, wanted) : priceUnits(known, wanted));
  }
  const more = given.filter(({ quantity }) => quantity > 0);
  if (more.length > 0) return more;
  throw new Refusal('refund_not_allowed', 'The store reported these units as missing, so they were already refunded.');
}

/** A request's units: for items sold by weight a whole `quantity` is in their unit, and up to the rest. */
function wantedUnits(items: RefundableItems, request: RefundItemRequest, name: string): WantedUnits {
  const { index, quantity, milli } = request;
  const line = lineAt(items, index);
  const refuse = (member: string, message: string) =>
    invalidRequest([{ in: 'body', name: `${name}.${member}`, message }]);
  if (line.unit) {
    const left = line.quantity - unitsOf(unitsGiven(items, index));
    return { index, quantity: milli ?? Math.min(left, quantity === undefined ? left : quantity * 1000) };
  }
  if (milli !== undefined) throw refuse('weight', 'is for goods by weight');
  if (quantity === undefined) throw refuse('quantity', 'is required');
  return { index, quantity };
}

function lineAt({ lines }: RefundableItems, index: number): RefundLine {
  const line = lines[index];
  if (!line) throw new Refusal('refund_not_allowed', `This order has no item ${index}.`);
  return line;
}

function priceUnits(items: RefundableItems, { index, quantity }: WantedUnits): RefundedItem {
  const line = lineAt(items, index);
  const own = unitsGiven(items, index);
  const left = line.quantity - unitsOf(own);
  if (quantity > left || quantity === 0) {
    const [open, all] = [Math.max(0, left), line.quantity].map(line.unit ? decimalOfMilli : (units) => units);
    const sentence = `Only ${open} of item ${index}'s ${all} ${line.unit ?? 'units'} can still be refunded.`;
    throw new Refusal('refund_not_allowed', sentence);
  }
  // A line that its store has since made cheaper may owe no more tax.
  const open = line.taxes.map((cents, at) => Math.max(0, cents - sumCents(own.map(({ taxes }) => taxes[at] ?? 0))));
  const isLast = quantity === left;
  const openPrice = openCents(line, own);
  const cents = isLast ? openPrice : Math.min(openPrice, centsOf(line, quantity));
  const taxes = isLast || open.length === 0 ? open : taxesOf(line, quantity, open);
  const discounts = discountsOf(line, own, { quantity, left, cents, restCents: openPrice - cents });
  return withTaxes(
    {
      index,
      quantity,
      ...(line.unit && { unit: line.unit }),
      cents: cents - sumCents(discounts),
      ...(line.discounts && { discounts }),
    },
    taxes,
  );
}

/** The price of units of a line. */
const centsOf = ({ unit, markedUnitCents, quantity: all }: RefundLine, quantity: number): number =>
  unit ? shareOf(markedUnitCents, quantity, all) : markedUnitCents * quantity;

/** A line's price after earlier refunds; a weighed line may have had less than its rounded price. */
const openCents = (line: RefundLine, own: readonly RefundedItem[]): number =>
  centsOf(line, line.quantity) -
  sumCents(own.map((item) => (line.unit ? item.cents + sumCents(item.discounts ?? []) : centsOf(line, item.quantity))));

/** The taxes of units: their share of all taxes together, and of each tax of a weight. */
function taxesOf({ unit, taxes, quantity: all }: RefundLine, quantity: number, open: readonly number[]): number[] {
  if (unit) return taxes.map((cents, at) => Math.min(open[at] ?? 0, shareOf(cents, quantity, all)));
  return splitInProportion(Math.min(shareOf(sumCents(taxes), quantity, all), sumCents(open)), open);
}

/**
 * The part of a line's discounts that leaves with units: in total as if with all units before them, split by the
 * payers' remainders. The discounts that stay are never more than the price that stays.
 */
function discountsOf(
  { discounts = [], quantity: all }: RefundLine,
  own: readonly RefundedItem[],
  { quantity, left, cents, restCents }: { quantity: number; left: number; cents: number; restCents: number },
): PayerCents {
  if (discounts.length === 0) return [];
  const open = discounts.map((each, at) => Math.max(0, each - sumCents(own.map((item) => item.discounts?.[at] ?? 0))));
  const upTo = (count: number) => shareOf(sumCents(discounts), count, all);
  const wanted = quantity === left ? sumCents(open) : upTo(all - left + quantity) - upTo(all - left);
  return splitInProportion(Math.min(Math.max(wanted, sumCents(open) - restCents), sumCents(open), cents), open);
}

/**
 * The refunded units of a line as it is handed off. The units that the account calls missing are first the units that
 * the store lacks; only those beyond count as units that were handed off.
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
function priceMissing(items: RefundableItems, request: WantedUnits): RefundedItem {
  const { index, quantity: missing } = request;
  if (items.lines[index]?.lacked === undefined) return { ...priceUnits(items, request), missing };
  const counted: RefundedItem = { index, quantity: 0, cents: 0, taxCents: 0, taxes: [], missing };
  const givenBy = (earlier: readonly RefundedItem[]) =>
    unitsGiven({ ...items, earlier }, index).find((item) => item.missing !== undefined) ?? counted;
  const [before, after] = [givenBy(items.earlier), givenBy([...items.earlier, counted])];
  const taxes = after.taxes.map((cents, at) => cents - (before.taxes[at] ?? 0));
  const discounts = after.discounts?.map((cents, at) => cents - (before.discounts?.[at] ?? 0));
  const units = { index, quantity: after.quantity - before.quantity, cents: after.cents - before.cents };
  return { ...withTaxes({ ...units, ...(discounts && { discounts }) }, taxes), missing };
}

const unitsOf = (items: readonly RefundedItem[]) => sumCents(items.map(({ quantity }) => quantity));

function withTaxes(units: Omit<RefundedItem, 'taxCents' | 'taxes'>, taxes: readonly number[]): RefundedItem {
  return { ...units, taxCents: sumCents(taxes), taxes };
}

/**
 * Limits a refund to `leftCents`. Adjustments round the shares of the rest again, so that together with earlier
 * refunds they can exceed the charged tax by a cent per share; these cents are subtracted from the tax. Any other
 * excess is refused.
 */
export function fitRounding(
  units: readonly RefundedItem[],
  { lines }: RefundableItems,
  leftCents: number,
): RefundedItem[] {
  const excess = amountOf(units) - leftCents;
  const shares = lines.reduce((sum, { taxes, discounts = [] }) => sum + taxes.length + discounts.length, 0);
  if (excess <= 0 || excess > shares) return [...units];
  let rest = excess;
  return units.map((item) => {
    const cut = Math.min(rest, item.taxCents);
    rest -= cut;
    return cut === 0 ? item : withTaxes(item, splitInProportion(item.taxCents - cut, item.taxes));
  });
}

/** Freezes the shares of units that a refund returns. */
export function withShares(order: OrderPart, items: RefundableItems, units: readonly RefundedItem[]): FrozenItem[] {
  const taxation = taxationOf(order);
  return units.map((item, at) => ({ ...item, shares: sharesOfUnits(taxation, item, unitsBefore(items, units, at)) }));
}

/** How many units of its line were refunded before one of these. */
export function unitsBefore({ lines, earlier }: RefundableItems, units: readonly RefundedItem[], at: number): number {
  const index = units[at]?.index ?? 0;
  return unitsOf(unitsGiven({ lines, earlier: [...earlier, ...units.slice(0, at)] }, index));
}

/** Prices a refund of units alongside the order's earlier refunds, and freezes its shares. */
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

export function sharesOf(units: readonly { shares: Shares }[]): Shares {
  return units.reduce((sum, { shares }) => addShares(sum, shares), NO_SHARES);
}

export function amountOf(units: readonly RefundedItem[]): number {
  return sumCents(units.map(({ cents, taxCents }) => cents + taxCents));
}
