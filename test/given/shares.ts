import fc from 'fast-check';
import type { Shares } from '../../src/ordering/order/shares.ts';

const cents = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 100_000_000 }));

const percent = fc.nat({ max: 100 });

/** What three payers take off, together up to the sales. */
function discountsOf(salesCents: number, percents: readonly [number, number, number]): Partial<Shares> {
  let left = salesCents;
  const [store = 0, account = 0, operator = 0] = percents.map((part) => {
    const taken = Math.floor((left * part) / 100);
    left -= taken;
    return 0 - taken;
  });
  const onDelivery = Math.ceil(store / 3);
  return {
    ...(store < 0 && { storeDiscountCents: store }),
    ...(account < 0 && { accountDiscountCents: account }),
    ...(operator < 0 && { operatorDiscountCents: operator }),
    ...(onDelivery < 0 && { storeDeliveryDiscountCents: onDelivery }),
  };
}

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
    discounts: fc.option(fc.tuple(percent, percent, percent), { freq: 1 }),
  })
  .map(({ isMarkedDown, accountCents, taxes: [city, state], discounts, ...rest }) => ({
    ...rest,
    ...(discounts && !isMarkedDown && discountsOf(rest.salesCents, discounts)),
    taxesCents: city + state,
    taxLines: [
      { name: 'City', taxClass: 'general', cents: city, baseCents: city * 10 },
      { name: 'State', taxClass: 'general', cents: state, baseCents: state * 20 },
    ],
    accountTaxCents: Math.floor(city / 2),
    accountCents: isMarkedDown ? 0 - Math.min(accountCents, rest.salesCents) : accountCents,
  }));
