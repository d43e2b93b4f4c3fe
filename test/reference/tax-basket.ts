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

/** A fee of the store that counts as taxable: it belongs to the base of each tax on a line. */
export const DELIVERY_CENTS = 399;

/** The taxes of the basket on 2026-11-26, calculated by hand from the sources, in cents; each tax is rounded once. */
// biome-ignore format: one tax per line
export const BY_HAND: readonly (readonly [place: string, tax: string, on: string, baseCents: number, percent: number, cents: number, sources: string])[] = [
  ['US-CA', 'Sales tax', 'chicken, soda, wine, soap, delivery', 3647, 7.25, 264, 'fta ca6359'],
  ['US-NY', 'Sales tax', 'all but milk', 3897, 4, 156, 'fta ny525'],
  ['US-TX', 'Sales tax', 'all but milk', 3897, 6.25, 244, 'fta tx280'],
  ['US-IL', 'Sales tax', 'all but milk', 3897, 6.25, 244, 'fta il167 il26'],
  ['US-FL', 'Sales tax', 'all but milk', 3897, 6, 234, 'fta fl011 flsapling'],
  ['US-WA', 'Sales tax', 'chicken, soda, wine, soap, delivery', 3647, 6.5, 237, 'fta wa0293 wa244'],
  ['US-MA', 'Sales tax', 'chicken, soap, delivery', 1947, 6.25, 122, 'ma65 mameals maalcohol'],
  ['US-MN', 'Sales tax', 'all but milk', 3897, 6.875, 268, 'fta mnfood mn4700'],
  ['US-MN', 'Liquor tax', 'wine, delivery', 1799, 2.5, 45, 'mnliquor'],
  ['US-AL', 'Sales tax', 'chicken, wine, soap, delivery', 3347, 4, 134, 'fta al23'],
  ['US-AL', 'Sales tax on food', 'milk, candy, soda, delivery', 1378, 2, 28, 'al23 al25'],
  ['CA-ON', 'HST', 'all but milk', 3897, 13, 507, 'cra43 rates25'],
  ['CA-QC', 'GST', 'all but milk', 3897, 5, 195, 'qcbasic cra43'],
  ['CA-QC', 'QST', 'all but milk', 3897, 9.975, 389, 'qcbasic rates25'],
  ['CA-BC', 'GST', 'all but milk', 3897, 5, 195, 'cra43 rates25'],
  ['CA-BC', 'PST', 'soda, soap, delivery', 1248, 7, 87, 'bc206 bcsoda'],
  ['CA-BC', 'PST on alcohol', 'wine, delivery', 1799, 10, 180, 'bc206'],
];
