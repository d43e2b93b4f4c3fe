import type { CatalogProduct } from '../../catalog/product.ts';

/** The compared members of a product. */
export type LikeProduct = Pick<CatalogProduct, 'productNo' | 'upcCode' | 'name'>;

/**
 * For each wanted product the number of the same product in another store: by its UPC, else by its name in any letter
 * case (docs/behaviour.md#substitution). The first of several matches counts.
 */
export function matchProducts(
  wanted: readonly LikeProduct[],
  candidates: readonly LikeProduct[],
): ReadonlyMap<number, number> {
  const same = new Map<number, number>();
  for (const { productNo, upcCode, name } of wanted) {
    const match =
      candidates.find((other) => upcCode !== null && other.upcCode === upcCode) ??
      candidates.find((other) => other.name.toLowerCase() === name.toLowerCase());
    if (match) same.set(productNo, match.productNo);
  }
  return same;
}
