import type { Chance } from './chance.ts';
import type { Customers } from './customers.ts';

export type Arrivals = {
  readonly left: number;
  /** Whether a store's customers have begun to arrive together. */
  readonly isRush: boolean;
  next(): Customers;
};

/** In a rush, all of a store's customers follow the first; otherwise the seed picks the store. */
export function createArrivals(parties: readonly Customers[], chance: Chance): Arrivals {
  const coming = parties.map((customers) => ({ customers, left: customers.count }));
  const rushed = () => coming.find(({ customers: { isRush, count }, left }) => isRush && left < count);
  return {
    get left() {
      return coming.reduce((sum, { left }) => sum + left, 0);
    },
    get isRush() {
      return rushed() !== undefined;
    },
    next() {
      const party = rushed() ?? chance.pick(coming);
      party.left -= 1;
      if (party.left === 0) coming.splice(coming.indexOf(party), 1);
      return party.customers;
    },
  };
}
