import fc from 'fast-check';
import type { StreetAddress } from '../../src/supply/stores/street-address.ts';

/** Addresses of the US and Canada: numbered streets, grids, French names, rural boxes, units. */

const digits = (max: number) => fc.integer({ min: 1, max }).map(String);
const HOUSE = fc.oneof(
  digits(99_999),
  fc.tuple(digits(200), fc.constantFrom('A', 'B', '½', '-34', '/2')).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('N', 'S'), digits(99), fc.constantFrom('E', 'W'), digits(29_999))
    .map((parts) => parts.join('')),
  fc.constant(''),
);
const WORD = fc.constantFrom(
  ...['Oak', 'Randolph', 'King', 'Bluemound', 'Saint-Paul', 'Ste-Foy', 'Sainte-Catherine', 'County Road', 'Highway'],
);
const STREET = fc.oneof(
  fc.tuple(WORD, fc.constantFrom('St', 'Ave', 'Rd', 'Ct', 'Blvd')).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('10th', '1st', '2nd', '23rd', '12 Mile', '5th'), fc.constantFrom('St', 'Ave', 'Rd'))
    .map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('Rue', 'Chemin', 'Boulevard', 'Côte'), WORD).map((parts) => parts.join(' ')),
  fc.constantFrom('1re Avenue', '2e Rang', '125e Rue', 'RR 2 Box 15', 'HC 1 Box 3', 'Rural Route 4', 'Apple Park Way'),
);
const UNIT = fc.constantFrom('', '', '4B', 'Apt 2', 'Suite 200', '#12', 'Unit C', 'Bldg 4 Apt 2B', 'bureau 300');
const CITY = fc.constantFrom(
  ...(
    [
      ['Chicago', 'IL', '60607'],
      ['New York', 'New York', '10010'],
      ['Washington', 'DC', '20002'],
      ['Charleston', 'West Virginia', '25301'],
      ['St. Louis', 'Mo.', '63101-1234'],
      ['Québec', 'QC', 'G1V 1T2'],
      ['Montréal', 'Québec', 'H2Y 1Z5'],
      ['Saint John', 'New Brunswick', 'E2L 1A1'],
    ] as const
  ).map(([city, state, zipcode]) => ({ city, state, zipcode })),
);
export const ADDRESS: fc.Arbitrary<StreetAddress> = fc
  .tuple(HOUSE, STREET, UNIT, CITY)
  .map(([streetNum, streetName, aptNum, place]) => ({ streetNum, streetName, aptNum, ...place }));

/** The words of a text in any order, without marks and letter case. */
export const wordsOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}\p{No}½/-]+/gu) ?? []).sort();
