import { parseShopWords, type StoreType, sellsFood, words } from 'doorstep/plugin';

/** Google's generic types, which do not describe a business. */
const GENERIC: ReadonlySet<string> = new Set(['store', 'point_of_interest', 'establishment', 'food', 'health']);

/**
 * The store type by Google's types, primary type first. The first food type decides. For other goods the first known
 * type must be a shop, so that a car dealer who sells parts is not.
 */
export function googleStoreType(types: readonly string[]): StoreType | null {
  for (const type of types) {
    if (SERVING.has(type) || type.endsWith('_restaurant')) return 'restaurant';
    if (sellsFood(SHOPS, type)) return 'grocery';
  }
  const main = types.find((type) => !GENERIC.has(type));
  return main !== undefined && SHOPS.has(main) ? 'grocery' : null;
}

/** Types that serve (Place Types, tables A and B), alongside all `…_restaurant`. */
export const SERVING =
  words(`restaurant acai_shop bagel_shop bar bar_and_grill beer_garden bistro brewery brewpub cafe cafeteria
    cat_cafe cocktail_bar coffee_shop dessert_shop diner dog_cafe donut_shop food_court gastropub ice_cream_shop
    juice_shop meal_delivery meal_takeaway pub sandwich_shop sports_bar steak_house tea_house wine_bar`);

/** Types that sell, by goods (Place Types, table A). */
export const SHOPS = parseShopWords(`
    groceries: supermarket grocery_store asian_grocery_store convenience_store discount_supermarket food_store
      hypermarket warehouse_store
    produce: farmers_market
    meat: butcher_shop
    bakery: bakery
    deli: deli
    sweets: candy_store chocolate_shop confectionery
    coffee and tea: tea_store
    alcohol: liquor_store
    health food: health_food_store
    general merchandise: department_store discount_store general_store
    pharmacy: pharmacy drugstore
    beauty: cosmetics_store
    electronics: electronics_store cell_phone_store
    toys: toy_store
    books: book_store
    gifts: gift_shop
    flowers: florist
    garden: garden_center
    pets: pet_store
    clothing: clothing_store womens_clothing_store
    shoes: shoe_store
    jewelry: jewelry_store
    sports: sporting_goods_store sportswear_store
    bicycles: bicycle_store
    furniture: furniture_store
    home goods: home_goods_store
    hardware: hardware_store home_improvement_store building_materials_store
    auto parts: auto_parts_store
    second hand: thrift_store
`);
