import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CITIES } from '../../../demo/cities.ts';
import { runs } from '../../../test/runs.ts';
import { regionName } from '../stores/region.ts';
import type { StoreArea } from './store-addresses.db.ts';
import { StoreAreas } from './store-areas.index.ts';

const area = (city: string, state: string, zipcode: string, more: Partial<StoreArea> = {}): StoreArea => {
  const { latitude = 40, longitude = -80 } = more;
  const box = { south: latitude - 0.1, north: latitude + 0.1, west: longitude - 0.1, east: longitude + 0.1 };
  return { country: 'US', city, state, zipcode, stores: 1, latitude, longitude, ...box, ...more };
};
const AREAS = new StoreAreas([
  area('Chicago', 'IL', '60607', { stores: 3, latitude: 41.8 }),
  area('Chicago', 'IL', '60622', { latitude: 42 }),
  area('Portland', 'OR', '97205', { stores: 9 }),
  area('Portland', 'ME', '04101'),
  area('New York', 'NY', '10011-1234'),
  area('York', 'PA', '17401'),
  area('St. Louis', 'MO', '63101'),
  area('Toronto', 'ON', 'M5V 2T6', { country: 'CA' }),
  area('Québec', 'QC', 'G1R4S9', { country: 'CA' }),
]);

const shown = (text: string) => AREAS.find(text)?.areas.map(({ address }) => address) ?? [];

test('postal codes and cities at the end of an address are found, however they are written', () => {
  for (const [text, ...expected] of [
    ['60607', 'Chicago, IL 60607, USA'],
    ['60607-0001', 'Chicago, IL 60607, USA'],
    ['Chicago IL 60622', 'Chicago, IL 60622, USA'],
    ['60607 Chicago', 'Chicago, IL 60607, USA'],
    ['chicago', 'Chicago, IL, USA'],
    ['932 W Randolph St, Chicago, Illinois, United States', 'Chicago, IL, USA'],
    ['932 W Randolph St, Chicago, IL 99999', 'Chicago, IL, USA'],
    ['portland', 'Portland, OR, USA', 'Portland, ME, USA'],
    ['Portland, ME', 'Portland, ME, USA'],
    ['New York, NY', 'New York, NY, USA'],
    ['10011', 'New York, NY 10011-1234, USA'],
    ['York', 'York, PA, USA'],
    ['St Louis MO', 'St. Louis, MO, USA'],
    ['290 Bremner Blvd, Toronto, ON m5v2t6, Canada', 'Toronto, ON M5V 2T6, Canada'],
    ['G1R 4S9', 'Québec, QC G1R4S9, Canada'],
    ['quebec', 'Québec, QC, Canada'],
  ] as const) {
    assert.deepEqual(shown(text), expected, text);
  }
});

test('text that names no area isn’t found: other states, streets of the name, house numbers', () => {
  for (const text of [
    'Portland, TX',
    '100 Chicago Ave, Evanston',
    '60607 Main St',
    '17401 Elm St, Nowhere',
    '12345',
    'IL',
  ]) {
    assert.deepEqual(shown(text), [], text);
  }
});

/** Cities of the demo, and others whose names are regions, contain cities, or are written in several ways. */
const LISTED: readonly [string, string, 'US' | 'CA'][] = [
  ...Object.values(CITIES).map(({ name, state, country }): [string, string, 'US' | 'CA'] => [name, state, country]),
  ...(
    [
      ['Buffalo', 'NY'],
      ['New York', 'NY'],
      ['Washington', 'DC'],
      ['Vancouver', 'WA'],
      ['Kansas City', 'KS'],
      ['Kansas City', 'MO'],
      ['Oklahoma City', 'OK'],
      ['California City', 'CA'],
      ['Delaware', 'OH'],
      ['Indiana', 'PA'],
      ['Nevada', 'MO'],
      ['Wyoming', 'MI'],
      ['Virginia', 'MN'],
      ['Ontario', 'CA'],
      ['Portland', 'OR'],
      ['Portland', 'ME'],
      ['St. Louis', 'MO'],
      ['East St. Louis', 'IL'],
      ['Fort Worth', 'TX'],
      ['Mount Vernon', 'NY'],
      ['Coeur d’Alene', 'ID'],
      ['West Chicago', 'IL'],
      ['Charleston', 'WV'],
    ] as const
  ).map(([city, state]): [string, string, 'US'] => [city, state, 'US']),
  ...(
    [
      ['Vancouver', 'BC'],
      ['Montréal', 'QC'],
      ['Québec', 'QC'],
      ['Saint John', 'NB'],
      ['Sault Ste. Marie', 'ON'],
      ['London', 'ON'],
    ] as const
  ).map(([city, state]): [string, string, 'CA'] => [city, state, 'CA']),
];
const LISTED_AREAS = new StoreAreas(
  LISTED.map(([city, state, country], index) =>
    area(city, state, country === 'US' ? String(20_000 + index) : `K${index % 10}A ${Math.floor(index / 10)}B1`, {
      country,
    }),
  ),
);
const dotted = (code: string) => `${code.split('').join('.')}.`;
/** Notations of one thing; a generator picks one. */
const written = fc
  .record({
    listed: fc.constantFrom(...LISTED),
    street: fc.constantFrom(
      '',
      '',
      '12 Main St, ',
      '37-12 Oak Ave Apt 4, ',
      '1701 Pennsylvania Ave NW, ',
      '5 rue Saint-Paul, ',
    ),
    region: fc.constantFrom(
      (code: string) => code,
      (code: string) => code.toLowerCase(),
      dotted,
      (code: string, country: 'US' | 'CA') => regionName(code, country) ?? '',
      (code: string, country: 'US' | 'CA') => (regionName(code, country) ?? '').toUpperCase(),
      (code: string, country: 'US' | 'CA') => `${country}-${code}`,
      (code: string) =>
        ({ QC: 'Québec', BC: 'Colombie-Britannique', IL: 'Ill.', CA: 'Calif.', NY: 'New York State' })[code] ?? code,
    ),
    city: fc.constantFrom(
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      (name: string) => name.replace('St.', 'Saint').replace('Saint ', 'St '),
      (name: string) =>
        name.replace('St.', 'St').replace('Fort', 'Ft.').replace('Mount', 'Mt').replace('Ste.', 'Sainte'),
      (name: string) => name.replace('West', 'W').replace('East', 'E.').replaceAll('-', ' '),
    ),
    gap: fc.constantFrom(', ', ' ', ' , '),
    ending: fc.constantFrom(...['', '', ' 99999', ' 99999-1234', ' 999991234', ' Z9Z 9Z9', ' Z9Z9Z9']),
    isNamed: fc.boolean(),
  })
  .map(({ listed, street, region, city, gap, ending, isNamed }) => {
    const [name, code, country] = listed;
    const names = {
      US: ['USA', 'U.S.A.', 'United States', 'us', 'États-Unis'],
      CA: ['Canada', 'CANADA', 'ca', 'Canada', 'Can.'],
    }[country];
    const countryName = isNamed ? `, ${names[name.length % names.length]}` : '';
    return { text: `${street}${city(name)}${gap}${region(code, country)}${ending}${countryName}`, name, code, street };
  });

test('every city is found in its own region, however city, region, postal code and country are written', () => {
  fc.assert(
    fc.property(written, ({ text, name, code, street }) => {
      const named = LISTED_AREAS.find(text);
      assert.match(named?.areas[0]?.address ?? '', new RegExp(`^${name.replaceAll('.', '\\.')}, ${code}, `), text);
      assert.equal(named?.areas.length, 1, text);
      assert.equal((named?.street.length ?? 0) > 0, street !== '', text);
    }),
    { numRuns: runs(2000) },
  );
});

test('an unknown city isn’t replaced by another whose name is its region or a part of it', () => {
  const cities = 'Albany,Springfield,Nowhere,Spokane,Laval,New Buffalo,South Portland,Port Washington,North Charleston';
  const known = new Set(LISTED.map(([name, code]) => `${name} ${code}`));
  const unknown = fc
    .record({
      street: fc.constantFrom('', '', '12 Main St, ', '123 Fake Street '),
      city: fc.constantFrom(...cities.split(',')),
      region: fc.constantFrom(
        ['NY', 'New York'],
        ['WA', 'Washington'],
        ['QC', 'Québec'],
        ['ON', 'Ontario'],
        ['DE', 'Delaware'],
        ['ME', 'Maine'],
      ),
      form: fc.constantFrom(0, 1),
      gap: fc.constantFrom(', ', ' '),
      ending: fc.constantFrom('', ' 99999', ', USA'),
    })
    .filter(({ city, region }) => !known.has(`${city} ${region[0]}`))
    // `Fake Street South` is a street.
    .filter(({ street, city }) => !(street.endsWith('Street ') && /^(?:North|South) /.test(city)))
    .map(({ street, city, region, form, gap, ending }) => `${street}${city}${gap}${region[form]}${ending}`);
  fc.assert(
    fc.property(unknown, (text) => {
      assert.deepEqual(LISTED_AREAS.find(text)?.areas.map(({ address }) => address) ?? [], [], text);
    }),
    { numRuns: runs(1000) },
  );
});

test('a postal code is found in every notation, before and after its city, region and country', () => {
  for (const text of [
    '60607',
    '60607-1234',
    '606071234',
    'Chicago, IL 606071234, U.S.A.',
    '60607, Chicago, IL, USA',
    'Chicago 60607 Illinois',
  ])
    assert.deepEqual(shown(text), ['Chicago, IL 60607, USA'], text);
  for (const text of [
    'M5V 2T6',
    'm5v2t6',
    'M5V-2T6',
    'Toronto ON M5V2T6',
    'M5V 2T6 Toronto, Ontario',
    'Toronto, Ont., Canada, M5V 2T6',
  ])
    assert.deepEqual(shown(text), ['Toronto, ON M5V 2T6, Canada'], text);
});

test('a city lies in the middle of its stores', () => {
  const [city] = AREAS.find('Chicago')?.areas ?? [];
  assert.ok(city && Math.abs(city.latitude - (3 * 41.8 + 42) / 4) < 1e-9);
  assert.deepEqual([city.precision, city.stores], ['city', 4]);
});

test('the words before the area are its street', () => {
  assert.deepEqual(AREAS.find('932 W Randolph St, Chicago, IL 60607')?.street, ['932', 'west', 'randolph', 'street']);
  assert.deepEqual(AREAS.find('932 W Randolph St 60607')?.street, ['932', 'west', 'randolph', 'street']);
});

test('any text has an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      const named = AREAS.find(text);
      assert.ok(named === undefined || named.areas.length > 0);
    }),
    { numRuns: runs(200) },
  );
});
