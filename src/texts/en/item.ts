/** An item with its choices, on its way into a cart or an order. */
export const item = {
  close: 'Close',
  quantityOf: ({ name }: { name: string }) => `Quantity of ${name}`,
  fewer: ({ name }: { name: string }) => `One less ${name}`,
  more: ({ name }: { name: string }) => `One more ${name}`,
  required: 'Required',
  optional: 'Optional',
  chooseOne: 'Choose 1',
  chooseExactly: ({ count }: { count: number }) => `Choose ${count}`,
  chooseUpTo: ({ count }: { count: number }) => `Choose up to ${count}`,
  chooseBetween: ({ min, max }: { min: number; max: number }) => `Choose ${min} to ${max}`,
  /** How many of all options together; `max` is absent where nothing limits it. */
  units: ({ min, max }: { min: number; max: number | undefined }) => {
    if (max === undefined) return `at least ${min} in all`;
    if (min === max) return `${max} in all`;
    return min === 0 ? `at most ${max} in all` : `${min} to ${max} in all`;
  },
  chosen: ({ count, max }: { count: number; max: number }) => `${count} of ${max} chosen`,
  missing: ({ name }: { name: string }) => `Make a choice: ${name}`,
  notes: 'Note for the store',
  notesHint: 'Allergies, or how you like it',
  add: ({ amount }: { amount: string }) => `Add · ${amount}`,
  update: ({ amount }: { amount: string }) => `Update · ${amount}`,
  gone: 'The store no longer has this item.',
  newCart: 'Start a new cart?',
  newCartWhy: ({ store }: { store: string }) => `Your cart has items from ${store}. A cart is from one store.`,
  startNew: 'Start a new cart',
  keepCart: 'Keep my cart',
};
