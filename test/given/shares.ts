import fc from 'fast-check';
import type { Shares } from '../../src/ordering/order/shares.ts';

const cents = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 100_000_000 }));

/** Shares of an order; a cart may be marked down by less than it comes to. */
export const arbitraryShares: fc.Arbitrary<Shares> = fc
  .record({
    salesCents: cents,
    deliveryFeesCents: cents,
    serviceFeesCents: cents,
    taxes: fc.tuple(cents, cents),
    tipCents: cents,
    accountCents: cents,
    isMarkedDown: fc.boolean(),
  })
  .map(({ isMarkedDown, accountCents, taxes: [city, state], ...rest }) => ({
    ...rest,
    taxesCents: city + state,
    taxLines: [
      { name: 'City', taxClass: 'general', cents: city, baseCents: city * 10 },
      { name: 'State', taxClass: 'general', cents: state, baseCents: state * 20 },
    ],
    accountTaxCents: Math.floor(city / 2),
    accountCents: isMarkedDown ? 0 - Math.min(accountCents, rest.salesCents) : accountCents,
  }));
