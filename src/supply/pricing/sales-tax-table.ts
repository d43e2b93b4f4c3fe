import { readRegion } from '../stores/region.ts';
import type { Country, TaxRate } from '../stores/store.ts';
import { TAX_CLASSES, type TaxClass } from '../stores/tax-class.ts';

/*
 * Statewide sales taxes of the US and Canada by region and tax class, for stores that state none. They leave out
 * cities and counties.
 */

type Percents = readonly [
  prepared_food: number,
  grocery: number,
  candy: number,
  soft_drink: number,
  alcohol: number,
  supplement: number,
  general: number,
];

/** `from`: the first day when a source has the percents; empty `until`: they still hold. Both days are local. */
type TaxRow = readonly [
  code: string,
  name: string,
  from: string,
  until: string,
  percents: Percents,
  /** Names of sources (test/reference/tax-sources.ts), which docs/taxes.md lists. */
  sources: string,
  /** Classes that no source confirms, or where two sources differ. */
  unverified?: readonly TaxClass[],
];

const ALL: readonly TaxClass[] = TAX_CLASSES.filter((taxClass) => taxClass !== 'exempt');
const NO_TAX: Percents = [0, 0, 0, 0, 0, 0, 0];
const GST: Percents = [5, 0, 5, 5, 5, 5, 5];
const HST_13: Percents = [13, 0, 13, 13, 13, 13, 13];
const HST_14: Percents = [14, 0, 14, 14, 14, 14, 14];
const HST_15: Percents = [15, 0, 15, 15, 15, 15, 15];

/**
 * Statewide taxes on sales to carry out or deliver, by class: prepared food, groceries, candy, soft drinks, alcohol in
 * the closed bottle, supplements, everything else. With uniform local parts (California, North Carolina's groceries,
 * Rhode Island's meals, Utah, Virginia), without county, city and district taxes.
 */
// biome-ignore format: one row per line
const STATE_TAXES: readonly TaxRow[] = [
  ['AL', 'Sales tax', '2023-09-01', '2025-08-31', [4, 3, 3, 3, 4, 4, 4], 'fta al23', ['supplement']],
  ['AL', 'Sales tax', '2025-09-01', '', [4, 2, 2, 2, 4, 4, 4], 'fta al23 al25', ['supplement']],
  ['AK', 'Sales tax', '2023-01-01', '', NO_TAX, 'fta'],
  ['AZ', 'Transaction privilege tax', '2023-01-01', '', [5.6, 0, 0, 0, 5.6, 5.6, 5.6], 'fta az5106 az1860'],
  ['AR', 'Sales tax', '2023-01-01', '2025-12-31', [6.5, 0.125, 6.5, 6.5, 6.5, 6.5, 6.5], 'fta ar26valet'],
  ['AR', 'Sales tax', '2026-01-01', '', [6.5, 0, 6.5, 6.5, 6.5, 6.5, 6.5], 'fta ar26 ar26valet'],
  ['CA', 'Sales tax', '2023-01-01', '', [7.25, 0, 0, 7.25, 7.25, 7.25, 7.25], 'fta ca6359'],
  ['CO', 'Sales tax', '2023-01-01', '', [2.9, 0, 2.9, 2.9, 2.9, 2.9, 2.9], 'fta co1024 cosovos', ['supplement']],
  ['CT', 'Sales tax', '2019-10-01', '', [7.35, 0, 6.35, 6.35, 6.35, 0, 6.35], 'fta ct19 ct31', ['supplement']],
  ['DE', 'Sales tax', '2023-01-01', '', NO_TAX, 'fta'],
  ['DC', 'Sales tax', '2023-01-01', '2026-09-30', [10, 0, 0, 8, 10.25, 6, 6], 'dccfo dc26', ['candy', 'supplement']],
  ['DC', 'Sales tax', '2026-10-01', '', [10, 0, 0, 8, 10.25, 7, 7], 'dccfo dc26', ['candy', 'supplement', 'general']],
  ['FL', 'Sales tax', '2023-01-01', '', [6, 0, 6, 6, 6, 0, 6], 'fta fl011 flsapling'],
  ['GA', 'Sales tax', '2023-01-01', '', [4, 0, 0, 0, 4, 4, 4], 'fta ga104 ga11', ['supplement']],
  ['HI', 'General excise tax', '2023-01-01', '', [4, 4, 4, 4, 4, 4, 4], 'fta hicommenda'],
  ['ID', 'Sales tax', '2023-01-01', '', [6, 6, 6, 6, 6, 6, 6], 'fta'],
  ['IL', 'Sales tax', '2023-07-01', '2025-12-31', [6.25, 1, 6.25, 6.25, 6.25, 6.25, 6.25], 'fta il167', ['supplement']],
  ['IL', 'Sales tax', '2026-01-01', '', [6.25, 0, 6.25, 6.25, 6.25, 6.25, 6.25], 'fta il167 il26', ['supplement']],
  ['IN', 'Sales tax', '2023-01-01', '', [7, 0, 7, 7, 7, 7, 7], 'fta in20 in40'],
  ['IA', 'Sales tax', '2023-01-01', '', [6, 0, 6, 6, 6, 6, 6], 'fta iafood'],
  ['KS', 'Sales tax', '2025-01-01', '', [6.5, 0, 0, 0, 0, 0, 6.5], 'fta ks25 ksbeer'],
  ['KS', 'Liquor enforcement tax', '2025-01-01', '', [0, 0, 0, 0, 8, 0, 0], 'ksbeer'],
  ['KY', 'Sales tax', '2023-01-01', '', [6, 0, 6, 6, 6, 6, 6], 'fta ky485'],
  ['LA', 'Sales tax', '2025-01-01', '', [5, 0, 0, 0, 5, 5, 5], 'la25 la305 labrr', ['supplement']],
  ['ME', 'Sales tax', '2023-01-01', '', [8, 0, 5.5, 5.5, 5.5, 5.5, 5.5], 'fta me16 me1752'],
  ['MD', 'Sales tax', '2023-01-01', '', [6, 0, 6, 6, 9, 6, 6], 'fta mdfood mdq4 mdalcohol', ['supplement']],
  ['MA', 'Sales tax', '2023-01-01', '', [6.25, 0, 0, 0, 0, 6.25, 6.25], 'fta ma65 mameals maalcohol'],
  ['MI', 'Sales tax', '2023-01-01', '', [6, 0, 0, 0, 6, 0, 6], 'fta mi136 mi2024', ['supplement']],
  ['MN', 'Sales tax', '2023-01-01', '', [6.875, 0, 6.875, 6.875, 6.875, 6.875, 6.875], 'fta mnfood mn4700'],
  ['MN', 'Liquor tax', '2023-01-01', '', [0, 0, 0, 0, 2.5, 0, 0], 'mnliquor'],
  ['MS', 'Sales tax', '2023-01-01', '2025-06-30', [7, 7, 7, 7, 7, 7, 7], 'fta'],
  ['MS', 'Sales tax', '2025-07-01', '', [7, 5, 5, 5, 7, 7, 7], 'fta ms25', ['supplement']],
  ['MO', 'Sales tax', '2023-01-01', '', [4.225, 1.225, 1.225, 1.225, 4.225, 4.225, 4.225], 'mo990 mo3809', ['supplement']],
  ['MT', 'Sales tax', '2023-01-01', '', NO_TAX, 'fta'],
  ['NE', 'Sales tax', '2023-01-01', '', [5.5, 0, 0, 0, 5.5, 5.5, 5.5], 'fta ne087 ne083'],
  ['NV', 'Sales tax', '2023-01-01', '', [6.85, 0, 0, 0, 6.85, 6.85, 6.85], 'fta nv605', ['candy', 'soft_drink', 'supplement']],
  ['NH', 'Meals tax', '2021-10-01', '', [8.5, 0, 0, 0, 0, 0, 0], 'fta nhmeals'],
  ['NJ', 'Sales tax', '2023-01-01', '', [6.625, 0, 6.625, 6.625, 6.625, 0, 6.625], 'fta nj82 nj122'],
  ['NM', 'Gross receipts tax', '2023-07-01', '', [4.875, 0, 0, 0, 4.875, 4.875, 4.875], 'fta nm92', ['supplement']],
  ['NY', 'Sales tax', '2023-01-01', '', [4, 0, 4, 4, 4, 0, 4], 'fta ny525'],
  ['NC', 'Sales tax', '2023-01-01', '', [4.75, 2, 4.75, 4.75, 4.75, 4.75, 4.75], 'fta nchost'],
  ['ND', 'Sales tax', '2023-01-01', '', [5, 0, 5, 5, 7, 5, 5], 'fta nd03 nd396'],
  ['OH', 'Sales tax', '2023-01-01', '', [0, 0, 0, 5.75, 5.75, 5.75, 5.75], 'fta oh2004 ohgrocers'],
  ['OK', 'Sales tax', '2024-08-29', '', [4.5, 0, 0, 0, 4.5, 4.5, 4.5], 'fta ok571 okavalara'],
  ['OR', 'Sales tax', '2023-01-01', '', NO_TAX, 'fta'],
  ['PA', 'Sales tax', '2023-01-01', '', [6, 0, 0, 6, 6, 0, 6], 'fta pa607 pataxjar', ['candy', 'alcohol', 'supplement']],
  ['RI', 'Sales tax', '2023-01-01', '', [7, 0, 7, 7, 7, 7, 7], 'fta ri411 riwine', ['alcohol']],
  ['RI', 'Meals tax', '2003-08-01', '', [1, 0, 0, 0, 0, 0, 0], 'rimeals'],
  ['SC', 'Sales tax', '2023-01-01', '', [6, 0, 0, 0, 6, 6, 6], 'fta sc75 sclegal'],
  ['SD', 'Sales tax', '2023-07-01', '2027-06-30', [4.2, 4.2, 4.2, 4.2, 4.2, 4.2, 4.2], 'fta sd23'],
  ['SD', 'Sales tax', '2027-07-01', '', [4.5, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5], 'fta sd23'],
  ['TN', 'Sales tax', '2023-11-01', '', [7, 4, 7, 4, 7, 7, 7], 'fta tn53 tn23'],
  ['TX', 'Sales tax', '2023-01-01', '', [6.25, 0, 6.25, 6.25, 6.25, 0, 6.25], 'fta tx280'],
  ['UT', 'Sales tax', '2023-01-01', '', [6.1, 3, 3, 3, 6.1, 3, 6.1], 'fta utfood'],
  ['VT', 'Sales tax', '2023-01-01', '', [0, 0, 0, 6, 6, 0, 6], 'fta vt170 vtrestaurants', ['candy', 'supplement']],
  ['VT', 'Meals tax', '2023-01-01', '', [9, 0, 0, 0, 0, 0, 0], 'vtguide vtrestaurants'],
  ['VA', 'Sales tax', '2023-01-01', '', [5.3, 1, 1, 1, 5.3, 5.3, 5.3], 'fta va2212', ['supplement']],
  ['WA', 'Sales tax', '2023-01-01', '', [6.5, 0, 0, 6.5, 6.5, 6.5, 6.5], 'fta wa0293 wa244'],
  ['WV', 'Sales tax', '2013-07-01', '', [6, 0, 0, 6, 6, 0, 6], 'fta wvfood wv419'],
  ['WI', 'Sales tax', '2023-01-01', '', [5, 0, 5, 5, 5, 5, 5], 'fta wi1151'],
  ['WY', 'Sales tax', '2023-01-01', '', [4, 0, 0, 0, 4, 0, 4], 'fta wyfood', ['supplement']],
  ['PR', 'Sales tax', '2023-01-01', '', [10.5, 0, 10.5, 10.5, 10.5, 10.5, 10.5], 'privu', ALL],
];

/** Taxes of Canada and of its provinces, by class. */
// biome-ignore format: one row per line
const PROVINCE_TAXES: readonly TaxRow[] = [
  ['AB', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['BC', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['BC', 'PST', '2021-04-01', '', [0, 0, 0, 7, 10, 0, 7], 'bc206 bcsoda', ['supplement']],
  ['MB', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['MB', 'RST', '2019-07-01', '2026-06-30', [7, 0, 7, 7, 7, 7, 7], 'mb029 mb030', ['supplement']],
  ['MB', 'RST', '2026-07-01', '', [7, 0, 7, 7, 7, 7, 7], 'mb029 mb030 mb26', ['prepared_food', 'candy', 'soft_drink', 'supplement']],
  ['NB', 'HST', '2023-01-01', '', HST_15, 'cra43 rates25'],
  ['NL', 'HST', '2023-01-01', '', HST_15, 'cra43 rates25'],
  ['NS', 'HST', '2023-01-01', '2025-03-31', HST_15, 'cra43 ns25'],
  ['NS', 'HST', '2025-04-01', '', HST_14, 'cra43 ns25'],
  ['NT', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['NU', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['ON', 'HST', '2023-01-01', '', HST_13, 'cra43 rates25 ongi064'],
  ['PE', 'HST', '2023-01-01', '', HST_15, 'cra43 rates25'],
  ['QC', 'GST', '2023-01-01', '', GST, 'qcbasic rates25 cra43'],
  ['QC', 'QST', '2023-01-01', '', [9.975, 0, 9.975, 9.975, 9.975, 9.975, 9.975], 'qcbasic rates25', ['supplement']],
  ['SK', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
  ['SK', 'PST', '2017-04-01', '', [6, 0, 6, 6, 0, 6, 6], 'sk2017 rates25', ['supplement']],
  ['SK', 'Liquor tax', '2023-01-01', '', [0, 0, 0, 0, 10, 0, 0], 'skliquor', ['alcohol']],
  ['YT', 'GST', '2023-01-01', '', GST, 'cra43 rates25'],
];

/** The rows of a country, for documents. */
export const TAX_ROWS: Readonly<Record<Country, readonly TaxRow[]>> = { US: STATE_TAXES, CA: PROVINCE_TAXES };

/** The taxes of one place from a day on. */
type Period = { from: string; taxes: readonly TaxRate[] };

/** A rate of the row's tax for each percent above zero. */
function ratesOfRow([, name, , , percents]: TaxRow): TaxRate[] {
  const distinct = [...new Set(percents)].filter((percent) => percent > 0);
  return distinct.map((percent) => {
    const classes = ALL.filter((_, index) => percents[index] === percent);
    return { name, percent, ...(classes.length < ALL.length && { classes }) };
  });
}

/** By code, in the order of their days. A day before the first period has the first one's taxes. */
function periodsByCode(rows: readonly TaxRow[]): ReadonlyMap<string, readonly Period[]> {
  const byCode = new Map<string, Period[]>();
  for (const [code] of rows) {
    const own = rows.filter(([other]) => other === code);
    const starts = [...new Set(own.map(([, , from]) => from))].sort();
    const periods = starts.map((from) => ({ from, taxes: rowsOn(own, from).flatMap(ratesOfRow) }));
    byCode.set(code, periods);
  }
  return byCode;
}

/** The row of each tax on a day: the last that has begun, otherwise its first. */
function rowsOn(rows: readonly TaxRow[], day: string): TaxRow[] {
  const byName = new Map<string, TaxRow>();
  for (const row of rows) {
    const [, name, from] = row;
    if (from <= day || !byName.has(name)) byName.set(name, row);
  }
  return [...byName.values()];
}

const PERIODS: Readonly<Record<Country, ReadonlyMap<string, readonly Period[]>>> = {
  US: periodsByCode(STATE_TAXES),
  CA: periodsByCode(PROVINCE_TAXES),
};

/** The statewide taxes for a store without its own, on a local day; by the region's code. */
export function builtInTaxes(
  { country, region }: { country: Country; region: string },
  localDate: string,
): readonly TaxRate[] {
  const periods = PERIODS[country].get(readRegion(region, country) ?? '') ?? [];
  return (periods.findLast(({ from }) => from <= localDate) ?? periods[0])?.taxes ?? [];
}
