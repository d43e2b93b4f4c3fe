import { Refusal } from '../../platform/http/refusal.ts';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import type { Order } from '../order/order.ts';
import { itemTaxes } from '../order/reprice-order.ts';
import type { RefundedItem } from './refund.ts';

/** An order line for refunds: its units, the marked price of one unit, and its shares of taxes (`itemTaxes`). */
export type RefundLine = { quantity: number; markedUnitCents: number; taxes: readonly number[] };

/** Units of the item at this index. */
export type RefundItemRequest = { index: number; quantity: number };

export type RefundableItems = {
  lines: readonly RefundLine[];
  /** Units already refunded or booked. */
  earlier: readonly RefundedItem[];
};

/** The lines of an order as handed over, for refunds by item. */
export function refundableItems(
  order: Pick<Order, 'quote' | 'adjustments'>,
  earlier: readonly RefundedItem[],
): RefundableItems {
  const taxes = itemTaxes(order);
  const lines = fulfilledItems(order).map(({ quantity, markedUnitCents }, index) => ({
    quantity,
    markedUnitCents,
    taxes: taxes[index] ?? [],
  }));
  return { lines, earlier };
}

/**
 * The refund of units (docs/payments.md#refunds): marked price and share of tax. Of what the line bears of taxes k of q
 * units get k/q, rounded half away from zero, and the last unit gets the rest. Refuses more units than are left.
 */
export function priceItemRefund(items: RefundableItems, asked: readonly RefundItemRequest[]): RefundedItem[] {
  const given: RefundedItem[] = [];
  for (const { index, quantity } of asked) {
    given.push(priceUnits({ ...items, earlier: [...items.earlier, ...given] }, { index, quantity }));
  }
  return given;
}

function priceUnits({ lines, earlier }: RefundableItems, { index, quantity }: RefundItemRequest): RefundedItem {
  const line = lines[index];
  if (!line) throw new Refusal('refund_not_allowed', `The order has no item ${index}.`);
  const own = earlier.filter((item) => item.index === index);
  const left = own.reduce((units, item) => units - item.quantity, line.quantity);
  if (quantity > left) {
    throw new Refusal(
      'refund_not_allowed',
      `Item ${index} has ${Math.max(0, left)} of its ${line.quantity} units left to give back.`,
    );
  }
  // A line that its store has since made cheaper may owe no more tax.
  const open = line.taxes.map((cents, at) =>
    Math.max(
      0,
      own.reduce((rest, item) => rest - (taxesOf(item, line)[at] ?? 0), cents),
    ),
  );
  const leftCents = sumCents(open);
  const shareCents = Math.min(shareOf(sumCents(line.taxes), quantity, line.quantity), leftCents);
  const taxes = quantity === left || open.length === 0 ? open : splitInProportion(shareCents, open);
  return withTaxes({ index, quantity, cents: line.markedUnitCents * quantity }, taxes);
}

/** The shares of an earlier refund; of one of an earlier version in proportion to the line's. */
function taxesOf({ taxCents, taxes }: RefundedItem, line: RefundLine): readonly number[] {
  return taxes ?? (line.taxes.length === 0 ? [] : splitInProportion(taxCents, line.taxes));
}

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
    return cut === 0 ? item : withTaxes(item, splitInProportion(item.taxCents - cut, item.taxes ?? [1]));
  });
}

/** The total of the refunded units. */
export function amountOf(units: readonly RefundedItem[]): number {
  return units.reduce((sum, { cents, taxCents }) => sum + cents + taxCents, 0);
}
