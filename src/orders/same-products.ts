import type { CatalogProduct } from '../catalog/product.ts';

/** What is compared of a product that may be the same as another store's. */
export type LikeProduct = Pick<CatalogProduct, 'productNo' | 'upcCode' | 'name'>;

/**
 * For each wanted product the number of the same one in another store: of its UPC, else of its name in any letter case
 * (docs/behaviour.md#substitution). Where several are, the first.
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
