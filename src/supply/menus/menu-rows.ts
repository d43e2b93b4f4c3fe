import { hash } from 'node:crypto';
import { foodClaims } from '../catalog/food.ts';
import { withoutOptions } from '../catalog/options-off.ts';
import type { Customization } from '../catalog/product.ts';
import { searchWordsOf } from '../catalog/search-words.ts';
import { foodValues, hash64, joinViews, type ShownChoices, shownChoices } from '../catalog/shown-choices.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { Mode } from '../stores/store.ts';
import { ownTaxClass, type TaxClass } from '../stores/tax-class.ts';
import { listCategories, type Tree } from './menu.ts';
import { type ItemEntry, isEqual } from './menu-entry.ts';
import type { FeedCategory, PlacedProduct } from './parse-categories.ts';
import type { FeedProduct } from './parse-product.ts';

/**
 * Categories and products as rows: JSON texts of the columns of write-catalogs.db.ts. A later import recognizes an
 * unchanged product by its hash, and another hash changes the menu's version.
 */

/** Hashes of a product's inventory in each mode; null if the mode doesn't sell it. */
export type Views = { delivery_view: string | null; pickup_view: string | null };

/** All categories of a menu as rows. */
export function categoryRows(storeId: string, menu: Tree): string[] {
  const columnsOf = categoryColumns();
  return listCategories(menu).map((category, seq) => {
    const row = columnsOf(category);
    return `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`;
  });
}

/** Columns of categories as they come, parents first: a category has the menu hours and tax classes of all above it. */
export function categoryColumns(): (category: FeedCategory) => string {
  const known = new Map<string, { menuHours: readonly MenuWeek[]; taxClasses: readonly TaxClass[] }>();
  return ({ externalId, parentId, position, name, hours, taxClass, isLeaf }) => {
    const above = known.get(parentId ?? '') ?? { menuHours: [], taxClasses: [] };
    const menuHours = hours === null ? above.menuHours : [...above.menuHours, hours];
    const taxClasses = taxClass === null ? above.taxClasses : [...above.taxClasses, taxClass];
    known.set(externalId, { menuHours, taxClasses });
    return JSON.stringify({
      external_id: externalId,
      parent_id: parentId,
      position,
      name,
      menu_hours: menuHours,
      is_leaf: isLeaf,
      tax_classes: `{${taxClasses.join(',')}}`,
    });
  };
}

/** The hash that lets an import recognize an unchanged product. */
export function entryHash({ customizations, food, ...plain }: FeedProduct): string {
  const choices = customizations.length === 0 ? null : JSON.stringify(customizations);
  return hash('sha256', `${JSON.stringify(plain)}${choices}${food === null ? '' : JSON.stringify(food)}`);
}

export function productColumns(
  placed: PlacedProduct,
  viewsOf: (shown: ShownProduct) => Views,
  feedHash = entryHash(placed.product),
): string {
  const { product, categoryId, position } = placed;
  const { customizations, food, ...plain } = product;
  const choices = customizations.length === 0 ? null : JSON.stringify(customizations);
  const shown = shownChoices(customizations);
  const row = JSON.stringify({
    external_id: plain.externalId,
    category_id: categoryId,
    position,
    name: plain.name,
    search_words: searchWordsOf(plain.name),
    description: plain.description,
    price: plain.price,
    pickup_price: plain.pickupPrice,
    original_price: plain.originalPrice,
    image: plain.image,
    thumbnail_image: plain.thumbnailImage,
    unit_size: plain.unitSize,
    unit_of_measurement: plain.unitOfMeasurement,
    ...(plain.weight ? { weight: plain.weight } : {}),
    upc_code: plain.upcCode,
    is_alcoholic: plain.isAlcoholic,
    ...(plain.taxClass ? { tax_class: plain.taxClass } : {}),
    in_delivery: plain.inDelivery,
    in_pickup: plain.inPickup,
    hours: plain.hours,
    option_count: shown.optionCount,
    min_extra: shown.minExtra,
    available: plain.available,
    qty_available: plain.qtyAvailable,
    feed_hash: feedHash,
    ...viewsOf({ product, categoryId, choices: shown.view }),
    ...(food === null ? {} : { food, food_claims: foodClaims(food) }),
  });
  return choices === null ? row : `${row.slice(0, -1)},"customizations":${choices}}`;
}

export type ShownProduct = { product: FeedProduct; categoryId: string; choices: ShownChoices['view'] };

/** Ranks products as they come, each in its category. */
export function createViews(): (shown: ShownProduct) => Views {
  const ranks = new Map<string, Record<Mode, ListRank>>();
  return (shown) => {
    const { product, categoryId } = shown;
    const rank = ranks.get(categoryId) ?? { delivery: createListRank(), pickup: createListRank() };
    ranks.set(categoryId, rank);
    const viewIn = createProductHasher(shown);
    return {
      delivery_view: product.inDelivery ? viewIn('delivery', rank.delivery.next(product.available)) : null,
      pickup_view: product.inPickup ? viewIn('pickup', rank.pickup.next(product.available)) : null,
    };
  };
}

/**
 * Hashes a product as an inventory shows it in a mode at its position, without stock. A category is hashed by
 * its feed id, in place of its number.
 */
export function createProductHasher(shown: ShownProduct): (mode: Mode, place: string) => string {
  const { product, categoryId, choices } = shown;
  const { name, description, image, thumbnailImage, unitSize, unitOfMeasurement, originalPrice, food, weight } =
    product;
  const shared = [categoryId, name, description, image, thumbnailImage, unitSize, unitOfMeasurement];
  // A product that is not on sale shows its price as the original price in each mode (present-menu.ts).
  const salePrice = originalPrice === product.price ? null : originalPrice;
  const taxClass = ownTaxClass(product);
  const inBoth = JSON.stringify([
    ...shared,
    salePrice,
    ...foodValues(food),
    ...(taxClass ? [taxClass] : []),
    ...(weight ? [weight] : []),
  ]);
  const prices = { delivery: product.price, pickup: product.pickupPrice };
  return (mode, place) => joinViews(hash64(`${inBoth} ${prices[mode]} ${place}`), choices);
}

/**
 * Ranks of a category's products in one mode, in feed order. A product on sale is ranked by the products on sale
 * before it, so that absent ones do not move it; a product off sale ranks between two of them.
 */
type ListRank = { next(onSale: boolean): string };

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

/**
 * The products of one category that its store has edited. Their views change exactly when the list shown to a client
 * changes: unavailable products, or moves of them, do not affect the views of the others.
 */

/** A product of a category with its sale state. `stored` is its row, if it has one. */
type LeafProduct = {
  product: FeedProduct;
  live: { available: boolean; optionsOff: readonly string[] };
  stored: { feedHash: string; views: Record<Mode, string | null> } | null;
};

type StoredProduct = LeafProduct & { removed: boolean };

/**
 * An item alongside the feed's product, by default its row's product. Its sale state follows the feed where that has
 * changed, or where the product returns. A product that is as its row contains it is the row's, by whose hash an import
 * knows it.
 */
export function leafProduct(
  externalId: string,
  entry: ItemEntry,
  row: StoredProduct | undefined,
  staged = row?.product,
): LeafProduct {
  const product: FeedProduct = { ...(staged ?? { externalId, available: true, qtyAvailable: null }), ...entry };
  // An entry without a class or weight has none, even if the row has one.
  for (const member of ['taxClass', 'weight'] as const) if (!entry[member]) delete product[member];
  const keeps = row && !row.removed && row.product.available === product.available;
  const available = keeps ? row.live.available : product.available;
  return {
    product: row && isEqual(row.product, product) ? row.product : product,
    live: { available, optionsOff: row?.live.optionsOff ?? [] },
    stored: row?.stored ?? null,
  };
}

type Leaf = {
  storeId: string;
  categoryId: string;
  before: readonly LeafProduct[];
  after: readonly LeafProduct[];
  /** Unique text of this change, so that a product off sale that moves gets a view that none had before. */
  nonce: string;
};

/** A product as a client sees it in a mode, and its position among those off sale. */
type Seen = { id: string; content: string; visible: boolean };

export function leafRows(leaf: Leaf): string[] {
  const { storeId, categoryId, before, after } = leaf;
  const views = { delivery: viewsIn('delivery', leaf), pickup: viewsIn('pickup', leaf) };
  const known = new Set(before.map(({ product }) => product));
  return after.map(({ product, stored }, position) => {
    const own: Views = { delivery_view: views.delivery[position] ?? null, pickup_view: views.pickup[position] ?? null };
    const feedHash = stored && known.has(product) ? stored.feedHash : entryHash(product);
    const row = productColumns({ product, categoryId, position }, () => own, feedHash);
    return `{"seq":${position},"store_id":"${storeId}",${row.slice(1)}`;
  });
}

function viewsIn(mode: Mode, { categoryId, before, after, nonce }: Leaf): (string | null)[] {
  const [was, is] = [before, after].map((products) =>
    products.map(
      (one): Seen => ({
        id: one.product.externalId,
        content: isInMode(one.product, mode) ? viewOf(one, mode, categoryId, '', one.live.optionsOff) : '',
        visible: isInMode(one.product, mode) && one.live.available,
      }),
    ),
  );
  const isListKept = isEqual(was?.filter(isVisible), is?.filter(isVisible));
  const isAllKept = isListKept && isEqual(was, is);
  const rank = createListRank();
  return after.map((one, position) => {
    if (!isInMode(one.product, mode)) return null;
    const isOnSale = one.live.available;
    if (!isListKept) return viewOf(one, mode, categoryId, rank.next(isOnSale), NONE);
    const kept = isOnSale || isAllKept ? storedView(one, mode) : null;
    return kept ?? viewOf(one, mode, categoryId, `${nonce}.${position}`, NONE);
  });
}

const NONE: readonly string[] = [];
const isVisible = ({ visible }: Seen) => visible;
const isInMode = (product: FeedProduct, mode: Mode) => (mode === 'delivery' ? product.inDelivery : product.inPickup);

function viewOf({ product }: LeafProduct, mode: Mode, categoryId: string, place: string, off: readonly string[]) {
  return createProductHasher({ product, categoryId, choices: choicesView(product.customizations, off) })(mode, place);
}

function choicesView(customizations: readonly Customization[], off: readonly string[]): bigint {
  return shownChoices(withoutOptions(customizations, new Set(off))).view;
}

/** The stored view as it would be with all options on sale, because an import stages all of them (`pruneOptions`). */
function storedView({ product, live, stored }: LeafProduct, mode: Mode): string | null {
  const view = stored?.views[mode] ?? null;
  if (view === null || live.optionsOff.length === 0) return view;
  const [shown, full] = [choicesView(product.customizations, live.optionsOff), choicesView(product.customizations, [])];
  return BigInt.asIntN(64, BigInt(view) ^ shown ^ full).toString();
}
