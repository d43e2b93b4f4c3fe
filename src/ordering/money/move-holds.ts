import type { StockItem } from '../../supply/catalog/stock.ts';
import type { HeldStock } from '../order/order.ts';

/** Stock moved by an adjustment: units to take, units to return to sale, and the remaining holds. */
export type MovedHolds = { take: StockItem; putBack: StockItem; held: readonly HeldStock[] };

/**
 * The stock that an adjustment moves. Missing units of the ordered product do not return to sale, because the store
 * lacks them; units of a substitute do.
 */
export function movedHolds(
  held: readonly HeldStock[],
  { orderedNo, from, to }: { orderedNo: number; from: StockItem; to: StockItem },
): MovedHolds {
  const isSame = from.productNo === to.productNo;
  const less = isSame ? Math.max(0, from.quantity - to.quantity) : from.quantity;
  const more = isSame ? Math.max(0, to.quantity - from.quantity) : to.quantity;
  const heldUnits = held.find(({ productNo }) => productNo === from.productNo)?.quantity ?? 0;
  const released = Math.min(less, heldUnits);
  return {
    take: { productNo: to.productNo, quantity: more },
    putBack: { productNo: from.productNo, quantity: from.productNo === orderedNo ? 0 : released },
    held: held
      .map((one) => (one.productNo === from.productNo ? { ...one, quantity: one.quantity - released } : one))
      .filter(({ quantity }) => quantity > 0),
  };
}
