/** Texts that agents read to customers: messages of the Universal Commerce Protocol. */
export const agent = {
  busy: ({ time }: { time: string }) => `Too many requests. Wait ${time}, then try again.`,
  place: {
    choose: 'Choose a store: search_locations near the customer, then send its id.',
    unknown: 'That store isn’t here. Choose a store from search_locations.',
    approximate: 'These stores deliver to the middle of that postal code. Your address decides.',
    tooMany: ({ read, of }: { read: string; of: string }) => `Only the first ${read} of ${of} stores were looked up.`,
  },
  catalog: {
    noProduct: 'There’s no such product.',
    defaults: 'With its usual choices.',
    delivery: 'Delivered to addresses near the store.',
    pickup: ({ store }: { store: string }) => `Ready for pickup at ${store}.`,
    filter: ({ name }: { name: string }) => `There’s no filter ${name} here, so it changed nothing.`,
    relaxed: ({ list }: { list: string }) => `No product has every word, so the search left out ${list}.`,
  },
  cart: {
    unknown: 'There’s no such cart, or it has expired.',
    estimate: 'Delivery, fees and taxes come at checkout.',
    merged: 'The same item was there twice; it’s one line now.',
    sizedByPiece: 'This is sold by the piece.',
    sizedByWeight: ({ unit }: { unit: string }) => `This is sold by weight, in ${unit}.`,
    stepped: ({ product, left }: { product: string; left: string }) =>
      `${product} is sold in steps, so the cart has ${left}.`,
    converted: ({ product, left }: { product: string; left: string }) =>
      `${product} is sold in another unit, so the cart has ${left}.`,
    soldOut: ({ product, store }: { product: string; store: string }) => `${product} is sold out at ${store}.`,
    otherStore: ({ store }: { store: string }) => `This is sold by ${store}; start another cart for it.`,
    needsChoices: ({ product }: { product: string }) => `Choose the options of ${product} on its page.`,
    lowered: ({ product, left }: { product: string; left: string }) =>
      `${product}: ${left} can be ordered, so the cart has that many.`,
    minimum: ({ store, missing }: { store: string; missing: string }) => `Add ${missing} to order from ${store}.`,
    alternatives: ({ list }: { list: string }) => `Instead, there’s ${list}.`,
    optionsOff: ({ options }: { options: string }) => `Off sale at the moment: ${options}.`,
  },
  order: {
    unknown: 'There’s no such order.',
    signIn: 'Sign in to continue.',
    cancel: ({ link }: { link: string }) => `You can still cancel this order: ${link}`,
  },
  checkout: {
    where: 'Where should it go?',
    oneMethod: 'Choose one way to get it: delivery or pickup.',
    slotGone: 'That time isn’t available anymore. Choose another time.',
    noAddress: 'We can’t find that address. Send it with its street number.',
    abroad: 'Delivery is only available in the US and Canada.',
    over: 'This checkout has ended. Start a new checkout.',
    signIn: 'Sign in to pay with a saved card.',
    tipLater: 'You can tip the courier at checkout, or once the order is placed.',
    newPrice: ({ product, price }: { product: string; price: string }) => `${product} is ${price} this way.`,
    overLimit: ({ limit }: { limit: string }) =>
      `This is more than the ${limit} that your agent may spend on an order. Review and place it yourself.`,
    tooMany: 'Your agents have placed as many orders today as they may. Place this one yourself.',
  },
};
