import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { googlePlaceOf } from '../plugins/google-maps/place.ts';
import { readOsmPlace } from '../plugins/open-data/read-osm-place.ts';
import { readOverturePlace } from '../plugins/open-data/read-overture-place.ts';
import { parseStoreLine } from '../src/supply/imports/parse-store-line.ts';
import type { Country } from '../src/supply/stores/store.ts';
import { componentOf, googleCafe } from './fakes/given-google.ts';
import { foodStore, readJoined } from './food-entities.ts';
import { BARE } from './parsed-line.ts';
import { runs } from './runs.ts';
import { readPage, schemaOrgShop } from './schema-org-pages.ts';

type Stated = { region: string; country: string; latitude: number; longitude: number };
/** The code and country that a reader keeps; a fault as its text. */
type Read = { state: string; country: Country | null } | string;
type Reader = (stated: Stated) => Read | Promise<Read>;

const feature = ({ latitude, longitude }: Stated, properties: object) => ({
  type: 'Feature',
  id: 'node/1',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties,
});

function lineOf(parsed: ReturnType<typeof parseStoreLine>): Read {
  if (!parsed.ok) return parsed.faults.map(({ path, message }) => `${path}: ${message}`).join();
  const { state, country } = parsed.store.profile.address;
  return { state, country };
}

function placeOf(reading: ReturnType<typeof readOsmPlace>): Read {
  if (!reading.ok) return reading.reason === 'malformed' ? `${reading.path}: ${reading.message}` : reading.reason;
  const { address, country } = reading.place;
  return { state: address.state, country };
}

const OF_LINES: Readonly<Record<string, Reader>> = {
  feed: ({ region, country, latitude, longitude }) =>
    lineOf(parseStoreLine({ ...BARE, latitude, longitude, address: { ...BARE.address, state: region, country } })),
  'schema.org': async ({ region, country, latitude, longitude }) => {
    const shop = schemaOrgShop({ geo: { '@type': 'GeoCoordinates', latitude, longitude } });
    const address = { ...(shop.address as object), addressRegion: region, addressCountry: country };
    return lineOf(await readPage(JSON.stringify({ ...shop, address })));
  },
  'Google food': ({ region, country, latitude, longitude }) => {
    const [restaurant, ...services] = foodStore();
    const stated = { addressRegion: region, addressCountry: country, latitude, longitude };
    return lineOf(readJoined([{ ...restaurant, ...stated }, ...services]));
  },
};
const OF_PLACES: Readonly<Record<string, Reader>> = {
  OpenStreetMap: (stated) => {
    const key = stated.country === 'CA' ? 'addr:province' : 'addr:state';
    const tags = { amenity: 'cafe', name: 'Cafe', 'addr:country': stated.country, [key]: stated.region };
    return placeOf(readOsmPlace(feature(stated, tags), '2026-11-27'));
  },
  Overture: (stated) => {
    const addresses = [{ region: stated.region, country: stated.country }];
    const categories = { primary: 'cafe' };
    return placeOf(readOverturePlace(feature(stated, { names: { primary: 'Cafe' }, categories, addresses })));
  },
};
const OF_DIRECTORIES: Readonly<Record<string, Reader>> = {
  'Google Places': ({ region, country, ...location }) => {
    const addressComponents = [
      componentOf(country, country, 'country'),
      componentOf(region, region, 'administrative_area_level_1'),
    ].filter(({ shortText }) => shortText !== '');
    const place = googlePlaceOf(googleCafe({ id: 'p', location, addressComponents }));
    return place ? { state: place.address.state, country: place.country } : 'none';
  },
};
const READERS = { ...OF_LINES, ...OF_PLACES, ...OF_DIRECTORIES };

const CHICAGO = { latitude: 41.88, longitude: -87.65 };
const TORONTO = { latitude: 43.65, longitude: -79.38 };
const SAN_JUAN = { latitude: 18.45, longitude: -66.08 };

/** Spellings of one region, at a coordinate in its country. */
const REGIONS: readonly [
  state: string,
  Country,
  at: typeof CHICAGO,
  regions: readonly string[],
  countries: readonly string[],
][] = [
  [
    'IL',
    'US',
    CHICAGO,
    ['IL', 'il', 'US-IL', 'Ill.', 'Illinois', 'State of Illinois', 'ILLINOIS'],
    ['US', 'USA', 'United States', ''],
  ],
  ['NY', 'US', CHICAGO, ['NY', 'N.Y.', 'New York', 'New York State', 'US-NY'], ['US', 'us', '']],
  ['QC', 'CA', TORONTO, ['QC', 'Québec', 'Québec (Québec)', 'CA-QC', 'Que.', 'P.Q.'], ['CA', 'Canada', '']],
  ['NB', 'CA', TORONTO, ['Nouveau-Brunswick', 'New Brunswick', 'N.-B.', 'CA-NB'], ['CA', 'CAN', '']],
  ['BC', 'CA', TORONTO, ['Colombie-Britannique', 'B.C.', 'british columbia'], ['CA', '']],
  ['PR', 'US', SAN_JUAN, ['PR', 'Puerto Rico', 'US-PR', ''], ['PR', 'Puerto Rico']],
  ['PR', 'US', SAN_JUAN, ['PR', 'P.R.', 'Puerto Rico'], ['US', '']],
];

test('every import and directory keeps the code of a region, however it is written, and the country of its coordinate where none is stated', async () => {
  const stated = fc
    .constantFrom(...REGIONS)
    .chain(([state, country, at, regions, countries]) =>
      fc
        .record({ region: fc.constantFrom(...regions), named: fc.constantFrom(...countries) })
        .map(({ region, named }) => ({ expected: { state, country }, given: { region, country: named, ...at } })),
    );
  await fc.assert(
    fc.asyncProperty(stated, fc.constantFrom(...Object.entries(READERS)), async ({ given, expected }, [name, read]) => {
      assert.deepEqual(await read(given), expected, name);
    }),
    { numRuns: runs(1000) },
  );
});

test('an unknown region is an error of its record and names the accepted ones', async () => {
  for (const [name, read] of Object.entries({ ...OF_LINES, ...OF_PLACES })) {
    for (const region of ['ZZ', 'Ontario', 'CA-ON', 'Illinios', 'x'.repeat(250)]) {
      const fault = await read({ region, country: 'US', ...CHICAGO });
      assert.match(String(fault), /: expected a state or territory of the US, such as IL$/, `${name} ${region}`);
    }
    const fault = await read({ region: 'Illinois', country: 'Canada', ...TORONTO });
    assert.match(String(fault), /: expected a province or territory of Canada, such as ON$/, name);
  }
});

test('near the border a region decides where no country is stated', async () => {
  // The middle of the bridge between Detroit and Windsor.
  const bridge = { latitude: 42.312, longitude: -83.074 };
  for (const [name, read] of Object.entries(READERS)) {
    assert.deepEqual(await read({ region: 'Ont.', country: '', ...bridge }), { state: 'ON', country: 'CA' }, name);
    assert.deepEqual(await read({ region: 'Mich.', country: '', ...bridge }), { state: 'MI', country: 'US' }, name);
  }
});

test('a place without a region stays so, also where its directory uses a placeholder', async () => {
  for (const read of [...Object.values(OF_PLACES), ...Object.values(OF_DIRECTORIES)])
    assert.deepEqual(await read({ region: '', country: 'US', ...CHICAGO }), { state: '', country: 'US' });
  for (const read of Object.values(OF_DIRECTORIES))
    assert.deepEqual(await read({ region: 'ZZ', country: 'US', ...CHICAGO }), { state: '', country: 'US' });
});
