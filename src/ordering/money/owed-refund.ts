import { movementOf } from '../order/money-plan.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { addShares, DISCOUNT_NAMES, type Shares, sharesOfOrder, sumOf } from '../order/shares.ts';
import { refundableItems, sharesOf, unitsGiven, withShares } from './item-refund.ts';
import type { Refund, RefundedItem } from './refund.ts';

type BookedRefund = Pick<Refund, 'kind' | 'state' | 'items' | 'shares'>;

/**
 * The refund that an adjusted order is due: the drop in price, less earlier refunds of adjustments, and less units that
 * the account had refunded as missing before the store reported them. Up to the rest of the charge. A refund of 0 cents
 * takes a free unit's discount from its payer. Undefined if nothing moves, and by plans that charge the handoff.
 */
export function owedRefund(
  order: Order,
  refunds: readonly BookedRefund[],
): { cents: number; shares: Shares } | undefined {
  const given = refunds
    .filter(({ kind, state }) => kind === 'item_changed' && state !== 'failed')
    .map(({ shares }) => shares);
  const all = [sharesOfOrder(order), ...given, sharesGivenTwice(order, refunds)];
  const agreed = sharesOfOrder({ ...order, adjustments: [] });
  const shares = all.reduce((rest, one) => addShares(rest, one, -1), agreed);
  const cents = Math.max(0, Math.min(sumOf(shares), refundableCents(order)));
  const isFree = sumOf(shares) === 0 && DISCOUNT_NAMES.some((name) => (shares[name] ?? 0) !== 0);
  return movementOf(order, 'change') === 'refund' && (cents > 0 || isFree) ? { cents, shares } : undefined;
}

/** The shares refunded for missing units of adjusted items, less the shares of units handed off after all. */
function sharesGivenTwice(order: Order, refunds: readonly BookedRefund[]): Shares {
  const items = refundableItems(order, refunds);
  const isMissing = ({ missing }: RefundedItem) => missing !== undefined;
  const given = items.earlier.filter((item) => isMissing(item) && items.lines[item.index]?.lacked !== undefined);
  const indexes = [...new Set(given.map(({ index }) => index))];
  const kept = indexes.flatMap((index) => unitsGiven(items, index).filter(isMissing));
  const earlier = items.earlier.filter((item) => !isMissing(item));
  return addShares(sharesOf(given), sharesOf(withShares(order, { ...items, earlier }, kept)), -1);
}
