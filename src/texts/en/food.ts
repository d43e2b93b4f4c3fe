/** Food facts of an item: calories of one, allergens and traces. */
export const food = {
  allergens: ({ list }: { list: string }) => `Allergens: ${list}`,
  mayContain: ({ list }: { list: string }) => `May contain: ${list}`,
  calories: ({ count }: { count: number }) => `${count} calories`,
  allergen: {
    milk: 'milk',
    eggs: 'eggs',
    fish: 'fish',
    crustaceans: 'shellfish (crustaceans)',
    tree_nuts: 'tree nuts',
    peanuts: 'peanuts',
    wheat: 'wheat',
    soybeans: 'soy',
    sesame: 'sesame',
    mustard: 'mustard',
    molluscs: 'shellfish (mollusks)',
    sulphites: 'sulfites',
  },
};
