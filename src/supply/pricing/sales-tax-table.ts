import type { Country } from '../stores/store.ts';

type Rate = readonly [code: string, name: string, percent: number];

/**
 * Statewide sales tax in percent as of 2026-01-01, including uniform local parts (California, Utah, Virginia), without
 * county, city, district and food rates. Guam, USVI, American Samoa and CNMI tax the seller; Puerto Rico is 10.5
 * without municipal tax.
 */
const STATES: readonly Rate[] = [
  ['AL', 'Alabama', 4],
  ['AK', 'Alaska', 0],
  ['AZ', 'Arizona', 5.6],
  ['AR', 'Arkansas', 6.5],
  ['CA', 'California', 7.25],
  ['CO', 'Colorado', 2.9],
  ['CT', 'Connecticut', 6.35],
  ['DE', 'Delaware', 0],
  ['DC', 'District of Columbia', 6],
  ['FL', 'Florida', 6],
  ['GA', 'Georgia', 4],
  ['HI', 'Hawaii', 4],
  ['ID', 'Idaho', 6],
  ['IL', 'Illinois', 6.25],
  ['IN', 'Indiana', 7],
  ['IA', 'Iowa', 6],
  ['KS', 'Kansas', 6.5],
  ['KY', 'Kentucky', 6],
  ['LA', 'Louisiana', 5],
  ['ME', 'Maine', 5.5],
  ['MD', 'Maryland', 6],
  ['MA', 'Massachusetts', 6.25],
  ['MI', 'Michigan', 6],
  ['MN', 'Minnesota', 6.875],
  ['MS', 'Mississippi', 7],
  ['MO', 'Missouri', 4.225],
  ['MT', 'Montana', 0],
  ['NE', 'Nebraska', 5.5],
  ['NV', 'Nevada', 6.85],
  ['NH', 'New Hampshire', 0],
  ['NJ', 'New Jersey', 6.625],
  ['NM', 'New Mexico', 4.875],
  ['NY', 'New York', 4],
  ['NC', 'North Carolina', 4.75],
  ['ND', 'North Dakota', 5],
  ['OH', 'Ohio', 5.75],
  ['OK', 'Oklahoma', 4.5],
  ['OR', 'Oregon', 0],
  ['PA', 'Pennsylvania', 6],
  ['RI', 'Rhode Island', 7],
  ['SC', 'South Carolina', 6],
  ['SD', 'South Dakota', 4.2],
  ['TN', 'Tennessee', 7],
  ['TX', 'Texas', 6.25],
  ['UT', 'Utah', 6.1],
  ['VT', 'Vermont', 6],
  ['VA', 'Virginia', 5.3],
  ['WA', 'Washington', 6.5],
  ['WV', 'West Virginia', 6],
  ['WI', 'Wisconsin', 5],
  ['WY', 'Wyoming', 4],
  ['PR', 'Puerto Rico', 10.5],
  ['GU', 'Guam', 0],
  ['VI', 'US Virgin Islands', 0],
  ['AS', 'American Samoa', 0],
  ['MP', 'Northern Mariana Islands', 0],
];

/** GST plus the province's own sales tax, or HST, in percent. Québec's is 5 + 9.975. */
const PROVINCES: readonly Rate[] = [
  ['AB', 'Alberta', 5],
  ['BC', 'British Columbia', 12],
  ['MB', 'Manitoba', 12],
  ['NB', 'New Brunswick', 15],
  ['NL', 'Newfoundland and Labrador', 15],
  ['NS', 'Nova Scotia', 14],
  ['NT', 'Northwest Territories', 5],
  ['NU', 'Nunavut', 5],
  ['ON', 'Ontario', 13],
  ['PE', 'Prince Edward Island', 15],
  ['QC', 'Quebec', 14.975],
  ['SK', 'Saskatchewan', 11],
  ['YT', 'Yukon', 5],
];

/** Other names in use, by code. */
const ALIASES: Readonly<Record<Country, readonly (readonly [alias: string, code: string])[]>> = {
  US: [
    ['Washington DC', 'DC'],
    ['Virgin Islands', 'VI'],
    ['CNMI', 'MP'],
    ['Commonwealth of the Northern Mariana Islands', 'MP'],
  ],
  CA: [
    ['Newfoundland', 'NL'],
    ['NF', 'NL'],
    ['PEI', 'PE'],
    ['PQ', 'QC'],
    ['Yukon Territory', 'YT'],
  ],
};

/** Normalizes names, so that `N.Y.`, `Québec` and `  new  york` find their rates. */
function plainName(name: string): string {
  return name
    .replaceAll('&', 'and')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

function percentsByName(rates: readonly Rate[], aliases: readonly (readonly [string, string])[]): Map<string, number> {
  const percents = new Map<string, number>();
  for (const [code, name, percent] of rates) {
    percents.set(plainName(code), percent);
    percents.set(plainName(name), percent);
  }
  for (const [alias, code] of aliases) percents.set(plainName(alias), percents.get(plainName(code)) ?? 0);
  return percents;
}

const PERCENTS: Readonly<Record<Country, ReadonlyMap<string, number>>> = {
  US: percentsByName(STATES, ALIASES.US),
  CA: percentsByName(PROVINCES, ALIASES.CA),
};

/**
 * Sales tax in percent of a state, territory or province, for a store without its own rate. Found by code or name in
 * any letter case; 0 for an unknown name.
 */
export function salesTaxPercentOf(country: Country, state: string): number {
  return PERCENTS[country].get(plainName(state)) ?? 0;
}

/** The name of a state, territory or province; undefined for an unknown code. */
export function stateName(country: Country, code: string): string | undefined {
  const rates = country === 'US' ? STATES : PROVINCES;
  return rates.find(([known]) => known === code.toUpperCase())?.[1];
}
