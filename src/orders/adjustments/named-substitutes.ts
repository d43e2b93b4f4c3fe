import type { ProductRef } from '../../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../catalog/product.ts';
import type { NamedProduct, RequestedItem, Substitution } from '../order.ts';
import type { OrderFault } from '../order-faults.ts';

/** The products that a customer names in place of an item. */
export function namedIn(substitution: Substitution | undefined): readonly string[] {
  return substitution?.preference === 'specific' ? substitution.productIds : [];
}

/** The faults of named products: each must be a product of the order's store. `refs` has the tokens that are products. */
export function namedSubstituteFaults(
  items: readonly RequestedItem[],
  refs: ReadonlyMap<string, ProductRef | undefined>,
  products: ReadonlyMap<string, CatalogProduct>,
  storeId: string,
): OrderFault[] {
  return items.flatMap(({ substitution }, index) => {
    const name = `items[${index}].substitution.product_ids`;
    return namedIn(substitution).flatMap((productId): OrderFault[] => {
      const ref = refs.get(productId);
      if (ref && ref.storeId !== storeId) {
        return [{ code: 'mixed_stores', name, message: 'A substitute must be of the same store as the item.' }];
      }
      if (products.has(productId)) return [];
      return [{ code: 'product_not_found', name, message: 'There is no such product.', productIds: [productId] }];
    });
  });
}

/** The named products of an item with their names, as its quote keeps them. */
export function namedSubstitutesOf(
  { substitution }: RequestedItem,
  products: ReadonlyMap<string, CatalogProduct>,
): NamedProduct[] {
  return namedIn(substitution).flatMap((productId) => {
    const product = products.get(productId);
    return product ? [{ productNo: product.productNo, productId, name: product.name }] : [];
  });
}
