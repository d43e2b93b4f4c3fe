import type { StockItem } from '../../supply/catalog/stock.ts';
import type { HeldStock } from '../order/order.ts';

/** Stock moved by an adjustment: units to take, units to return to sale, units found after all, and the remaining holds. */
export type MovedHolds = { take: StockItem; putBack: StockItem; found: StockItem; held: readonly HeldStock[] };

/**
 * The stock that an adjustment moves. Missing units of the ordered product do not return to sale, because the store
 * lacks them; units of a substitute do. Missing units that are handed off after all are not taken from sale a second
 * time.
 */
export function movedHolds(
  held: readonly HeldStock[],
  { ordered, from, to }: { ordered: StockItem; from: StockItem; to: StockItem },
): MovedHolds {
  const isSame = from.productNo === to.productNo;
  const less = isSame ? Math.max(0, from.quantity - to.quantity) : from.quantity;
  const more = isSame ? Math.max(0, to.quantity - from.quantity) : to.quantity;
  const missing = ordered.quantity - (from.productNo === ordered.productNo ? from.quantity : 0);
  const found = to.productNo === ordered.productNo ? Math.min(more, Math.max(0, missing)) : 0;
  const heldUnits = held.find(({ productNo }) => productNo === from.productNo)?.quantity ?? 0;
  const released = Math.min(less, heldUnits);
  return {
    take: { productNo: to.productNo, quantity: more - found },
    putBack: { productNo: from.productNo, quantity: from.productNo === ordered.productNo ? 0 : released },
    found: { productNo: to.productNo, quantity: found },
    held: held
      .map((one) => (one.productNo === from.productNo ? { ...one, quantity: one.quantity - released } : one))
      .filter(({ quantity }) => quantity > 0),
  };
}
