import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import type { ContinentStore } from './continent-stores.ts';
import { SOURCE } from './forms.ts';
import { categoriesOf } from './menus.ts';
import { METROS } from './metros.ts';
import { type Chance, chanceOf, pick, wholeBetween } from './seeded.ts';
import { besideStore, mistyped, wordOf } from './workloads.ts';

/** Query parameters of a product or cart search. */
export type ProductQuery = Readonly<Record<string, string>>;

/** Product searches of one kind near a store with a menu; `dish` is the name of one of its products. */
export type ProductKind = { name: string; asksOf(dish: string, chance: Chance, store: ContinentStore): ProductQuery };

/** Distinct queries per kind. */
export const QUERIES_OF_KIND = 400;
/** Number of distinct carts. */
export const CARTS = 400;
const CART_LINES = 8;
const MAX_UNITS = 3;
/** Regions whose first query is measured, starting with the largest metropolitan areas. */
const REGIONS = 60;
/** Minimum distance between regions, so that one region's first query does not load another's menus. */
const APART_DEGREES = 1.5;
const SIDE = /^(?:with|alla|of|the|day|&)$/i;

export const PRODUCT_KINDS: readonly ProductKind[] = [
  { name: 'one word', asksOf: (dish, chance) => ({ query: wordOf(dish, chance) }) },
  { name: 'two words', asksOf: (dish, chance) => ({ query: twoWordsOf(dish, chance) }) },
  { name: 'a whole name', asksOf: (dish) => ({ query: dish }) },
  { name: 'a word with a typo', asksOf: (dish, chance) => ({ query: mistyped(wordOf(dish, chance), chance) }) },
  {
    name: 'two words, one with a typo',
    asksOf: (dish, chance) => ({ query: mistyped(twoWordsOf(dish, chance), chance) }),
  },
  {
    name: 'an unfinished word',
    asksOf: (dish, chance) => ({ query: wordOf(dish, chance).slice(0, wholeBetween(3, 6, chance)) }),
  },
  {
    name: 'of one store',
    asksOf: (dish, chance, store) => ({ query: wordOf(dish, chance), store_id: storeIdOf(SOURCE, store.externalId) }),
  },
  {
    name: 'with a diet or without an allergen',
    asksOf: (dish, chance) => ({ query: wordOf(dish, chance), ...pick(NEEDS, chance) }),
  },
  {
    name: 'filtered and sorted',
    asksOf: (dish, chance) => ({ query: wordOf(dish, chance), ...pick(FILTERS, chance), ...pick(SORTS, chance) }),
  },
];

const NEEDS: readonly ProductQuery[] = [
  { diet: 'vegan' },
  { diet: 'vegetarian' },
  { without: 'milk' },
  { without: 'peanuts,tree_nuts' },
];
const FILTERS: readonly ProductQuery[] = [
  { open: 'true' },
  { pickup: 'true' },
  { pickup: 'false', delivers_here: 'true' },
  { maximum_miles: '5' },
  { maximum_miles: '25' },
  { store_type: 'restaurant' },
];
const SORTS: readonly ProductQuery[] = [
  { sort: 'cheapest' },
  { sort: 'distance' },
  { sort: 'rating' },
  { page: '1' },
  {},
];

/**
 * Distinct searches of one kind near stores with menus. Half of them name a dish of that store, the other half a dish
 * of any store.
 */
export function asksOfKind(
  kind: ProductKind,
  sellers: readonly ContinentStore[],
  count = QUERIES_OF_KIND,
): ProductQuery[] {
  const chance = chanceOf(kind.name.length * 6007 + kind.name.charCodeAt(0));
  const asks = new Map<string, ProductQuery>();
  while (asks.size < count) {
    const store = pick(sellers, chance);
    const ask = {
      ...placeBeside(store, chance),
      ...kind.asksOf(dishOf(otherOr(store, sellers, chance), chance), chance, store),
    };
    asks.set(JSON.stringify(ask), ask);
  }
  return [...asks.values()];
}

/** Distinct carts of eight lines near stores with menus; each line is a dish, with or without its preparation. */
export function cartAsks(sellers: readonly ContinentStore[], count = CARTS): ProductQuery[] {
  const chance = chanceOf(20_261_122);
  return Array.from({ length: count }, () => {
    const store = pick(sellers, chance);
    const lines: Record<string, number> = {};
    while (Object.keys(lines).length < CART_LINES)
      lines[lineOf(dishOf(store, chance), chance)] = wholeBetween(1, MAX_UNITS, chance);
    return { ...placeBeside(store, chance), query: JSON.stringify(lines), full_carts_only: String(chance() < 0.5) };
  });
}

/** One search at the center of each region. */
export function regionAsks(sellers: readonly ContinentStore[]): ProductQuery[] {
  const chance = chanceOf(20_261_123);
  const regions: (typeof METROS)[number][] = [];
  for (const metro of METROS) {
    const isApart = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
      Math.hypot(latitude - metro.latitude, longitude - metro.longitude) > APART_DEGREES;
    if (regions.length < REGIONS && regions.every(isApart)) regions.push(metro);
  }
  return regions.map((metro) => ({ ...placeOf(metro), query: wordOf(dishOf(pick(sellers, chance), chance), chance) }));
}

export const productPath = (parameters: ProductQuery): string =>
  `/search/product/v4?${new URLSearchParams(parameters)}`;
/** A word that no menu has, and none like it. */
export const UNSOLD_WORD = 'xylophonist';
export const itemPath = (
  { user_latitude: latitude = '', user_longitude: longitude = '' }: ProductQuery,
  query: string,
) => `/search/store/v3?${new URLSearchParams({ latitude, longitude, query, search_focus: 'item' })}`;
export const cartPath = (parameters: ProductQuery): string => `/search/cart?${new URLSearchParams(parameters)}`;

function placeBeside(store: ContinentStore, chance: Chance): ProductQuery {
  return placeOf(besideStore(store, chance));
}

function placeOf({ latitude, longitude }: { latitude: number; longitude: number }): ProductQuery {
  return { user_latitude: String(latitude), user_longitude: String(longitude) };
}

function otherOr(store: ContinentStore, sellers: readonly ContinentStore[], chance: Chance): ContinentStore {
  return chance() < 0.5 ? store : pick(sellers, chance);
}

function dishOf(store: ContinentStore, chance: Chance): string {
  return pick(pick(categoriesOf(store), chance).products, chance).name;
}

/** Two adjacent words of a name. */
function twoWordsOf(dish: string, chance: Chance): string {
  const words = dish.split(' ').filter((word) => !SIDE.test(word));
  const at = wholeBetween(0, Math.max(0, words.length - 2), chance);
  return words.slice(at, at + 2).join(' ');
}

/** A cart line: the last words of a dish name before its side. */
function lineOf(dish: string, chance: Chance): string {
  const [name = dish] = dish.split(' with ');
  return name
    .split(' ')
    .slice(chance() < 0.7 ? 1 : 0)
    .join(' ');
}
