import type { Words } from '../../platform/languages/words.ts';
import type { food as english } from '../en/food.ts';

export const food = {
  allergens: ({ list }) => `Alérgenos: ${list}`,
  mayContain: ({ list }) => `Puede contener: ${list}`,
  calories: ({ count }) => `${count} calorías`,
  allergen: {
    milk: 'leche',
    eggs: 'huevo',
    fish: 'pescado',
    crustaceans: 'crustáceos',
    tree_nuts: 'nueces de árbol',
    peanuts: 'cacahuate',
    wheat: 'trigo',
    soybeans: 'soya',
    sesame: 'ajonjolí',
    mustard: 'mostaza',
    molluscs: 'moluscos',
    sulphites: 'sulfitos',
  },
} satisfies Words<typeof english>;
