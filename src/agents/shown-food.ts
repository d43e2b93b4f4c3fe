import type { Food } from '../catalog/food.ts';

/** What is known of a food's allergens, of its traces of others, and of its diets; a member that is unknown is absent. */
export function showFood(food: Food | null | undefined) {
  if (!food) return {};
  const { allergens, mayContain, diets } = food;
  return {
    ...(allergens ? { allergens: [...allergens] } : {}),
    ...(mayContain ? { may_contain: [...mayContain] } : {}),
    ...(diets ? { diets: [...diets] } : {}),
  };
}
