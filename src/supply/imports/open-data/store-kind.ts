import type { StoreType } from '../../stores/store.ts';
import { FOOD_SOLD, OVERTURE_SERVICES, SERVING_WORDS, SHOP_WORDS, type ShopWords } from './store-words.ts';

/** OpenStreetMap tag values by which a place is a store, in the record's order. */
export type OsmValues = Readonly<Record<'amenity' | 'shop' | 'healthcare', readonly string[]>>;

/** A place's kind of store (docs/store-kinds.md). */
export type StoreKind = {
  type: StoreType;
  /** The directory's word that decided the kind. */
  category: string;
  /** What a shop sells, as names of product categories; empty for a restaurant. */
  sells: readonly string[];
};

/** Google's generic types, which do not describe a business. */
const GOOGLE_GENERIC: ReadonlySet<string> = new Set(['store', 'point_of_interest', 'establishment', 'food', 'health']);

const SCHEMA_ORG_GENERIC: ReadonlySet<string> = new Set(['Store', 'LocalBusiness', 'Organization', 'Place', 'Thing']);

/** Overture categories that are a kind of eatery, not a cuisine. */
const NO_CUISINES: ReadonlySet<string> = new Set(['fast_food', 'buffet', 'diy_food', 'pop_up', 'take_out', 'theme']);

/**
 * The kind of an OpenStreetMap element. Serving takes precedence over selling: a pub with a liquor store is a
 * restaurant. For food, all values of `shop` count; for other goods only the first, the main business, so that a
 * hairdresser who sells cosmetics is not a shop.
 */
export function osmStoreKind({ amenity, shop, healthcare }: OsmValues): StoreKind | null {
  const serving = [...amenity, ...shop.map((value) => `shop=${value}`)].find((value) => SERVING_WORDS.osm.has(value));
  if (serving) return { type: 'restaurant', category: tagValue(serving), sells: [] };
  const keyed = [...amenity.map((value) => `amenity=${value}`), ...healthcare.map((value) => `healthcare=${value}`)];
  const sold =
    shop.find((value) => sellsFood(SHOP_WORDS.osm, value)) ??
    [...shop.slice(0, 1), ...keyed].find((value) => SHOP_WORDS.osm.has(value));
  if (sold === undefined) return null;
  return { type: 'grocery', category: tagValue(sold), sells: soldBy(SHOP_WORDS.osm, [sold, ...shop, ...keyed]) };
}

function tagValue(tag: string): string {
  return tag.slice(tag.indexOf('=') + 1);
}

/**
 * The kind of an Overture place by its own categories, most specific first. The first known one decides, so that a
 * bakery under `food_and_drink` is a grocery, as in OpenStreetMap. The others add to what a shop sells.
 */
export function overtureStoreKind(own: readonly string[], others: readonly string[]): StoreKind | null {
  for (const category of own) {
    if (OVERTURE_SERVICES.has(category)) return null;
    if (overtureSale(category) !== undefined)
      return { type: 'grocery', category, sells: distinct([...own, ...others].map(overtureSale)) };
    if (SERVING_WORDS.overture.has(category) || category.endsWith('_restaurant'))
      return { type: 'restaurant', category, sells: [] };
  }
  return null;
}

function overtureSale(category: string): string | undefined {
  return SHOP_WORDS.overture.get(category) ?? (category.endsWith('_grocery_store') ? 'groceries' : undefined);
}

/** Cuisines in Overture categories: `pizza_restaurant` becomes pizza. */
export function cuisinesOfOverture(categories: readonly string[]): string[] {
  const cuisines = categories
    .map((category) => /^(.+)_restaurant$/.exec(category)?.[1] ?? '')
    .filter((cuisine) => cuisine !== '' && !NO_CUISINES.has(cuisine));
  return [...new Set(cuisines.map((cuisine) => cuisine.replaceAll('_', ' ')))];
}

/**
 * The store type by Google's types, primary type first. The first food type decides. For other goods the first known
 * type must be a shop, so that a car dealer who sells parts is not.
 */
export function googleStoreType(types: readonly string[]): StoreType | null {
  for (const type of types) {
    if (SERVING_WORDS.google.has(type) || type.endsWith('_restaurant')) return 'restaurant';
    if (sellsFood(SHOP_WORDS.google, type)) return 'grocery';
  }
  const main = types.find((type) => !GOOGLE_GENERIC.has(type));
  return main !== undefined && SHOP_WORDS.google.has(main) ? 'grocery' : null;
}

/** The kind by schema.org's types. A mere `Store` is a shop with unknown goods. */
export function schemaOrgStoreKind(types: readonly string[]): StoreKind | null {
  const serving = types.find((type) => SERVING_WORDS.schemaOrg.has(type));
  if (serving) return { type: 'restaurant', category: serving, sells: [] };
  const named = types.filter((type) => !SCHEMA_ORG_GENERIC.has(type));
  const isStore = named.length === 0 && types.includes('Store');
  const sold = isStore ? 'Store' : named.find((type) => SHOP_WORDS.schemaOrg.has(type));
  return sold === undefined ? null : { type: 'grocery', category: sold, sells: soldBy(SHOP_WORDS.schemaOrg, types) };
}

function sellsFood(shops: ShopWords, word: string): boolean {
  return FOOD_SOLD.has(shops.get(word) ?? '');
}

/** What shops with these words sell, each once; unknown words are skipped. */
function soldBy(shops: ShopWords, among: readonly string[]): string[] {
  return distinct(among.map((word) => shops.get(word)));
}

function distinct(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}
