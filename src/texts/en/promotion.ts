/** Titles of promotions whose owner gave none, and who pays them. */
export const promotion = {
  percent: ({ percent }: { percent: string }) => `${percent} off`,
  percentUpTo: ({ percent, amount }: { percent: string; amount: string }) => `${percent} off, up to ${amount}`,
  amount: ({ amount }: { amount: string }) => `${amount} off`,
  spend: ({ minimum, amount, items }: { minimum: string; amount: string; items: string | undefined }) =>
    `Spend ${minimum}${items === undefined ? '' : ` on ${items}`}, get ${amount} off`,
  buyGet: ({ buy, get }: { buy: string; get: string }) => `Buy ${buy}, get ${get} free`,
  buyGetPercent: ({ buy, get, percent }: { buy: string; get: string; percent: string }) =>
    `Buy ${buy}, get ${get} at ${percent} off`,
  freeDelivery: 'Free delivery',
  deliveryOff: ({ amount }: { amount: string }) => `${amount} off delivery`,
  price: ({ price }: { price: string }) => `Now ${price}`,
  /** A total that is below the least that a card can pay. */
  waived: 'Too small to charge',
  /** `items` are the counted ones; undefined for all. */
  minimum: ({ amount, items }: { amount: string; items: string | undefined }) =>
    items === undefined ? `${amount} minimum` : `Minimum ${amount} of ${items}`,
  someItems: 'Selected items',
  modeOnly: { delivery: 'Delivery only', pickup: 'Pickup only' },
  firstOrder: 'First order only',
  someHours: 'Certain hours only',
  /** Under an item with a lower price. */
  listPrice: ({ price }: { price: string }) => `Regular price ${price}`,
  paidBy: { store: 'paid by the store', account: 'paid by the app', operator: 'paid by the marketplace' },
};
