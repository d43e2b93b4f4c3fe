/**
 * Ranks of one category's products in one mode, asked for in the order of the feed. A product on sale has the number
 * of those on sale before it, so that neither an absent nor an off-sale product before it moves it; a product that
 * the feed has off sale is ranked between two of them, for the case that people put it on sale.
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
