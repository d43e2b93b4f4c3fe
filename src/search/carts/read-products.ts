import { menuPriceForMode } from '../../supply/catalog/availability.ts';
import type { ProductRef } from '../../supply/catalog/catalog-tokens.ts';
import { packSize } from '../../supply/catalog/unit-price.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { FoundProduct } from '../products/found-products.db.ts';
import type { CartCandidate } from './cart-candidates.ts';
import type { LiveProduct } from './choose-products.ts';

/**
 * A product as committed when it was read; null if it cannot be ordered. `found` is null if only its stock was read, so
 * that it cannot be shown.
 */
export type ReadProduct = (NonNullable<LiveProduct> & { found: FoundProduct | null }) | null;
/** All products read for one response, by store and number. */
export type ReadProducts = Map<string, Map<number, ReadProduct>>;

function note(read: ReadProducts, storeId: string, productNo: number, product: ReadProduct): void {
  const ofStore = read.get(storeId) ?? new Map<number, ReadProduct>();
  read.set(storeId, ofStore.set(productNo, product));
}

/** Whether a product was read completely, or found unavailable. */
function isRead(read: ReadProducts, storeId: string, productNo: number): boolean {
  const known = read.get(storeId)?.get(productNo);
  return known === null || (known?.found ?? null) !== null;
}

/** Records products that have less stock than the cart needs. */
export function recordScarce(read: ReadProducts, scarce: readonly (ProductRef & { qtyAvailable: number })[]): void {
  for (const { storeId, productNo, qtyAvailable } of scarce) {
    note(read, storeId, productNo, { sold: null, taxCode: null, qtyAvailable, found: null });
  }
}

/** Records found products; the other wanted ones cannot be ordered. */
export function recordReads(
  read: ReadProducts,
  wanted: readonly ProductRef[],
  found: readonly FoundProduct[],
  modes: ReadonlyMap<string, Mode>,
): void {
  for (const { storeId, productNo } of wanted) note(read, storeId, productNo, null);
  for (const product of found) {
    const mode = modes.get(product.storeId);
    if (!mode || !product.modes[mode]) continue;
    const { taxCode, qtyAvailable, minExtra: extraCents, weight } = product;
    const sold = { priceCents: menuPriceForMode(product, mode), extraCents, size: packSize(product), weight };
    note(read, product.storeId, product.productNo, { sold, taxCode, qtyAvailable, found: product });
  }
}

/** Lists the unread chosen products of these carts with their alternatives. */
export function listUnreadProducts(carts: readonly CartCandidate[], read: ReadProducts): ProductRef[] {
  const unread = new Map<string, ProductRef>();
  for (const { storeId, choices } of carts) {
    for (const choice of choices) {
      if (choice[0] === undefined || isRead(read, storeId, choice[0].productNo)) continue;
      for (const { productNo } of choice) {
        if (!isRead(read, storeId, productNo)) unread.set(`${storeId} ${productNo}`, { storeId, productNo });
      }
    }
  }
  return [...unread.values()];
}
