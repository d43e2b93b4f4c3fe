import { priceIn } from '../catalog/availability.ts';
import type { ProductRef } from '../catalog/catalog-tokens.ts';
import type { FoundProduct } from '../catalog/search/found-products.db.ts';
import type { Mode } from '../stores/mode.ts';
import type { CartOffer, CartsInView } from './cart-offers.ts';
import type { LiveProduct } from './match-cart.ts';

/**
 * A product as it was committed when it was read, and as a line counts it; null where it cannot be had. Of one that
 * only its stock is known of there is nothing to show.
 */
export type ReadProduct = (NonNullable<LiveProduct> & { found: FoundProduct | null }) | null;
/** Everything read for one answer, by store and number. */
export type ReadProducts = Map<string, Map<number, ReadProduct>>;

function note(read: ReadProducts, storeId: string, productNo: number, product: ReadProduct): void {
  const ofStore = read.get(storeId) ?? new Map<number, ReadProduct>();
  read.set(storeId, ofStore.set(productNo, product));
}

/** Whether all is known of a product that is to be shown. */
function isRead(read: ReadProducts, storeId: string, productNo: number): boolean {
  const known = read.get(storeId)?.get(productNo);
  return known === null || (known?.found ?? null) !== null;
}

/** Takes in products of which fewer are left than a line wants. */
export function noteScarce(read: ReadProducts, scarce: readonly (ProductRef & { qtyAvailable: number })[]): void {
  for (const { storeId, productNo, qtyAvailable } of scarce) {
    note(read, storeId, productNo, { unitCents: null, qtyAvailable, found: null });
  }
}

/** Takes in what the database said of the products that were asked for; one that it left out cannot be had. */
export function noteRead(
  read: ReadProducts,
  asked: readonly ProductRef[],
  found: readonly FoundProduct[],
  modeOf: (storeId: string) => Mode,
): void {
  for (const { storeId, productNo } of asked) note(read, storeId, productNo, null);
  for (const one of found) {
    const mode = modeOf(one.storeId);
    if (!one.modes[mode]) continue;
    const unitCents = priceIn(one, mode) + one.minExtra;
    note(read, one.storeId, one.productNo, { unitCents, qtyAvailable: one.qtyAvailable, found: one });
  }
}

/** The offers that some part of the view is of. */
export function shownIn({ carts, splits }: CartsInView): Set<number> {
  return new Set([...carts, ...splits.flatMap(({ first, second }) => [first, second])]);
}

/** The lines that an offer brings in some part of the view: all it has as a cart, its share in a split. */
function eachShown(
  offers: readonly CartOffer[],
  { carts, splits }: CartsInView,
  visit: (offer: CartOffer, line: number) => void,
): void {
  const each = (number: number, isShown: (line: number) => boolean): void => {
    const offer = offers[number] as CartOffer;
    for (const line of offer.choices.keys()) if (isShown(line)) visit(offer, line);
  };
  for (const number of carts) each(number, () => true);
  for (const { first, second, linesOfFirst } of splits) {
    each(first, (line) => linesOfFirst[line] === true);
    each(second, (line) => linesOfFirst[line] === false);
  }
}

/**
 * What must be read before the view can be shown: every product that is chosen in it, each with its alternatives.
 * Nothing where all chosen ones have been read.
 */
export function unreadIn(offers: readonly CartOffer[], view: CartsInView, read: ReadProducts): ProductRef[] {
  const unread = new Map<string, ProductRef>();
  eachShown(offers, view, ({ seller: { storeId }, choices }, line) => {
    const choice = choices[line] ?? [];
    if (choice[0] === undefined || isRead(read, storeId, choice[0].productNo)) return;
    for (const { productNo } of choice) {
      if (!isRead(read, storeId, productNo)) unread.set(`${storeId} ${productNo}`, { storeId, productNo });
    }
  });
  return [...unread.values()];
}

/** The view without what could not be read in time; it then is no longer known to have the cheapest splits. */
export function withoutUnread(offers: readonly CartOffer[], view: CartsInView, read: ReadProducts): CartsInView {
  const isWhole = (part: Pick<CartsInView, 'carts' | 'splits'>): boolean =>
    unreadIn(offers, { ...part, isExhaustive: true }, read).length === 0;
  const carts = view.carts.filter((number) => isWhole({ carts: [number], splits: [] }));
  const splits = view.splits.filter((split) => isWhole({ carts: [], splits: [split] }));
  return { carts, splits, isExhaustive: view.isExhaustive && splits.length === view.splits.length };
}
