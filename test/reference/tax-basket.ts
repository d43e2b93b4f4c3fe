import type { TaxClass } from '../../src/supply/stores/tax-class.ts';

/** One basket, in cents. */
export const BASKET: readonly (readonly [thing: string, taxClass: TaxClass, cents: number])[] = [
  ['hot chicken', 'prepared_food', 999],
  ['milk', 'grocery', 429],
  ['candy', 'candy', 250],
  ['soda', 'soft_drink', 300],
  ['wine', 'alcohol', 1400],
  ['soap', 'general', 549],
];

/**
 * A taxable fee of the store. Over the classes of the basket of $39.27 it is $1.02 for the chicken, $0.44 for the milk,
 * $0.25 for the candy, $0.30 for the soda, $1.42 for the wine and $0.56 for the soap.
 */
export const DELIVERY_CENTS = 399;

/**
 * The taxes of the basket on 2026-11-26, calculated by hand from the sources, in cents; each thing with its part of the
 * delivery. A tax is rounded once: one of two rates has two rows, the first without its cents.
 */
// biome-ignore format: one rate per line
export const BY_HAND: readonly (readonly [place: string, tax: string, on: string, baseCents: number, percent: number, cents: number | null, sources: string])[] = [
  ['US-CA', 'Sales tax', 'chicken, soda, wine, soap', 3578, 7.25, 259, 'fta ca6359'],
  ['US-NY', 'Sales tax', 'all but milk', 3853, 4, 154, 'fta ny525'],
  ['US-TX', 'Sales tax', 'all but milk', 3853, 6.25, 241, 'fta tx280'],
  ['US-IL', 'Sales tax', 'all but milk', 3853, 6.25, 241, 'fta il167 il26'],
  ['US-FL', 'Sales tax', 'all but milk', 3853, 6, 231, 'fta fl011 flsapling'],
  ['US-WA', 'Sales tax', 'chicken, soda, wine, soap', 3578, 6.5, 233, 'fta wa0293 wa244'],
  ['US-MA', 'Sales tax', 'chicken, soap', 1706, 6.25, 107, 'ma65 mameals maalcohol'],
  ['US-MN', 'Sales tax', 'all but milk', 3853, 6.875, 265, 'fta mnfood mn4700'],
  ['US-MN', 'Liquor tax', 'wine', 1542, 2.5, 39, 'mnliquor'],
  ['US-AL', 'Sales tax', 'chicken, wine, soap', 3248, 4, null, 'fta al23'],
  ['US-AL', 'Sales tax', 'milk, candy, soda', 1078, 2, 151, 'al23 al25'],
  ['CA-ON', 'HST', 'all but milk', 3853, 13, 501, 'cra43 rates25'],
  ['CA-QC', 'GST', 'all but milk', 3853, 5, 193, 'qcbasic cra43'],
  ['CA-QC', 'QST', 'all but milk', 3853, 9.975, 384, 'qcbasic rates25'],
  ['CA-BC', 'GST', 'all but milk', 3853, 5, 193, 'cra43 rates25'],
  ['CA-BC', 'PST', 'soda, soap', 935, 7, null, 'bc206 bcsoda'],
  ['CA-BC', 'PST', 'wine', 1542, 10, 220, 'bc206'],
];
