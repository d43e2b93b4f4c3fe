import { goodsOfShops, parseShopWords, type StoreKind, sellsFood, words } from 'doorstep/plugin';

/* Which places of OpenStreetMap and Overture are stores, and their goods, by the words of each. */

/** OpenStreetMap tag values that make a place a store, in the record's order. */
export type OsmValues = Readonly<Record<'amenity' | 'shop' | 'healthcare', readonly string[]>>;

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
  return { type: 'grocery', category: tagValue(sold), sells: goodsOfShops(SHOP_WORDS.osm, [sold, ...shop, ...keyed]) };
}

const tagValue = (tag: string): string => tag.slice(tag.indexOf('=') + 1);

/**
 * The kind of an Overture place by its own categories, most specific first. The first known one decides, so that a
 * bakery under `food_and_drink` is a grocery, as in OpenStreetMap. The others add to a shop's goods.
 */
export function overtureStoreKind(own: readonly string[], others: readonly string[]): StoreKind | null {
  for (const category of own) {
    if (OVERTURE_SERVICES.has(category)) return null;
    if (overtureSale(category) !== undefined) {
      const sold = [...own, ...others].flatMap((name) => overtureSale(name) ?? []);
      return { type: 'grocery', category, sells: [...new Set(sold)] };
    }
    if (SERVING_WORDS.overture.has(category) || category.endsWith('_restaurant'))
      return { type: 'restaurant', category, sells: [] };
  }
  return null;
}

const overtureSale = (category: string): string | undefined =>
  SHOP_WORDS.overture.get(category) ?? (category.endsWith('_grocery_store') ? 'groceries' : undefined);

/** Cuisines in Overture categories: `pizza_restaurant` becomes pizza. */
export function cuisinesOfOverture(categories: readonly string[]): string[] {
  const cuisines = categories
    .map((category) => /^(.+)_restaurant$/.exec(category)?.[1] ?? '')
    .filter((cuisine) => cuisine !== '' && !NO_CUISINES.has(cuisine));
  return [...new Set(cuisines.map((cuisine) => cuisine.replaceAll('_', ' ')))];
}

/**
 * The directories' words for stores. A place without any of them is not
 * a store: services (banks, salons, repair), vehicles, fuel only, sights, malls.
 */

/** Words for places that serve meals, drinks or ice cream, which become stores of type `restaurant`. */
export const SERVING_WORDS = {
  /** Values of `amenity`; other keys as `key=value`. */
  osm: words('restaurant fast_food cafe bar pub ice_cream shop=ice_cream food_court biergarten juice_bar'),
  /** Categories, alongside all `…_restaurant`. */
  overture: words(`food_and_drink eat_and_drink restaurant casual_eatery fast_food cafe coffee_shop tea_room
    bubble_tea bar pub sports_bar wine_bar cocktail_bar beer_bar beer_garden brewery lounge gastropub diner bistro
    brasserie pizzeria pizza_delivery_service food_court food_truck food_stand sandwich_shop donuts bagel_shop
    ice_cream_shop ice_cream_and_frozen_yoghurt frozen_yoghurt_shop dessert_shop desserts smoothie_juice_bar juice_bar
    acai_bowls animal_cafe baguettes bar_and_grill bar_tabac beach_bar beverage_shop brewery_winery_distillery
    bubble_tea_shop cafeteria canteen cat_cafe champagne_bar cidery cigar_bar coffee_roastery creperie cupcake_shop
    distillery dive_bar dog_cafe doner_kebab donut_shop drive_thru_bar empanadas friterie frozen_yogurt_shop gay_bar
    gelato gelato_shop hong_kong_style_cafe hookah_bar hotel_bar irish_pub kombucha kombucha_bar milk_bar
    milkshake_bar pancake_house piano_bar pie_shop sake_bar salad_bar shaved_ice_shop soul_food speakeasy steakhouse
    street_vendor sugar_shack supper_club tabac tapas_bar taqueria tiki_bar vermouth_bar whiskey_bar wine_tasting_room
    winery`),
};

/**
 * Words for shops by their goods; they become stores of type `grocery`. They sell food to take home, or other goods
 * ordered by the piece. Weapons and fireworks are excluded, because no courier may deliver them.
 */
export const SHOP_WORDS = {
  /** Values of `shop`; other keys as `key=value`. */
  osm: parseShopWords(`
    groceries: supermarket convenience grocery general country_store food frozen_food kiosk
    produce: greengrocer farm
    meat: butcher
    seafood: seafood fishmonger
    dairy: cheese dairy
    bakery: bakery pastry
    deli: deli
    sweets: confectionery chocolate
    coffee and tea: coffee tea
    alcohol: alcohol wine brewing_supplies
    drinks: beverages water
    specialty food: pasta rice spices nuts honey
    health food: health_food organic nutrition_supplements herbalist
    general merchandise: department_store variety_store wholesale catalog
    pharmacy: pharmacy chemist amenity=pharmacy healthcare=pharmacy
    medical supplies: medical_supply
    eyewear: optician
    beauty: cosmetics perfumery hairdresser_supply wigs
    electronics: electronics computer mobile_phone mobile_phone_accessories hifi camera radiotechnics battery
    appliances: appliance vacuum_cleaner
    games: games video_games
    toys: toys model hobby collector anime
    baby: baby_goods
    books: books comics newsagent magazine
    music: music musical_instrument video
    stationery: stationery printer_ink
    crafts: craft art fabric sewing wool haberdashery
    gifts: gift party candles trophy religion esoteric
    flowers: florist
    garden: garden_centre agrarian groundskeeping swimming_pool bbq
    pets: pet
    clothing: clothes boutique fashion fashion_accessories bag leather military_surplus
    shoes: shoes
    jewelry: jewelry watches
    sports: sports outdoor fishing hunting scuba_diving water_sports golf ski
    bicycles: bicycle
    furniture: furniture bed
    home goods: houseware interior_decoration household_linen kitchen bathroom_furnishing curtain carpet lighting
      pottery window_blind fireplace
    hardware: hardware doityourself paint electrical tiles flooring doors trade
    auto parts: car_parts
    tobacco: tobacco e-cigarette
    cannabis: cannabis
    adult: erotic
    second hand: second_hand charity antiques
  `),
  /** Categories of the older list and the newer taxonomy, alongside all `…_grocery_store`. */
  overture: parseShopWords(`
    groceries: grocery_store specialty_grocery_store supermarket superstore convenience_store ethical_grocery
      frozen_foods_store frozen_foods imported_food_store imported_food
      food_and_beverage_store food_beverage_store food_or_beverage_store
    produce: produce_store fruits_and_vegetables greengrocer farmers_market csa_farm pick_your_own_farm
    meat: butcher_shop meat_shop smokehouse
    seafood: fishmonger seafood_market
    dairy: cheese_shop dairy_store dairy_stores
    bakery: bakery patisserie_cake_shop custom_cakes_shop chimney_cake_shop baguette_shop flatbread_shop macaron_shop
      pretzel_shop
    deli: delicatessen deli
    sweets: candy_store candy_shop popcorn_shop chocolatier indian_sweets_shop japanese_confectionery_shop
    coffee and tea: coffee_and_tea_supplies
    alcohol: liquor_store beer_wine_spirits_store beer_wine_and_spirits beer_wine_spirits wine_store
      brewing_supply_store
    drinks: beverage_store water_store
    specialty food: specialty_foods_store specialty_foods specialty_food_store pasta_store pasta_shop rice_store
      rice_shop herb_and_spice_store herb_and_spice_shop olive_oil_store olive_oil honey_farm_shop
    health food: health_food_store health_market vitamin_and_supplement_store vitamins_and_supplements herbal_shop
    general merchandise: department_store discount_store outlet_store wholesale_store warehouse_club duty_free_store
      duty_free_shop
    pharmacy: pharmacy drugstore
    medical supplies: medical_supply_store medical_supply dental_supply_store orthopedic_shoe_store
    eyewear: eyewear_store eyewear_and_optician sunglasses_store
    beauty: cosmetic_and_beauty_supply_store cosmetic_and_beauty_supplies personal_care_and_beauty_store
      hair_supply_store hair_supply_stores perfume_store wig_store
    electronics: electronics_store electronics audio_visual_equipment_store battery_store
      camera_and_photography_store photography_store_and_services computer_store drone_store
      home_theater_systems_stores mobile_phone_accessory_store mobile_phone_accessories mobile_phone_store
    appliances: appliance_store
    games: video_game_store tabletop_games_store tabletop_games
    toys: toy_store hobby_shop
    baby: baby_gear_and_furniture_store baby_gear_and_furniture
    books: bookstore academic_bookstore comic_books_store used_bookstore newspaper_and_magazines_store
      books_mags_music_video_store books_mags_music_and_video books_music_and_video_store
    music: music_store music_and_dvd_store vinyl_record_store musical_instrument_store guitar_store piano_store
    stationery: cards_and_stationery_store pen_store office_equipment packing_supply_store packing_supply
      educational_supply_store
    crafts: arts_and_crafts_store arts_and_crafts arts_crafts_and_hobby_store art_craft_hobby_store art_supply_store
      craft_store craft_shop handicraft_shop embroidery_and_crochet_store embroidery_and_crochet
      knitting_supply_store knitting_supply fabric_store costume_store
    gifts: gift_shop souvenir_store souvenir_shop party_supply_store party_supply candle_store trophy_store
      trophy_shop religious_items_store religious_items spiritual_items_store spiritual_shop holiday_decor_store
      holiday_decor
    flowers: florist flowers_and_gifts_shop flowers_and_gifts_store flower_shop flower_market flower_markets
    garden: nursery_and_gardening_store nursery_and_gardening hydroponic_gardening_store hydroponic_gardening
      agricultural_seed_store lawn_mower_store outdoor_furniture_store grilling_equipment_store grilling_equipment
      hot_tub_and_pool_store hot_tubs_and_pools christmas_tree_store christmas_trees
    pets: pet_store aquatic_pet_store bird_shop reptile_shop horse_equipment_shop livestock_feed_and_supply_store
    clothing: clothing_store ceremonial_clothing stocking bridal_shop childrens_clothing_store custom_clothing_store
      custom_clothing denim_wear_store designer_clothing formal_wear_store fur_clothing lingerie_store maternity_wear
      mens_clothing_store plus_size_clothing_store plus_size_clothing sleepwear t_shirt_store custom_t_shirt_store
      traditional_clothing saree_shop uniform_store womens_clothing_store fashion_and_apparel_store
      fashion_or_apparel_store fashion fashion_boutique boutique fashion_accessories_store handbag_store
      handbag_stores hat_store hat_shop leather_goods_store leather_goods luggage_store army_and_navy_store
      military_surplus_store
    shoes: shoe_store
    jewelry: jewelry_store watch_store gemstone_and_mineral_store gemstone_and_mineral
    sports: sporting_goods_store sporting_goods archery_store archery_shop dive_store dive_shop
      fitness_exercise_store fitness_exercise_equipment golf_equipment_store golf_equipment hockey_equipment_store
      hockey_equipment hunting_and_fishing_store hunting_and_fishing_supplies outdoor_store outdoor_gear skate_store
      skate_shop ski_and_snowboard_store ski_and_snowboard_shop sportswear_store sports_wear dancewear_store
      dance_wear surf_store surf_shop swimwear_store pool_and_billiards
    bicycles: bike_store bicycle_shop
    furniture: furniture_store furniture_accessory_store mattress_store
    home goods: home_and_garden_store home_and_garden home_goods_store home_decor_store home_decor
      bedding_and_bath_store bedding_and_bath_stores linen_store linen kitchen_and_bath_store kitchen_and_bath
      bathroom_fixture_store bathroom_fixture_stores kitchen_supply_store lighting_store rug_store carpet_store
      window_treatment_store wallpaper_store
    hardware: hardware_store hardware_home_and_garden_store do_it_yourself_store home_improvement_store
      home_improvement_center electrical_supply_store welding_supply_store woodworking_supply_store paint_store
      tile_store flooring_store building_supply_store lumber_store safe_store safety_equipment_store safety_equipment
    auto parts: vehicle_parts_store auto_parts_store auto_parts_and_supply_store boat_parts_store
      boat_parts_and_supply_store boat_parts_and_accessories
    tobacco: tobacco_shop e_cigarette_store
    cannabis: cannabis_dispensary
    adult: adult_store
    second hand: second_hand_store second_hand_shop second_hand_clothing_store thrift_store antique_store
      antique_shop used_vintage_and_consignment
  `),
};

/** Overture categories of services and markets that are listed under a shop category. */
export const OVERTURE_SERVICES =
  words(`clothing_rental cooking_classes atelier framing_store video_and_video_game_rental video_and_video_game_rentals
    pawn_shop flea_market food_delivery_service box_lunch_supplier hearing_aid_store hearing_aids hearing_aid_provider
    junkyard clothing_company bottled_water_company`);
