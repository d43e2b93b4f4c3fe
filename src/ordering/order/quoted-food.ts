import { ALLERGENS, type Allergen } from '../../supply/catalog/food.ts';
import type { CatalogProduct, Customization } from '../../supply/catalog/product.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { QuotedFood, QuotedItem } from './order.ts';

/* The food facts of an ordered item: kept with the quote, and read by labels, tickets and stores. */

/** Collects food facts of a product and its chosen options; undefined if nothing is known. */
export function quotedFoodOf(
  { food, customizations }: Pick<CatalogProduct, 'food' | 'customizations'>,
  chosen: readonly PricedCustomization[],
): QuotedFood | undefined {
  const options = optionsWithFood(customizations, chosenIds(chosen));
  return food === null && options.length === 0 ? undefined : { product: food, options };
}

/** Collects the ids of chosen options, which are unique within a product. */
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
 * Known allergens of an item with its options, and traces. Null if nothing is known. A list never shows that an
 * allergen is absent, because an option's facts may be unknown.
 */
type ItemAllergens = { contains: readonly Allergen[] | null; mayContain: readonly Allergen[] | null };

export function allergensOf({ food }: Pick<QuotedItem, 'food'>): ItemAllergens {
  const foods = food ? [food.product, ...food.options.map((option) => option.food)].filter((one) => one !== null) : [];
  const contains = unionOf(foods.map(({ allergens }) => allergens));
  const traces = unionOf(foods.map(({ mayContain }) => mayContain));
  return { contains, mayContain: traces?.filter((allergen) => !contains?.includes(allergen)) ?? null };
}

/** States an item's known food facts, a sentence each: calories of a unit with default options, allergens, traces. */
export function foodSentences(item: Pick<QuotedItem, 'food'>, locale: Locale): string[] {
  const calories = item.food?.product?.nutrition?.calories ?? null;
  const sentences = allergenSentences(item, locale);
  return calories === null ? sentences : [locale.words.store.food.calories({ count: calories }), ...sentences];
}

/** States an item's known allergens and traces, a sentence each. */
export function allergenSentences(item: Pick<QuotedItem, 'food'>, { words }: Locale): string[] {
  const { allergen, allergens, mayContain: traces } = words.store.food;
  const { contains, mayContain } = allergensOf(item);
  const sentence = (say: (pieces: { list: string }) => string, known: readonly Allergen[] | null) =>
    known?.length ? [say({ list: known.map((one) => allergen[one]).join(', ') })] : [];
  return [...sentence(allergens, contains), ...sentence(traces, mayContain)];
}

function unionOf(lists: readonly (readonly Allergen[] | null)[]): Allergen[] | null {
  const known = lists.filter((list) => list !== null);
  return known.length === 0 ? null : ALLERGENS.filter((allergen) => known.some((list) => list.includes(allergen)));
}
