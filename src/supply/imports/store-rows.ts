import { createHash, type Hash, hash } from 'node:crypto';
import { DEFAULT_LANGUAGE } from '../../platform/languages/language.ts';
import { foodClaims } from '../catalog/food.ts';
import { searchWordsOf } from '../catalog/search-words.ts';
import { foodValues, hash64, joinViews, type ShownChoices, shownChoices } from '../catalog/shown-choices.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Mode } from '../stores/store.ts';
import { storeIdOf } from '../stores/store-id.ts';
import type { StoredProfile } from '../stores/store-tables.ts';
import type { FeedCategory, PlacedProduct } from './feed/parse-categories.ts';
import type { FeedProduct } from './feed/parse-product.ts';
import { completeProfile, type FeedProfile, type FeedStore } from './feed/parse-store-line.ts';
import type { Business } from './inferred-feed.ts';

/** Converts parsed stores to database rows, with hashes by which a later import recognizes unchanged parts. */

/** A store's rows: JSON texts of the staging tables' columns (staging.db.ts). */
export type StoreRows = {
  storeId: string;
  /** A hexadecimal hash of all rows; equal for an unchanged store. */
  feedHash: string;
  /** The store's own row without its hash and profile. */
  row: string;
  profile: string;
  categories: string[];
  business: Business;
};

/** Converts a parsed store into rows, product by product, for catalogs of any size. */
export type StoreRowBuilder = {
  storeId: string;
  /** Adds a product and returns its row; `seq`, its position in the feed, decides the numbers of new products. */
  productRow(placed: PlacedProduct, seq: number): string;
  /** Returns the rows of the store and its categories; call it after all products were added. */
  finish(categories: readonly FeedCategory[]): StoreRows;
};

/** Hashes of what an inventory shows of a product in each mode; null if the mode does not sell it. */
export type Views = { delivery_view: string | null; pickup_view: string | null };

export function createStoreRows(source: string, store: FeedStore): StoreRowBuilder {
  const storeId = storeIdOf(source, store.externalId);
  const contents = createContents();
  const viewsOf = createViews();
  let hasProducts = false;
  let hasUpc = false;
  return {
    storeId,
    productRow(placed, seq) {
      hasProducts = true;
      hasUpc ||= placed.product.upcCode !== null;
      const row = productColumns(placed, viewsOf);
      contents.add(row);
      return `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`;
    },
    finish(categories) {
      const topNames = categories.filter(({ parentId }) => parentId === null).map(({ name }) => name);
      const profile = completeProfile(store, { hasProducts, topNames });
      const menuHours = menuHoursOf(categories);
      const rows = categories.map((category) => categoryColumns(category, menuHours.get(category.externalId) ?? []));
      for (const row of rows) contents.add(row);
      const text = JSON.stringify(storedProfile(profile));
      const feedHash = contents.finish(text + JSON.stringify([store.brand, store.origins]));
      const row = JSON.stringify({
        store_id: storeId,
        external_id: store.externalId,
        online_ordering: profile.onlineOrdering,
        accept_delivery: profile.delivery.accepting,
        accept_pickup: profile.pickup.accepting,
        language: profile.language ?? DEFAULT_LANGUAGE,
        supports_upc_codes: hasUpc,
        has_catalog: hasProducts,
        brand: store.brand,
        origins: store.origins,
      });
      return {
        storeId,
        feedHash,
        row,
        profile: text,
        categories: rows.map((row, seq) => `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`),
        business: businessOf(profile),
      };
    },
  };
}

/** Hashes rows, one per line, and a last text. Most stores have no rows, so that only the text is hashed. */
function createContents() {
  let rows: Hash | undefined;
  return {
    add(row: string): void {
      rows ??= createHash('sha256');
      rows.update(row).update('\n');
    },
    finish: (text: string) => rows?.update(text).digest('hex') ?? hash('sha256', text),
  };
}

/** Drops the kinds of hours that equal the store's, because hours are half of a profile. */
export function storedProfile({ hours, hoursExceptions, ...profile }: FeedProfile): StoredProfile {
  const { operational, ...channels } = hours;
  const ofStore = JSON.stringify(operational);
  const own = Object.entries(channels).filter(([, week]) => JSON.stringify(week) !== ofStore);
  const exceptions = hoursExceptions.length === 0 ? {} : { hoursExceptions };
  return { ...profile, hours: { ...Object.fromEntries(own), operational }, ...exceptions };
}

function businessOf({ name, phoneNumber, latitude, longitude }: FeedProfile): Business {
  return { name, phoneNumber, latitude, longitude };
}

export function categoryColumns(category: FeedCategory, menuHours: readonly WeeklyHours[]): string {
  const { externalId: external_id, parentId: parent_id, position, name, isLeaf: is_leaf } = category;
  return JSON.stringify({ external_id, parent_id, position, name, menu_hours: menuHours, is_leaf });
}

/** Menu hours of each category, its parents' included; parents come first. */
export function menuHoursOf(categories: readonly FeedCategory[]): Map<string, readonly WeeklyHours[]> {
  const known = new Map<string, readonly WeeklyHours[]>();
  for (const { externalId, parentId, hours } of categories) {
    const above = parentId === null ? [] : (known.get(parentId) ?? []);
    known.set(externalId, hours === null ? above : [...above, hours]);
  }
  return known;
}

/** The hash by which an import recognizes an unchanged product. */
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
    upc_code: plain.upcCode,
    is_alcoholic: plain.isAlcoholic,
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
function createViews(): (shown: ShownProduct) => Views {
  const ranks = new Map<string, Record<Mode, ListRank>>();
  return (shown) => {
    const { product, categoryId } = shown;
    const rank = ranks.get(categoryId) ?? { delivery: createListRank(), pickup: createListRank() };
    ranks.set(categoryId, rank);
    const viewIn = createView(shown);
    return {
      delivery_view: product.inDelivery ? viewIn('delivery', rank.delivery.next(product.available)) : null,
      pickup_view: product.inPickup ? viewIn('pickup', rank.pickup.next(product.available)) : null,
    };
  };
}

/**
 * Hashes what an inventory shows of a product in a mode at a place of its list, without stock. A category is hashed by
 * its feed id, in place of its number.
 */
export function createView({ product, categoryId, choices }: ShownProduct): (mode: Mode, place: string) => string {
  const { name, description, image, thumbnailImage, unitSize, unitOfMeasurement, originalPrice, food } = product;
  const shared = [categoryId, name, description, image, thumbnailImage, unitSize, unitOfMeasurement];
  // A product that is not on sale shows its price as the original price in each mode (present-menu.ts).
  const salePrice = originalPrice === product.price ? null : originalPrice;
  const inBoth = JSON.stringify([...shared, salePrice, ...foodValues(food)]);
  const prices = { delivery: product.price, pickup: product.pickupPrice };
  return (mode, place) => joinViews(hash64(`${inBoth} ${prices[mode]} ${place}`), choices);
}

/**
 * Ranks of a category's products in one mode, in feed sequence. A product on sale is ranked by the products on sale
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
