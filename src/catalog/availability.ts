import { isWithinMenuHours } from '../stores/open-state.ts';
import type { CatalogProduct, Mode } from './product.ts';

type Sold = Pick<
  CatalogProduct,
  'removed' | 'available' | 'qtyAvailable' | 'modes' | 'hours' | 'categoryHours' | 'price' | 'pickupPrice'
>;

/**
 * Whether one unit may be ordered in this mode for this moment: on sale, in stock, and within its own menu hours
 * and those of every category above it (interface, product details). An order of more units checks its own stock.
 */
export function isProductAvailable(product: Sold, mode: Mode, at: Temporal.Instant, timeZone: string): boolean {
  if (product.removed || !product.available || !product.modes[mode] || product.qtyAvailable === 0) return false;
  return [product.hours, ...product.categoryHours].every((hours) => isWithinMenuHours(hours, timeZone, at));
}

/** The price of one unit without options, in cents. */
export function priceIn(product: Pick<Sold, 'price' | 'pickupPrice'>, mode: Mode): number {
  return mode === 'pickup' ? product.pickupPrice : product.price;
}
