import fc from 'fast-check';
import { ALLERGENS, DIETS, type Food, type FoodNeeds, NUTRIENTS } from '../../src/supply/catalog/food.ts';

/** Random foods and dietary needs, and a food's claims by plain loops. Shares no code with the product index. */

const amount = fc.option(fc.double({ min: 0, max: 5000, noNaN: true }));
const nutrition = fc.record(Object.fromEntries(['calories', ...NUTRIENTS].map((name) => [name, amount])));
const allergens = fc.subarray([...ALLERGENS]);

export const anyFood: fc.Arbitrary<Food> = fc.record({
  allergens: fc.option(allergens),
  mayContain: fc.option(allergens),
  diets: fc.option(fc.subarray([...DIETS])),
  nutrition: fc.option(nutrition as fc.Arbitrary<NonNullable<Food['nutrition']>>),
  source: fc.option(fc.string()),
});

export const anyNeeds: fc.Arbitrary<FoodNeeds> = fc.record({
  diets: fc.subarray([...DIETS], { maxLength: 2 }),
  without: fc.subarray([...ALLERGENS], { maxLength: 3 }),
});

/** Whether the food states each of the needs; unknown counts as not stated. */
export function statesFood(food: Food | null, { diets, without }: FoodNeeds): boolean {
  for (const diet of diets) if (!isListed(food?.diets ?? [], diet)) return false;
  for (const allergen of without) {
    if (food === null || food.allergens === null || food.mayContain === null) return false;
    if (isListed(food.allergens, allergen) || isListed(food.mayContain, allergen)) return false;
  }
  return true;
}

function isListed(list: readonly string[], word: string): boolean {
  for (const listed of list) if (listed === word) return true;
  return false;
}
