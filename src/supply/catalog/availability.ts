import { Refusal } from '../../platform/http/refusal.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { isOnSaleAt, menuHoursOf } from '../stores/menu-hours.ts';
import { type HoursFields, scheduleOf } from '../stores/schedule.ts';
import type { Mode, Store } from '../stores/store.ts';
import { isAlcohol } from '../stores/tax-class.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import type { CatalogProduct } from './product.ts';

type SellableProduct = Pick<
  CatalogProduct,
  | 'removed'
  | 'available'
  | 'qtyAvailable'
  | 'modes'
  | 'hours'
  | 'categoryHours'
  | 'isAlcoholic'
  | 'taxClass'
  | 'price'
  | 'pickupPrice'
>;

/** The fields of a store that decide when its products are sold. */
export type SellingStore = HoursFields & Pick<Store, 'timeZone' | 'taxClass'>;

/** Why a product cannot be ordered. */
export type UnavailableBecause = 'removed' | 'off_sale' | 'not_in_mode' | 'sold_out' | 'outside_menu_hours';

/**
 * Why one unit cannot be ordered in this mode now; undefined if it can: on sale, in stock, within its menu hours and
 * its parent categories' hours (docs/inventory.md#product-details). Larger quantities check stock themselves.
 */
export function unavailableBecause(
  product: SellableProduct,
  mode: Mode,
  at: Temporal.Instant,
  store: SellingStore,
): UnavailableBecause | undefined {
  if (product.removed) return 'removed';
  if (!product.available) return 'off_sale';
  if (!product.modes[mode]) return 'not_in_mode';
  if (product.qtyAvailable === 0) return 'sold_out';
  const weeks = [product.hours, ...product.categoryHours];
  const hours = menuHoursOf(weeks, isAlcohol(product, [product.taxClass ?? store.taxClass]));
  if (hours.length === 0) return undefined;
  const isSold = isOnSaleAt(hours, scheduleOf(store, mode), zoneClock(store.timeZone), epochSeconds(at));
  return isSold ? undefined : 'outside_menu_hours';
}

export function isProductAvailable(
  product: SellableProduct,
  mode: Mode,
  at: Temporal.Instant,
  store: SellingStore,
): boolean {
  return unavailableBecause(product, mode, at, store) === undefined;
}

/** The list price of one unit without options, in cents. */
export function priceForMode(product: Pick<SellableProduct, 'price' | 'pickupPrice'>, mode: Mode): number {
  return mode === 'pickup' ? product.pickupPrice : product.price;
}

/** The price of one unit without options as menus and searches show it, in cents. */
export function menuPriceForMode(
  product: Pick<CatalogProduct, 'price' | 'pickupPrice' | 'menuPrice' | 'menuPickupPrice'>,
  mode: Mode,
): number {
  return (mode === 'pickup' ? product.menuPickupPrice : product.menuPrice) ?? priceForMode(product, mode);
}

/**
 * The mode whose price and stock are shown: the requested one, otherwise delivery, or pickup for a product sold only
 * for pickup.
 */
export function viewedMode(pickup: boolean | undefined, { modes }: Pick<SellableProduct, 'modes'>): Mode {
  return (pickup ?? (modes.pickup && !modes.delivery)) ? 'pickup' : 'delivery';
}

/**
 * Refuses pickup that the store does not offer. The modes of a store without a catalog are unknown, which its quote
 * reports (docs/inventory.md#inventory).
 */
export function requirePickup({ pickup, hasCatalog }: Pick<Store, 'pickup' | 'hasCatalog'>): void {
  if (pickup.enabled || !hasCatalog) return;
  throw new Refusal('pickup_not_supported', 'This store does not offer pickup.');
}
