import { goodsOfShops, parseShopWords, type StoreKind, words } from 'doorstep/plugin';

const GENERIC: ReadonlySet<string> = new Set(['Store', 'LocalBusiness', 'Organization', 'Place', 'Thing']);

/** The kind by schema.org's types. A mere `Store` is a shop with unknown goods. */
export function schemaOrgStoreKind(types: readonly string[]): StoreKind | null {
  const serving = types.find((type) => SERVING.has(type));
  if (serving) return { type: 'restaurant', category: serving, sells: [] };
  const named = types.filter((type) => !GENERIC.has(type));
  const isStore = named.length === 0 && types.includes('Store');
  const sold = isStore ? 'Store' : named.find((type) => SHOPS.has(type));
  return sold === undefined ? null : { type: 'grocery', category: sold, sells: goodsOfShops(SHOPS, types) };
}

/** Types that serve. */
export const SERVING =
  words(`Restaurant FoodEstablishment Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant
    IceCreamShop Winery`);

/** Types that sell, by goods. */
export const SHOPS = parseShopWords(`
    groceries: GroceryStore ConvenienceStore
    alcohol: LiquorStore
    general merchandise: DepartmentStore OutletStore WholesaleStore
    pharmacy: Pharmacy
    eyewear: Optician
    electronics: ElectronicsStore ComputerStore MobilePhoneStore
    toys: ToyStore HobbyShop
    books: BookStore
    music: MusicStore
    stationery: OfficeEquipmentStore
    flowers: Florist
    garden: GardenStore
    pets: PetStore
    clothing: ClothingStore MensClothingStore
    shoes: ShoeStore
    jewelry: JewelryStore
    sports: SportingGoodsStore
    bicycles: BikeStore
    furniture: FurnitureStore
    home goods: HomeGoodsStore
    hardware: HardwareStore
    auto parts: AutoPartsStore
  `);
