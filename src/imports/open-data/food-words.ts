import type { StoreType } from '../../stores/store.ts';

/** OpenStreetMap `amenity` values where meals, drinks or ice cream are served. */
export const OSM_RESTAURANTS: ReadonlySet<string> = new Set([
  'restaurant',
  'fast_food',
  'cafe',
  'bar',
  'pub',
  'ice_cream',
  'food_court',
  'biergarten',
  'juice_bar',
]);

/** OpenStreetMap `shop` values where food or drink is sold to take home. */
export const OSM_GROCERIES: ReadonlySet<string> = new Set([
  'supermarket',
  'convenience',
  'grocery',
  'greengrocer',
  'general',
  'butcher',
  'bakery',
  'pastry',
  'deli',
  'seafood',
  'fishmonger',
  'cheese',
  'dairy',
  'farm',
  'frozen_food',
  'health_food',
  'organic',
  'food',
  'pasta',
  'spices',
  'nuts',
  'confectionery',
  'chocolate',
  'coffee',
  'tea',
  'water',
  'beverages',
  'wine',
  'alcohol',
]);

/** OpenStreetMap `shop` values that serve rather than sell to take home. */
export const OSM_SERVING_SHOPS: ReadonlySet<string> = new Set(['ice_cream']);

/** Overture categories, of the older list and of the newer taxonomy, whose places sell food to take home. */
const OVERTURE_GROCERIES: ReadonlySet<string> = new Set([
  'food_and_beverage_store',
  'food_beverage_store',
  'grocery_store',
  'supermarket',
  'convenience_store',
  'organic_grocery_store',
  'specialty_grocery_store',
  'specialty_foods',
  'specialty_food_store',
  'ethnic_grocery_store',
  'asian_grocery_store',
  'indian_grocery_store',
  'japanese_grocery_store',
  'korean_grocery_store',
  'kosher_grocery_store',
  'mexican_grocery_store',
  'russian_grocery_store',
  'international_grocery_store',
  'health_food_store',
  'fruits_and_vegetables',
  'produce_store',
  'greengrocer',
  'butcher_shop',
  'meat_shop',
  'fishmonger',
  'seafood_market',
  'cheese_shop',
  'dairy_store',
  'bakery',
  'patisserie_cake_shop',
  'delicatessen',
  'candy_store',
  'chocolatier',
  'liquor_store',
  'beer_wine_and_spirits',
  'beer_wine_spirits',
  'wine_store',
  'beverage_store',
  'water_store',
  'coffee_and_tea_supplies',
]);

/** Overture categories of businesses that serve meals and drinks, beside every `…_restaurant`. */
const OVERTURE_RESTAURANTS: ReadonlySet<string> = new Set([
  'food_and_drink',
  'eat_and_drink',
  'restaurant',
  'casual_eatery',
  'fast_food',
  'cafe',
  'coffee_shop',
  'tea_room',
  'bubble_tea',
  'bar',
  'pub',
  'sports_bar',
  'wine_bar',
  'cocktail_bar',
  'beer_bar',
  'beer_garden',
  'brewery',
  'lounge',
  'gastropub',
  'diner',
  'bistro',
  'brasserie',
  'pizzeria',
  'food_court',
  'food_truck',
  'food_stand',
  'sandwich_shop',
  'donuts',
  'bagel_shop',
  'ice_cream_shop',
  'ice_cream_and_frozen_yoghurt',
  'frozen_yoghurt_shop',
  'dessert_shop',
  'desserts',
  'smoothie_juice_bar',
  'juice_bar',
]);

/** Overture categories that name a kind of place to eat, and no cuisine. */
const NO_CUISINES: ReadonlySet<string> = new Set(['fast_food', 'buffet', 'diy_food', 'pop_up', 'take_out', 'theme']);

/**
 * The store type of a place by its Overture categories, most specific first: the first known category decides, so that a
 * bakery under `food_and_drink` is a grocery, as in OpenStreetMap. Null for a place that sells no food.
 */
export function storeTypeOfOverture(categories: readonly string[]): StoreType | null {
  for (const category of categories) {
    if (OVERTURE_GROCERIES.has(category) || category.endsWith('_grocery_store')) return 'grocery';
    if (OVERTURE_RESTAURANTS.has(category) || category.endsWith('_restaurant')) return 'restaurant';
  }
  return null;
}

/** `pizza_restaurant` cooks pizza. */
export function cuisinesOfOverture(categories: readonly string[]): string[] {
  const cuisines = categories
    .map((category) => /^(.+)_restaurant$/.exec(category)?.[1] ?? '')
    .filter((cuisine) => cuisine !== '' && !NO_CUISINES.has(cuisine));
  return [...new Set(cuisines.map((cuisine) => cuisine.replaceAll('_', ' ')))];
}
