import { shareOf } from '../../platform/lib/money.ts';
import { type FulfilledItem, fulfilledItems } from '../order/fulfilled-items.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { adjustedCents, itemTaxes } from '../order/reprice-order.ts';
import type { Refund, RefundedItem } from './refund.ts';

type BookedRefund = Pick<Refund, 'kind' | 'state' | 'reason' | 'items' | 'cents'>;

/** The refund reason for units that the store reports as missing, or may report too. */
export const MISSING = 'missing';

/**
 * Cents still owed to the customer of an adjusted order: the drop in price, minus earlier adjustment refunds, and minus
 * units that the account had refunded as missing before the store reported them. At most what is left of the charge.
 */
export function owedRefund(order: Order, refunds: readonly BookedRefund[]): number {
  if (order.chargeId === null) return 0;
  const counted = refunds.filter(({ state }) => state !== 'failed');
  const given = counted.filter(({ kind }) => kind === 'item_changed').reduce((sum, { cents }) => sum + cents, 0);
  const owed = adjustedCents(order) - given - doubleRefundCents(order, counted);
  return Math.max(0, Math.min(owed, refundableCents(order)));
}

/**
 * Money that the account refunded for missing units that the store then did not hand over, latest first. With a cheaper
 * substitute, also the refunded amount above the substitute's price.
 */
function doubleRefundCents(order: Order, refunds: readonly BookedRefund[]): number {
  const units = refunds
    .filter(({ kind, reason }) => kind === 'requested' && reason === MISSING)
    .flatMap(({ items }) => items);
  const taxes = itemTaxes(order);
  return fulfilledItems(order).reduce((sum, item, index) => {
    const own = units.filter((one) => one.index === index);
    let excess = own.reduce((count, { quantity }) => count + quantity, 0) - item.quantity;
    let cents = 0;
    for (const one of own.toReversed()) {
      const twice = Math.min(Math.max(0, excess), one.quantity);
      cents += twice === 0 ? 0 : shareOf(one.cents + one.taxCents, twice, one.quantity);
      excess -= twice;
    }
    const lineTaxCents = (taxes[index] ?? []).reduce((all, share) => all + share, 0);
    return sum + cents + excessOverSubstitute(item, lineTaxCents, own, cents);
  }, 0);
}

function excessOverSubstitute(
  { replaces, markedUnitCents, quantity }: FulfilledItem,
  lineTaxCents: number,
  own: readonly RefundedItem[],
  notHandedOverCents: number,
): number {
  if (replaces === null || quantity === 0) return 0;
  const given = own.reduce((count, one) => count + one.quantity, 0);
  const units = Math.min(given, quantity);
  const cents = own.reduce((sum, one) => sum + one.cents + one.taxCents, -notHandedOverCents);
  return Math.max(0, cents - markedUnitCents * units - shareOf(lineTaxCents, units, quantity));
}
