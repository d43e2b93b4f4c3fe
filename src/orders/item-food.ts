import { ALLERGENS, type Allergen, type Food } from '../catalog/food.ts';
import type { CatalogProduct, Customization } from '../catalog/product.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { QuotedItem } from './order.ts';

/** What was known of the food of an ordered item: of the product, and of each chosen option with facts of its own. */
export type QuotedFood = { product: Food | null; options: readonly { optionId: string; food: Food }[] };

/** The facts of a product and of the options that were chosen; undefined where none is known. */
export function quotedFoodOf(
  { food, customizations }: Pick<CatalogProduct, 'food' | 'customizations'>,
  chosen: readonly PricedCustomization[],
): QuotedFood | undefined {
  const options = optionsWithFood(customizations, chosenIds(chosen));
  return food === null && options.length === 0 ? undefined : { product: food, options };
}

/** Ids of options are unique within a product. */
function chosenIds(chosen: readonly PricedCustomization[]): Set<string> {
  const ids = new Set<string>();
  const collect = (customizations: readonly PricedCustomization[]): void => {
    for (const option of customizations.flatMap(({ options }) => options)) {
      ids.add(option.id);
      collect(option.customizations);
    }
  };
  collect(chosen);
  return ids;
}

function optionsWithFood(customizations: readonly Customization[], ids: ReadonlySet<string>): QuotedFood['options'] {
  return customizations.flatMap(({ options }) =>
    options
      .filter(({ id }) => ids.has(id))
      .flatMap(({ id, food, customizations: nested }) => [
        ...(food === undefined ? [] : [{ optionId: id, food }]),
        ...optionsWithFood(nested, ids),
      ]),
  );
}

/**
 * The allergens that are known of an item with its options, and the traces beside them. Null: nothing is known. A list is
 * no proof of what it leaves out: one of the options may be unknown.
 */
export type ItemAllergens = { contains: readonly Allergen[] | null; mayContain: readonly Allergen[] | null };

export function allergensOf({ food }: Pick<QuotedItem, 'food'>): ItemAllergens {
  const foods = food ? [food.product, ...food.options.map((option) => option.food)].filter((one) => one !== null) : [];
  const contains = unionOf(foods.map(({ allergens }) => allergens));
  const traces = unionOf(foods.map(({ mayContain }) => mayContain));
  return { contains, mayContain: traces?.filter((allergen) => !contains?.includes(allergen)) ?? null };
}

function unionOf(lists: readonly (readonly Allergen[] | null)[]): Allergen[] | null {
  const known = lists.filter((list) => list !== null);
  return known.length === 0 ? null : ALLERGENS.filter((allergen) => known.some((list) => list.includes(allergen)));
}
