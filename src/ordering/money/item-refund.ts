import { Refusal } from '../../platform/http/refusal.ts';
import { shareOf } from '../../platform/lib/money.ts';
import { taxOn, taxPercents } from '../../supply/pricing/price-order.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import type { Order } from '../order/order.ts';
import type { RefundedItem } from './refund.ts';

/** An order line for refunds: its units, and the marked price of one unit. */
export type RefundLine = { quantity: number; markedUnitCents: number };

/** Units of the item at this index. */
export type RefundItemRequest = { index: number; quantity: number };

export type RefundableItems = {
  lines: readonly RefundLine[];
  /** Rates of the taxes that each line rounds separately. */
  taxPercents: readonly number[];
  /** Units already refunded or booked. */
  earlier: readonly RefundedItem[];
};

/** The lines of an order as handed over, for refunds by item. */
export function refundableItems(
  order: Pick<Order, 'quote' | 'adjustments'>,
  earlier: readonly RefundedItem[],
): RefundableItems {
  return { lines: fulfilledItems(order), taxPercents: taxPercents(order.quote.terms), earlier };
}

/**
 * The refund of units (docs/payments.md#refunds): marked price and share of tax. Each tax of a line is rounded once; k
 * of q units get k/q of their sum, rounded half away from zero, and the last unit gets the rest. Refuses more units
 * than are left.
 */
export function priceItemRefund(items: RefundableItems, asked: readonly RefundItemRequest[]): RefundedItem[] {
  const given: RefundedItem[] = [];
  for (const { index, quantity } of asked) {
    given.push(priceUnits({ ...items, earlier: [...items.earlier, ...given] }, { index, quantity }));
  }
  return given;
}

function priceUnits(
  { lines, taxPercents: percents, earlier }: RefundableItems,
  { index, quantity }: RefundItemRequest,
): RefundedItem {
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
  const lineTaxCents = taxOn(percents, line.markedUnitCents * line.quantity);
  // A line that its store has since made cheaper may owe no more tax.
  const leftCents = Math.max(
    0,
    own.reduce((cents, item) => cents - item.taxCents, lineTaxCents),
  );
  const shareCents = Math.min(shareOf(lineTaxCents, quantity, line.quantity), leftCents);
  const taxCents = quantity === left ? leftCents : shareCents;
  return { index, quantity, cents: line.markedUnitCents * quantity, taxCents };
}

/**
 * Limits a refund to `leftCents`. Lines round their taxes separately, so together they can exceed the charged tax by a
 * cent per line and tax; these cents are subtracted from the tax. Any other excess is refused.
 */
export function fitRounding(
  units: readonly RefundedItem[],
  { lines, taxPercents: percents }: RefundableItems,
  leftCents: number,
): RefundedItem[] {
  const excess = amountOf(units) - leftCents;
  if (excess <= 0 || excess > lines.length * percents.length) return [...units];
  let rest = excess;
  return units.map((item) => {
    const cut = Math.min(rest, item.taxCents);
    rest -= cut;
    return { ...item, taxCents: item.taxCents - cut };
  });
}

/** The total of the refunded units. */
export function amountOf(units: readonly RefundedItem[]): number {
  return units.reduce((sum, { cents, taxCents }) => sum + cents + taxCents, 0);
}
