import type { CatalogProduct } from '../catalog/product.ts';

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
  // An order has up to 100 items, each with 10 named substitutes: the candidates are not walked for each of them.
  const byUpc = firstBy(candidates, ({ upcCode }) => upcCode);
  const byName = firstBy(candidates, ({ name }) => name.toLowerCase());
  const same = new Map<number, number>();
  for (const { productNo, upcCode, name } of wanted) {
    const match = (upcCode === null ? undefined : byUpc.get(upcCode)) ?? byName.get(name.toLowerCase());
    if (match !== undefined) same.set(productNo, match);
  }
  return same;
}

/** The number of the first product of each key; a product with the key null has no entry. */
function firstBy(
  products: readonly LikeProduct[],
  keyOf: (product: LikeProduct) => string | null,
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const product of products) {
    const key = keyOf(product);
    if (key !== null && !numbers.has(key)) numbers.set(key, product.productNo);
  }
  return numbers;
}
