import type { Country } from './store.ts';

const COUNTRY_NAMES: ReadonlyMap<string, Country> = new Map([
  ['us', 'US'],
  ['usa', 'US'],
  ['u.s.', 'US'],
  ['u.s.a.', 'US'],
  ['united states', 'US'],
  ['united states of america', 'US'],
  // Territories whose stores are US stores have codes of their own.
  ['pr', 'US'],
  ['vi', 'US'],
  ['gu', 'US'],
  ['as', 'US'],
  ['mp', 'US'],
  ['ca', 'CA'],
  ['can', 'CA'],
  ['canada', 'CA'],
]);

/** The country that a code or a name stands for, in any letter case; undefined for any other country. */
export function countryNamed(name: string): Country | undefined {
  return COUNTRY_NAMES.get(name.toLowerCase());
}
