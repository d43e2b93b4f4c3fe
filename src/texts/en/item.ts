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
    return min === 0 ? `up to ${max} in all` : `${min} to ${max} in all`;
  },
  chosen: ({ count, max }: { count: number; max: number }) => `${count} of ${max} chosen`,
  missing: ({ name }: { name: string }) => `Make a choice: ${name}`,
  notes: 'Special instructions',
  notesHint: 'Allergies, or how you like it',
  add: ({ amount }: { amount: string }) => `Add · ${amount}`,
  update: ({ amount }: { amount: string }) => `Update · ${amount}`,
  gone: 'This item is no longer available.',
  newCart: 'Start a new cart?',
  newCartWhy: ({ store }: { store: string }) => `Your cart has items from ${store}. A cart holds items from one place.`,
  startNew: 'Start a new cart',
  keepCart: 'Keep my cart',
  about: ({ weight }: { weight: string }) => `about ${weight}`,
  perWeight: ({ price, per }: { price: string; per: string }) => `${price}/${per}`,
  aboutEach: ({ amount }: { amount: string }) => `about ${amount} each`,
};
