import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import type { ContinentStore } from './continent-stores.ts';
import { SOURCE } from './forms.ts';
import { categoriesOf, type MenuProduct } from './menus.ts';
import { splitWords } from './scanned-names.ts';

/** Input of a scan: menu words and conditions. */
export type ScanQuestion = {
  latitude: number;
  longitude: number;
  text: string;
  pickup: boolean | null;
  maximumMiles: number | null;
  diet: string | null;
  without: string | null;
};

/** A product that matches each word exactly or in its other number (singular or plural). */
export type ScannedProduct = { storeId: string; miles: number; name: string; cents: number };

/** Maximum stores per product search (docs/searching.md#product-search). */
const MAX_SELLERS = 500;
const EARTH_MILES = 6371.0088 / 1.609344;
const RADIANS = Math.PI / 180;
const STOPS: ReadonlySet<string> = new Set(['with', 'of', 'the']);

/** Scans all products of the nearest stores with plain loops over the feed's menus; shares no code with the service. */
export function scanProducts(sellers: readonly ContinentStore[], question: ScanQuestion): ScannedProduct[] {
  const words = splitWords(question.text).filter((word) => !STOPS.has(word));
  const found: ScannedProduct[] = [];
  if (words.length === 0) return found;
  for (const { seller, miles } of nearestOf(sellers, question)) {
    const storeId = storeIdOf(SOURCE, seller.externalId);
    for (const { name: category, products } of categoriesOf(seller)) {
      for (const product of products) {
        if (!hasWords(product, category, words) || !statesFood(product, question)) continue;
        found.push({ storeId, miles, name: product.name, cents: product.price });
      }
    }
  }
  return found;
}

function nearestOf(sellers: readonly ContinentStore[], { pickup, maximumMiles, ...door }: ScanQuestion) {
  const near: { seller: ContinentStore; miles: number }[] = [];
  for (const seller of sellers) {
    if (pickup !== null && (pickup ? seller.pickup : seller.delivery) === null) continue;
    const miles = milesBetween(seller, door);
    if (maximumMiles === null || miles <= maximumMiles) near.push({ seller, miles });
  }
  return near.sort((a, b) => a.miles - b.miles).slice(0, MAX_SELLERS);
}

type Coordinate = { latitude: number; longitude: number };

function milesBetween(a: Coordinate, b: Coordinate): number {
  const [north, east] = [(b.latitude - a.latitude) * RADIANS, (b.longitude - a.longitude) * RADIANS];
  const across = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.sqrt(Math.sin(north / 2) ** 2 + across)));
}

/** True if every word is in the name or the category, and at least one is in the name. */
function hasWords({ name }: MenuProduct, category: string, words: readonly string[]): boolean {
  const inName = splitWords(name);
  const inCategory = splitWords(category);
  const isIn = (own: readonly string[], wanted: string) => own.some((word) => isSame(word, wanted));
  return (
    words.some((word) => isIn(inName, word)) && words.every((word) => isIn(inName, word) || isIn(inCategory, word))
  );
}

/** Menu words form their plural only with -s or -ies. */
function isSame(one: string, other: string): boolean {
  const isPlural = (plural: string, word: string) => plural === `${word}s` || plural === `${word.slice(0, -1)}ies`;
  return one === other || isPlural(one, other) || isPlural(other, one);
}

function statesFood({ food }: MenuProduct, { diet, without }: ScanQuestion): boolean {
  const diets: readonly string[] = food && 'diets' in food ? food.diets : [];
  if (diet !== null && !diets.includes(diet)) return false;
  if (without === null) return true;
  const contents: readonly string[] | undefined = food && [...food.allergens, ...food.may_contain];
  return contents !== undefined && without.split(',').every((allergen) => !contents.includes(allergen));
}
