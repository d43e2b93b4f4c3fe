import { pluralOf } from '../../platform/languages/grammar.ts';
import { shop as customers } from './shop.ts';

const plural = pluralOf('en');

/** The shop's different texts for the person at the counter, who takes an order for a customer. */
export const counter = {
  list: {
    address: 'Customer’s address',
    noLookup: 'Addresses can’t be looked up right now. Take the order for pickup.',
  },
  store: {
    enterAddress: 'Enter the customer’s address',
    offline: 'You’re offline. The order is safe; prices are checked once you’re back.',
  },
  item: { notesHint: 'Allergies, or how the customer likes it' },
  cart: {
    title: 'Order',
    titleFrom: ({ store }: { store: string }) => `New order for ${store}`,
    empty: 'Nothing ordered yet.',
    full: 'The order is full. Remove something, or enter the rest as another order.',
    view: ({ count }: { count: number }) =>
      plural(count, { one: 'View order, 1 item', other: `View order, ${count} items` }),
  },
  dropOff: { wantsCode: 'Require the customer’s PIN at handoff' },
};

/** The texts of the shop in New order, whose bundle has them in place of `shop.ts`. */
export const shop = {
  ...customers,
  list: { ...customers.list, ...counter.list },
  store: { ...customers.store, ...counter.store },
  item: { ...customers.item, ...counter.item },
  cart: { ...customers.cart, ...counter.cart },
  dropOff: { ...customers.dropOff, ...counter.dropOff },
};
