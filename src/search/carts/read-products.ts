import { priceForMode } from '../../supply/catalog/availability.ts';
import type { ProductRef } from '../../supply/catalog/catalog-tokens.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { FoundProduct } from '../products/found-products.db.ts';
import type { CartCandidate, CartsInView } from './cart-candidates.ts';
import type { LiveProduct } from './choose-products.ts';

/**
 * A product as committed when it was read; null if it cannot be ordered. `found` is null if only its stock was read, so
 * that it cannot be shown.
 */
export type ReadProduct = (NonNullable<LiveProduct> & { found: FoundProduct | null }) | null;
/** All products read for one answer, by store and number. */
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
    note(read, storeId, productNo, { unitCents: null, taxCode: null, qtyAvailable, found: null });
  }
}

/** Records products that were found; the other wanted ones cannot be ordered. */
export function recordReads(
  read: ReadProducts,
  wanted: readonly ProductRef[],
  found: readonly FoundProduct[],
  modeOf: (storeId: string) => Mode,
): void {
  for (const { storeId, productNo } of wanted) note(read, storeId, productNo, null);
  for (const product of found) {
    const mode = modeOf(product.storeId);
    if (!product.modes[mode]) continue;
    const unitCents = priceForMode(product, mode) + product.minExtra;
    const { taxCode, qtyAvailable } = product;
    note(read, product.storeId, product.productNo, { unitCents, taxCode, qtyAvailable, found: product });
  }
}

/** Returns the candidates in the view, as a cart or as a part of a split. */
export function collectCandidates({ carts, splits }: CartsInView): Set<CartCandidate> {
  return new Set([...carts, ...splits.flatMap(({ first, second }) => [first, second])]);
}

/** Visits the lines of each candidate that the view shows: all of a cart, or its part of a split. */
function visitShownLines(
  { carts, splits }: CartsInView,
  visit: (candidate: CartCandidate, line: number) => void,
): void {
  const visitLines = (candidate: CartCandidate, isShown: (line: number) => boolean): void => {
    for (const line of candidate.choices.keys()) if (isShown(line)) visit(candidate, line);
  };
  for (const candidate of carts) visitLines(candidate, () => true);
  for (const { first, second, linesOfFirst } of splits) {
    visitLines(first, (line) => linesOfFirst[line] === true);
    visitLines(second, (line) => linesOfFirst[line] === false);
  }
}

/**
 * Lists products to read before the view can be shown: every unread chosen product with its alternatives. Empty once
 * every chosen product was read.
 */
export function listUnreadProducts(view: CartsInView, read: ReadProducts): ProductRef[] {
  const unread = new Map<string, ProductRef>();
  visitShownLines(view, ({ seller: { storeId }, choices }, line) => {
    const choice = choices[line] ?? [];
    if (choice[0] === undefined || isRead(read, storeId, choice[0].productNo)) return;
    for (const { productNo } of choice) {
      if (!isRead(read, storeId, productNo)) unread.set(`${storeId} ${productNo}`, { storeId, productNo });
    }
  });
  return [...unread.values()];
}

/** Removes unread products from the view. One of the removed splits may be the cheapest, so it is not exhaustive. */
export function withoutUnread(view: CartsInView, read: ReadProducts): CartsInView {
  const isRead = (part: Pick<CartsInView, 'carts' | 'splits'>): boolean =>
    listUnreadProducts({ ...part, isExhaustive: true }, read).length === 0;
  const carts = view.carts.filter((candidate) => isRead({ carts: [candidate], splits: [] }));
  const splits = view.splits.filter((split) => isRead({ carts: [], splits: [split] }));
  return { carts, splits, isExhaustive: view.isExhaustive && splits.length === view.splits.length };
}
