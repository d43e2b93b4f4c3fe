import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import type { Nutrient } from '../../src/supply/catalog/food.ts';
import { listOptions } from '../../src/supply/catalog/options-off.ts';
import type { WeightUnit } from '../../src/supply/pricing/weight.ts';
import type { Weekday } from '../../src/supply/stores/hours.ts';
import type { TaxClass } from '../../src/supply/stores/tax-class.ts';
import type { StoreMenuCategory, StoreMenuItem } from '../../src/surfaces/store-console/menu.route.ts';
import type { Product } from './product-row.tsx';

/** A menu as the Store API answers it, and the fields of an item while they are typed. */

export type MenuOption = {
  id: string;
  name: string;
  price: number;
  default_qty?: number;
  min_qty?: number;
  max_qty?: number;
  conditional_price?: Readonly<Record<string, number>>;
  food?: object | null;
  tax_class?: TaxClass | undefined;
  customizations: readonly MenuGroup[];
};
export type MenuGroup = {
  id?: string;
  name: string;
  min_choice_options: number;
  max_choice_options: number;
  min_total_units?: number | undefined;
  max_total_units?: number | undefined;
  options: readonly MenuOption[];
};
export type Food = {
  allergens: readonly string[] | null;
  may_contain: readonly string[] | null;
  diets: readonly string[] | null;
  nutrition: Partial<Record<'calories' | Nutrient, number | null>> | null;
  source: string | null;
};
/** How an item is sold by weight, with amounts as they are typed; undefined ones have a default. */
export type TypedWeight = { unit: WeightUnit } & {
  [Name in 'price_per' | 'step' | 'min' | 'max' | 'piece_weight']?: number | string | undefined;
} & { tolerance_percent?: number | undefined; scale_code?: string | undefined };
/** The fields of an item that an edit sends. */
export type ItemFields = {
  name: string;
  description: string | null;
  price: number;
  pickup_price: number | null;
  original_price: number | null;
  image: string | null;
  thumbnail_image: string | null;
  unit_size: number | null;
  unit_of_measurement: string;
  sold_by?: 'weight' | null;
  weight?: TypedWeight | null;
  upc_code: string | null;
  is_alcoholic: boolean;
  tax_class: TaxClass | null;
  food: Food | null;
  modes: readonly string[];
  hours: Readonly<Record<Weekday, string>> | null;
  customizations: readonly MenuGroup[];
};
/** An item's fields in a form. */
export type SetFields = { fields: ItemFields; set: (changes: Partial<ItemFields>) => void };
export type MenuItem = ItemFields & Omit<StoreMenuItem, keyof ItemFields>;
export type MenuCategory = StoreMenuCategory;
export type MenuList = { category: MenuCategory; items: readonly MenuItem[] };

export const NEW_ITEM: ItemFields = {
  name: '',
  description: null,
  price: 0,
  pickup_price: null,
  original_price: null,
  image: null,
  thumbnail_image: null,
  unit_size: null,
  unit_of_measurement: '',
  sold_by: null,
  weight: null,
  upc_code: null,
  is_alcoholic: false,
  tax_class: null,
  food: null,
  modes: ['delivery', 'pickup'],
  hours: null,
  customizations: [],
};

/** The fields of an item without its place, its version and its switches. */
export function fieldsOf(item: MenuItem): ItemFields {
  const fields = { ...NEW_ITEM };
  return Object.assign(fields, Object.fromEntries(Object.keys(fields).map((key) => [key, Reflect.get(item, key)])));
}

/** The item as its switches show it. */
export function productOf({ item_id: id, name, options_off: off, ...item }: MenuItem): Product {
  const options = listOptions(item.customizations, new Set(off));
  return {
    external_id: id,
    name,
    category: '',
    available: item.available,
    available_at: item.available_at,
    qty_available: item.qty_available,
    options: options.map(({ id: external_id, ...option }) => ({ external_id, ...option })),
  };
}

/** The menu with a product's switches and stock from a response. */
export function withSwitches(lists: readonly MenuList[], product: Product): readonly MenuList[] {
  const { available, available_at, qty_available } = product;
  const options_off = product.options.filter((option) => !option.available).map(({ external_id: id }) => id);
  return lists.map(({ category, items }) => ({
    category,
    items: items.map((item) =>
      item.item_id === product.external_id ? { ...item, available, available_at, qty_available, options_off } : item,
    ),
  }));
}

/** Cents of a typed amount; undefined for another text. Empty is 0. */
export const centsOf = (typed: string): number | undefined => (typed.trim() === '' ? 0 : readAmount(typed));

/** An amount as it is typed, with the decimal sign of the language. */
export function amountOf(cents: number, decimal: string): string {
  return (cents / 100).toFixed(2).replace('.', decimal);
}

/** An item's price: by weight with its unit, such as `$8.99/lb`. */
export function priceOf(format: Pick<Format, 'money'>, { price, weight }: ItemFields): string {
  if (!weight) return format.money(price);
  return `${format.money(price)}/${weight.price_per === 1 ? '' : `${weight.price_per} `}${weight.unit}`;
}

/** A new option. Its id also tells its fields apart while options are sorted. */
export function newOption(): MenuOption {
  return { id: `own-${Math.random().toString(36).slice(2)}`, name: '', price: 0, customizations: [] };
}

/** Option groups with ids of their own, for another item. */
export function copyGroups(groups: readonly MenuGroup[]): MenuGroup[] {
  return groups.map(({ id: _, options, ...group }) => ({
    ...group,
    options: options.map(({ id: __, conditional_price: ___, customizations, ...option }) => ({
      ...option,
      id: newOption().id,
      customizations: copyGroups(customizations),
    })),
  }));
}

/** The list with one member moved by `step` places, or as it is at an end. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  if (to < 0 || to >= list.length || from === to) return list;
  const [one] = list.slice(from, from + 1);
  return one === undefined ? list : list.toSpliced(from, 1).toSpliced(to, 0, one);
}
