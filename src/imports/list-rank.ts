/**
 * Ranks of one category's products in one mode, in the sequence of the feed. The rank of a product on sale is the number
 * of products on sale before it, so that an absent or off-sale product before it does not move it. A product that the
 * feed has off sale is ranked between two of them, in case the store puts it on sale.
 */
export type ListRank = { next(onSale: boolean): string };

export function createListRank(): ListRank {
  let before = 0;
  let between = 0;
  return {
    next(onSale) {
      if (!onSale) {
        between += 1;
        return `${before}.${between}`;
      }
      between = 0;
      before += 1;
      return String(before - 1);
    },
  };
}
