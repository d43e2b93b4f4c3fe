import { ALLERGENS, type Allergen } from '../../supply/catalog/food.ts';
import type { QuotedItem } from './order.ts';

/**
 * Known allergens of an item with its options, and traces. Null if nothing is known. A list never shows that an
 * allergen is absent, because an option's facts may be unknown.
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
