import { present } from 'doorstep/collections';
import type { Static } from 'typebox';
import { formatPrice } from '../../platform/lib/money.ts';
import type { SoldByWeight } from '../pricing/weight.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { Country, Mode } from '../stores/store.ts';
import { ownTaxClass, type TaxClass } from '../stores/tax-class.ts';
import { isProductAvailable, menuPriceForMode, priceForMode, type SellingStore } from './availability.ts';
import type { Food, Nutrition } from './food.ts';
import type { CustomizationSchema, FoodSchema, MenuItemSchema, OptionSchema } from './inventory-schema.ts';
import { presentWeighed } from './present-weight.ts';
import type { CatalogProduct, Customization, Option } from './product.ts';
import { unitPriceOf } from './unit-price.ts';

/** A category in the inventory. */
export type MenuCategory = {
  categoryNo: number;
  parentNo: number | null;
  name: string;
  isLeaf: boolean;
  /** Menu hours of the category and all its parents. */
  menuHours: readonly MenuWeek[];
  /** Tax classes of the category and all its parents; the last one applies. */
  taxClasses: readonly TaxClass[];
};

/** The leaves of a forest in depth-first order; siblings keep their order. */
export function leavesOf(categories: readonly MenuCategory[], parentNo: number | null = null): MenuCategory[] {
  const children = Map.groupBy(categories, (category) => category.parentNo);
  const leaves: MenuCategory[] = [];
  const stack = [...(children.get(parentNo) ?? [])].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.isLeaf) leaves.push(next);
    else stack.push(...[...(children.get(next.categoryNo) ?? [])].reverse());
  }
  return leaves;
}

/** The number of products per category, including its descendants, from the leaves' numbers. */
export function sumByCategory(
  categories: readonly MenuCategory[],
  countOf: (leafNo: number) => number,
): ReadonlyMap<number, number> {
  const parents = new Map(categories.map(({ categoryNo, parentNo }) => [categoryNo, parentNo]));
  const sums = new Map<number, number>();
  for (const { categoryNo, isLeaf } of categories) {
    const count = isLeaf ? countOf(categoryNo) : 0;
    for (let at: number | null | undefined = categoryNo; typeof at === 'number'; at = parents.get(at))
      sums.set(at, (sums.get(at) ?? 0) + count);
  }
  return sums;
}

/**
 * Maximum options, nested ones included, of a product whose customizations the inventory shows
 * (docs/inventory.md#inventory).
 */
export const MAX_INLINE_OPTIONS = 40;

/** The columns of a product that an inventory answer needs alongside its stock and its choices. */
export const MENU_COLUMNS = [
  ...(['productNo', 'categoryNo', 'name', 'description', 'price', 'pickupPrice', 'originalPrice', 'image'] as const),
  ...([
    'thumbnailImage',
    'unitSize',
    'unitOfMeasurement',
    'weight',
    'food',
    'taxClass',
    'isAlcoholic',
    'optionCount',
  ] as const),
  ...(['minExtra', 'hours', 'menuPrice', 'menuPickupPrice'] as const),
] as const;

/** Customizations are absent if they are too large for an inventory. */
export type MenuProduct = Omit<
  Pick<CatalogProduct, (typeof MENU_COLUMNS)[number] | 'customizations' | 'qtyAvailable'>,
  'weight'
> & { weight: SoldByWeight | null };

/** Whether one unit can be ordered now. The menu contains only products that are on sale in its mode. */
export function isMenuProductSold(
  product: MenuProduct,
  { menuHours: categoryHours, taxClasses }: MenuCategory,
  { store, mode, now }: { store: SellingStore; mode: Mode; now: Temporal.Instant },
): boolean {
  const onSale = { removed: false, available: true, modes: { delivery: true, pickup: true } };
  return isProductAvailable(
    { ...product, ...onSale, categoryHours, taxClass: ownTaxClass(product) ?? taxClasses.at(-1) ?? null },
    mode,
    now,
    store,
  );
}

/** Members of a menu item that depend on its menu hours. */
type TimedMember = 'is_available' | 'available_at';

/**
 * A product as an element of `menu_item_list`, without time-dependent fields; `taxClass` is its category's, `country`
 * its store's.
 */
export function presentMenuItem(
  product: MenuProduct,
  mode: Mode,
  productId: string,
  { taxClass, country }: { taxClass: TaxClass; country: Country },
): Omit<Static<typeof MenuItemSchema>, TimedMember> {
  const prices = presentPrices(product, mode);
  const inlined = product.optionCount <= MAX_INLINE_OPTIONS;
  return {
    name: product.name,
    ...prices,
    qty_available: product.qtyAvailable,
    unit_size: product.unitSize,
    unit_of_measurement: product.unitOfMeasurement,
    ...present({ unit_price: unitPriceOf(product, prices.price, country) }),
    ...presentWeighed(product, prices.price),
    description: product.description ?? '',
    ...present({ image: product.image ?? undefined, thumbnail_image: product.thumbnailImage ?? undefined }),
    product_id: productId,
    tax_class: ownTaxClass(product) ?? taxClass,
    food: presentFood(product.food),
    customizations: inlined ? product.customizations.map(presentCustomization) : [],
    should_fetch_customizations: !inlined,
    supports_image_scaling: false,
  };
}

/**
 * `original_price` is the price before a sale, and never below the price. If the delivery price is not reduced, it is
 * the mode's price. Where a promotion lowers the price, it is the list price.
 */
export function presentPrices(
  product: Pick<
    CatalogProduct,
    'price' | 'pickupPrice' | 'originalPrice' | 'menuPrice' | 'menuPickupPrice' | 'minExtra'
  >,
  mode: Mode,
) {
  const listPrice = priceForMode(product, mode);
  const price = menuPriceForMode(product, mode);
  const onSale = price === listPrice && product.originalPrice !== product.price;
  return {
    price,
    min_price: price + product.minExtra,
    original_price: onSale ? Math.max(product.originalPrice, price) : listPrice,
    formatted_price: formatPrice(price),
  };
}

/** Limits of a group on both axes, as the feed names them. */
export function presentLimits({ minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits }: Customization) {
  return {
    min_choice_options: minChoiceOptions,
    max_choice_options: maxChoiceOptions,
    ...present({ min_total_units: minTotalUnits, max_total_units: maxTotalUnits }),
  };
}

export function presentCustomization(customization: Customization): Static<typeof CustomizationSchema> {
  return {
    name: customization.name,
    ...presentLimits(customization),
    options: customization.options.map(presentOption),
    customization_id: customization.id,
  };
}

/** The ids are the feed's. They are unique within the product, and keys of conditional prices. */
function presentOption(option: Option): Static<typeof OptionSchema> {
  return {
    name: option.name,
    price: option.price,
    formatted_price: formatPrice(option.price),
    customizations: option.customizations.map(presentCustomization),
    default_qty: option.defaultQty,
    min_qty: option.minQty,
    max_qty: option.maxQty,
    conditional_price: option.conditionalPrice,
    option_id: option.id,
    ...present({ tax_class: option.taxClass }),
    food: presentFood(option.food ?? null),
  };
}

export function presentFood(food: Food | null): Static<typeof FoodSchema> | null {
  if (food === null) return null;
  const { allergens, mayContain, diets, nutrition, source } = food;
  return {
    allergens: allergens && [...allergens],
    may_contain: mayContain && [...mayContain],
    diets: diets && [...diets],
    nutrition: nutrition && presentNutrition(nutrition),
    source,
  };
}

/** In the order of a label, because JSON from the database has its own order. */
function presentNutrition({ calories, fat, saturated_fat, trans_fat, cholesterol, sodium, ...rest }: Nutrition) {
  const { carbohydrates, fiber, sugars, added_sugars, protein } = rest;
  const fats = { calories, fat, saturated_fat, trans_fat, cholesterol, sodium };
  return { ...fats, carbohydrates, fiber, sugars, added_sugars, protein };
}
