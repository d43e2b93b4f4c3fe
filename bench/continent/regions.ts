import type { Country } from '../../src/supply/stores/store.ts';

/**
 * A state or province: postal-code prefix, rural population in thousands, and a bounding box in degrees (south, north,
 * west, east).
 */
export type Region = {
  state: string;
  country: Country;
  postal: string;
  people: number;
  box: readonly [south: number, north: number, west: number, east: number];
};

const TABLE = `
AL 350 1700 31 34.9 -88 -85.2;AK 995 120 60.5 64 -153 -145;AZ 850 500 31.8 36 -113.5 -109.5
AR 716 1400 33.3 36.3 -94 -90.5;CA 932 1900 35 41.5 -121.5 -119.5;CO 805 600 37.3 40.8 -108.5 -103
CT 060 350 41.4 42 -73.3 -72;DE 199 200 38.6 39.6 -75.7 -75.3;FL 320 1200 27 30.5 -82.2 -81.3
GA 300 2300 31 34.7 -85 -82;HI 967 120 19.5 19.9 -155.7 -155.2;ID 834 550 42.3 46 -116.5 -111.8
IL 615 1500 37.5 42.2 -90.5 -88;IN 465 1600 38.2 41.5 -87.3 -85;IA 505 1500 40.8 43.3 -95.8 -91.3
KS 670 1100 37.1 39.8 -101.5 -95;KY 404 2000 36.7 38.5 -88.5 -82.8;LA 703 1200 30.2 32.8 -93.5 -91
ME 045 650 44 46.5 -70.5 -68;MD 217 400 38.5 39.6 -77.8 -76;MA 012 300 42.1 42.7 -73 -71.5
MI 496 1900 42 45.5 -86 -83.5;MN 563 1500 43.7 47.8 -96.3 -92.8;MS 388 1700 31.2 34.8 -90.5 -88.7
MO 636 1900 36.8 40.4 -94.5 -90.5;MT 594 600 45.5 48.5 -113.5 -104.8;NE 688 700 40.2 42.7 -102.5 -96.3
NV 894 220 38 41.5 -119 -114.5;NH 032 600 43 44.6 -72.2 -71.2;NJ 080 300 39.6 41 -75 -74.5
NM 870 700 32.5 36.5 -108.5 -103.5;NY 136 1500 42 44.5 -78.5 -74;NC 275 2500 34.8 36.3 -82 -77.3
ND 584 300 46.3 48.7 -103.3 -97.5;OH 445 2400 39 41.4 -84.6 -81;OK 735 1300 34.3 36.8 -98.8 -94.8
OR 974 700 42.3 45.5 -123.5 -118;PA 168 1700 40 41.8 -79.8 -75.5;RI 028 80 41.4 41.9 -71.7 -71.4
SC 291 1100 33 34.9 -82.3 -79.5;SD 573 400 43.3 45.7 -103 -97;TN 385 1800 35.2 36.5 -89.2 -82.5
TX 765 4200 28.5 34 -101.5 -94.8;UT 846 350 37.5 41.5 -113.5 -110;VT 056 350 43 44.8 -73 -72
VA 240 1500 36.7 38.8 -81.5 -77.5;WA 988 800 46 48.6 -122 -117.5;WV 265 1000 37.5 39.6 -82 -79.5
WI 549 1700 42.8 46.3 -92 -88;WY 826 320 41.3 44.7 -110.3 -104.5;ON N0 1700 42.8 46.2 -81.5 -76
QC J0 1600 45.4 48 -75 -70.5;BC V0 700 49.3 54 -126 -116.5;AB T0 700 49.5 55 -114.5 -110.5
SK S0 450 49.5 53.5 -109.5 -102.5;MB R0 350 49.4 51.5 -101 -96.5;NS B0 400 44.5 45.8 -65.5 -62
NB E0 330 45.8 47.5 -67.5 -65;NL A0 250 47.8 49 -57 -54;PE C0 70 46.3 46.6 -64 -62.7`;

const PROVINCES = 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' ');

export const REGIONS: readonly Region[] = TABLE.trim()
  .split(/[;\n]/)
  .map((row) => {
    const [state = '', postal = '', ...numbers] = row.split(' ');
    const [people = 0, south = 0, north = 0, west = 0, east = 0] = numbers.map(Number);
    return { state, country: countryOf(state), postal, people, box: [south, north, west, east] };
  });

export function countryOf(state: string): Country {
  return PROVINCES.includes(state) ? 'CA' : 'US';
}

/** Postal-code prefixes of states and provinces without a rural region. */
const OTHER_POSTALS: Readonly<Record<string, string>> = { DC: '200', YT: 'Y1', NT: 'X1', NU: 'X0' };
const POSTALS = new Map(REGIONS.map(({ state, postal }) => [state, postal]));

export function postalOf(state: string): string {
  return POSTALS.get(state) ?? OTHER_POSTALS[state] ?? '000';
}
