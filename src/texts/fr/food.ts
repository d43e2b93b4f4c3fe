import type { Words } from '../../platform/languages/words.ts';
import type { food as english } from '../en/food.ts';

export const food = {
  allergens: ({ list }) => `Allergènes\u00a0: ${list}`,
  mayContain: ({ list }) => `Peut contenir\u00a0: ${list}`,
  calories: ({ count }) => `${count} calories`,
  allergen: {
    milk: 'lait',
    eggs: 'œufs',
    fish: 'poisson',
    crustaceans: 'crustacés',
    tree_nuts: 'noix',
    peanuts: 'arachides',
    wheat: 'blé',
    soybeans: 'soya',
    sesame: 'sésame',
    mustard: 'moutarde',
    molluscs: 'mollusques',
    sulphites: 'sulfites',
  },
} satisfies Words<typeof english>;
