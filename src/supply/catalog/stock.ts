/** Units of a product. */
export type StockItem = { productNo: number; quantity: number };

/** A product's current stock; `left` is null if not counted. */
export type StockLevel = { productNo: number; onSale: boolean; left: number | null };

/** Sums quantities by product, in order of first occurrence. */
export function sumByProduct(items: readonly StockItem[]): StockItem[] {
  const sums = new Map<number, number>();
  for (const { productNo, quantity } of items) sums.set(productNo, (sums.get(productNo) ?? 0) + quantity);
  return [...sums].map(([productNo, quantity]) => ({ productNo, quantity }));
}

/**
 * Returns products that cannot be taken (short, off sale or unknown), and the units to take from counted stock.
 * `wanted` has each product once.
 */
export function judgeStock(
  wanted: readonly StockItem[],
  levels: readonly StockLevel[],
): { refused: number[]; taken: StockItem[] } {
  const onSale = new Map(levels.filter((level) => level.onSale).map(({ productNo, left }) => [productNo, left]));
  const unitsLeft = (productNo: number) => (onSale.has(productNo) ? (onSale.get(productNo) ?? Infinity) : 0);
  const isEnough = ({ productNo, quantity }: StockItem) => unitsLeft(productNo) >= quantity;
  return {
    refused: wanted.filter((item) => !isEnough(item)).map(({ productNo }) => productNo),
    taken: wanted.filter((item) => isEnough(item) && Number.isFinite(unitsLeft(item.productNo))),
  };
}
