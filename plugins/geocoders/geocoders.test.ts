import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { pacedGeocoder } from '../../src/app/adapters/geocoder-call.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type { Geocoder } from '../../src/supply/addresses/geocoder.ts';
import { keepsGeocoderContract } from '../../test/contracts/geocoder-contract.ts';
import { type GeocoderTrouble, givenGeocoder, googleAnswer } from '../../test/fakes/given-geocoder.ts';
import { runs, SEED } from '../../test/runs.ts';
import { createGoogleGeocoder } from '../google-maps/geocoder.ts';
import { createCensusGeocoder } from './census.ts';
import { createNominatimGeocoder } from './nominatim.ts';
import { createPhotonGeocoder } from './photon.ts';

const KEY = 'AIzaSy-a-key-that-nobody-may-see';
const TEXT = '932 W Randolph St, Chicago';
/** Long enough for any machine; these tests do not measure time. */
const PATIENT_MS = 60_000;

let logged: string[] = [];
const server = await givenGeocoder();
after(() => server.close());

const CHICAGO = {
  streetNum: '932',
  streetName: 'W Randolph St',
  aptNum: '',
  city: 'Chicago',
  state: 'IL',
  zipcode: '60607',
};

const log = { error: (line: string) => void logged.push(line) } as never;
const options = (timeoutMs = PATIENT_MS) => ({ baseUrl: server.baseUrl, timeoutMs });
const GEOCODERS: Readonly<Record<string, (timeoutMs?: number) => Geocoder>> = {
  Google: (timeoutMs) => createGoogleGeocoder({ ...options(timeoutMs), apiKey: KEY, log }),
  Census: (timeoutMs) => createCensusGeocoder(options(timeoutMs)),
  Photon: (timeoutMs) => createPhotonGeocoder(options(timeoutMs)),
  Nominatim: (timeoutMs) => createNominatimGeocoder(options(timeoutMs)),
};
const google = () => GEOCODERS.Google?.() ?? assert.fail();
const census = () => GEOCODERS.Census?.() ?? assert.fail();
const photon = () => GEOCODERS.Photon?.() ?? assert.fail();
const nominatim = () => GEOCODERS.Nominatim?.() ?? assert.fail();

test('every geocoder keeps the contract', async (t) => {
  const census = { matchedAddress: '932 W RANDOLPH ST, CHICAGO, IL', coordinates: { x: -87.6511, y: 41.8842 } };
  const answers: Readonly<Record<string, [found: unknown, none: unknown]>> = {
    Google: [googleAnswer(), { results: [], status: 'ZERO_RESULTS' }],
    Census: [{ result: { addressMatches: [census] } }, { result: { addressMatches: [] } }],
    Photon: [{ features: [photonFeature({ type: 'city', name: 'Chicago' })] }, { features: [] }],
    Nominatim: [[nominatimResult({})], []],
  };
  const reversed: Readonly<Record<string, [found: unknown, none: unknown]>> = {
    ...answers,
    Nominatim: [nominatimResult({}), { error: 'Unable to geocode' }],
  };
  for (const [name, create] of Object.entries(GEOCODERS)) {
    const [found, none] = answers[name] ?? assert.fail(name);
    const [foundAt, noneAt] = reversed[name] ?? assert.fail(name);
    const reverse = create().reverseGeocode;
    const geocoder: Geocoder = {
      geocode(text) {
        server.answer(text === TEXT ? found : none);
        return create().geocode(text);
      },
      ...(reverse && {
        reverseGeocode(at) {
          server.answer(at.longitude < -80 ? foundAt : noneAt);
          return reverse(at);
        },
      }),
    };
    await t.test(name, (own) => keepsGeocoderContract(own, { geocoder, known: TEXT }));
  }
});

test('Google: the text and the key are sent, and the result is in our words', async () => {
  server.answer(googleAnswer());
  assert.deepEqual(await google().geocode(TEXT), [
    {
      latitude: 41.8842,
      longitude: -87.6511,
      address: '932 W Randolph St, Chicago, IL 60607, USA',
      precision: 'rooftop',
      parts: CHICAGO,
    },
  ]);
  const { path, query } = server.requests.at(-1) ?? assert.fail();
  assert.deepEqual([path, query.address, query.key], ['/maps/api/geocode/json', TEXT, KEY]);
});

test('Google: precision follows types and location_type; areas larger than a city are left out', async () => {
  for (const [types, locationType, precision] of [
    [['street_address'], 'RANGE_INTERPOLATED', 'street'],
    [['route'], 'GEOMETRIC_CENTER', 'street'],
    [['premise'], 'ROOFTOP', 'rooftop'],
    [['postal_code'], 'APPROXIMATE', 'postal_code'],
    [['locality', 'political'], 'APPROXIMATE', 'city'],
    [['sublocality_level_1', 'sublocality'], 'APPROXIMATE', 'city'],
    [['administrative_area_level_1', 'political'], 'APPROXIMATE', undefined],
    [['country', 'political'], 'APPROXIMATE', undefined],
  ] as const) {
    server.answer(googleAnswer({ types: [...types], locationType }));
    assert.deepEqual(
      (await google().geocode(TEXT)).map((found) => found.precision),
      precision === undefined ? [] : [precision],
    );
  }
});

test('Google: nothing found and an unreadable text are empty; quota and a refused key are outside errors', async () => {
  for (const status of ['ZERO_RESULTS', 'INVALID_REQUEST']) {
    server.answer({ results: [], status });
    assert.deepEqual(await google().geocode(TEXT), []);
  }
  for (const status of ['OVER_QUERY_LIMIT', 'OVER_DAILY_LIMIT']) {
    server.answer({ results: [], status });
    await assert.rejects(google().geocode(TEXT), { retryable: true, retryAfterSeconds: 60 });
  }
  server.answer({ status: 'UNKNOWN_ERROR' });
  await assert.rejects(google().geocode(TEXT), { retryable: true });
  logged = [];
  server.answer({ results: [], status: 'REQUEST_DENIED', error_message: `Bad key ${KEY}` });
  const refused = google();
  for (let n = 0; n < 3; n += 1) await assert.rejects(refused.geocode(TEXT), { retryable: false });
  assert.equal(logged.length, 1);
  assert.match(logged.join(), /GOOGLE_PLACES_API_KEY.*Geocoding API/);
  assert.doesNotMatch(logged.join(), new RegExp(KEY));
});

test('the Census: a matched street address, estimated on its street; an unreadable text is not found', async () => {
  const match = {
    matchedAddress: '4600 SILVER HILL RD, WASHINGTON, DC, 20233',
    coordinates: { x: -76.92744, y: 38.845985 },
    tigerLine: { side: 'L', tigerLineId: '76355984' },
    addressComponents: { zip: '20233', city: 'WASHINGTON', state: 'DC' },
  };
  server.answer({ result: { input: {}, addressMatches: [match] } });
  assert.deepEqual(await census().geocode('4600 Silver Hill Rd, Washington, DC'), [
    {
      latitude: 38.845985,
      longitude: -76.92744,
      address: '4600 SILVER HILL RD, WASHINGTON, DC 20233, USA',
      precision: 'street',
      parts: {
        streetNum: '4600',
        streetName: 'SILVER HILL RD',
        aptNum: '',
        city: 'WASHINGTON',
        state: 'DC',
        zipcode: '20233',
      },
    },
  ]);
  const { path, query } = server.requests.at(-1) ?? assert.fail();
  assert.equal(path, '/geocoder/locations/onelineaddress');
  assert.deepEqual([query.benchmark, query.format], ['Public_AR_Current', 'json']);
  server.answer({ result: { addressMatches: [] } });
  assert.deepEqual(await census().geocode('60607'), []);
  server.trouble({ status: 400 });
  assert.deepEqual(await census().geocode('60607'), []);
});

const photonFeature = (properties: object, coordinates: unknown = [-87.6511, 41.8842]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { countrycode: 'US', country: 'United States', city: 'Chicago', state: 'Illinois', ...properties },
});

test('Photon: features become addresses, and their types precisions', async () => {
  const house = { type: 'house', housenumber: '932', street: 'West Randolph Street', postcode: '60607' };
  server.answer({
    type: 'FeatureCollection',
    features: [
      photonFeature(house),
      photonFeature({ type: 'house', name: 'Some Park' }),
      photonFeature({ type: 'street', name: 'West Randolph Street' }),
      photonFeature({ type: 'other', osm_value: 'postcode', name: '60607' }),
      photonFeature({ type: 'city', name: 'Chicago' }),
      photonFeature({ type: 'state', name: 'Illinois' }),
    ],
  });
  const found = await photon().geocode(TEXT);
  assert.deepEqual(
    found.map(({ address, precision }) => [address, precision]),
    [
      ['932 West Randolph Street, Chicago, IL 60607, USA', 'rooftop'],
      ['Some Park, Chicago, Illinois, United States', 'street'],
      ['West Randolph Street, Chicago, IL, USA', 'street'],
      ['Chicago, IL 60607, USA', 'postal_code'],
      ['Chicago, IL, USA', 'city'],
    ],
  );
  assert.deepEqual(found[0]?.parts, { ...CHICAGO, streetName: 'West Randolph Street' });
  assert.deepEqual(server.requests.at(-1)?.path, '/api');
});

const nominatimResult = (more: object) => ({
  lat: '41.8842',
  lon: '-87.6511',
  display_name: '932, West Randolph Street, Chicago, Illinois, 60607, United States',
  category: 'building',
  type: 'yes',
  osm_type: 'way',
  place_rank: 30,
  address: {
    house_number: '932',
    road: 'West Randolph Street',
    suburb: 'Near West Side',
    city: 'Chicago',
    county: 'Cook County',
    state: 'Illinois',
    'ISO3166-2-lvl4': 'US-IL',
    postcode: '60607',
    country: 'United States',
    country_code: 'us',
  },
  ...more,
});

test('Nominatim: ranks become precisions, and calls name the service', async () => {
  server.answer([
    nominatimResult({}),
    nominatimResult({ category: 'place', type: 'house' }),
    nominatimResult({ place_rank: 26, address: { country_code: 'us' } }),
    nominatimResult({
      place_rank: 21,
      addresstype: 'postcode',
      address: { country_code: 'ca' },
      lat: '49.28',
      lon: '-123.12',
    }),
    nominatimResult({ place_rank: 16, address: { country_code: 'us' } }),
    nominatimResult({ place_rank: 8, address: { country_code: 'us' } }),
  ]);
  const found = await nominatim().geocode(TEXT);
  assert.deepEqual(
    found.map(({ precision }) => precision),
    ['rooftop', 'street', 'street', 'postal_code', 'city'],
  );
  assert.deepEqual([found[0]?.latitude, found[0]?.longitude], [41.8842, -87.6511]);
  assert.deepEqual(
    [found[0]?.parts, found[0]?.address],
    [{ ...CHICAGO, streetName: 'West Randolph Street' }, '932 West Randolph Street, Chicago, IL 60607, USA'],
  );
  const { path, query, headers } = server.requests.at(-1) ?? assert.fail();
  assert.deepEqual([path, query.countrycodes, query.q], ['/search', 'us,ca', TEXT]);
  assert.match(String(headers['user-agent']), /^Doorstep/);
});

test('a coordinate’s address has the geocoder’s parts, only in the US and Canada', async () => {
  const REVERSE = {
    Google: ['/maps/api/geocode/json', ({ latlng }: Record<string, string>) => latlng],
    Photon: ['/reverse', ({ lat, lon }: Record<string, string>) => `${lat},${lon}`],
    Nominatim: ['/reverse', ({ lat, lon }: Record<string, string>) => `${lat},${lon}`],
  } as const;
  const word = fc.stringMatching(/^[A-Z][a-z]{1,9}$/);
  const place = fc.record({
    number: fc.integer({ min: 1, max: 99_999 }).map(String),
    street: word.map((name) => `${name} St`),
    city: word,
    state: fc.constantFrom('IL', 'NY', 'CA'),
    zipcode: fc.stringMatching(/^[1-9]\d{4}$/),
    latitude: fc.double({ min: 26, max: 48, noNaN: true }),
    longitude: fc.double({ min: -120, max: -80, noNaN: true }),
    country: fc.constantFrom('US', 'CA', 'MX', 'DE'),
  });
  await fc.assert(
    fc.asyncProperty(place, async ({ number, street, city, state, zipcode, latitude, longitude, country }) => {
      const at = { latitude: Number(latitude.toFixed(5)), longitude: Number(longitude.toFixed(5)) };
      const openStreetMap = { housenumber: number, street, city, state, postcode: zipcode, countrycode: country };
      const answers = {
        Google: googleAnswer({ ...at, number, street, city, state, zipcode, country }),
        Photon: { features: [photonFeature({ type: 'house', ...openStreetMap }, [at.longitude, at.latitude])] },
        Nominatim: nominatimResult({
          lat: String(at.latitude),
          lon: String(at.longitude),
          address: { house_number: number, road: street, city, state, postcode: zipcode, country_code: country },
        }),
      };
      for (const [name, [path, coordinateOf]] of Object.entries(REVERSE)) {
        server.answer(answers[name as keyof typeof answers]);
        const found = await GEOCODERS[name]?.().reverseGeocode?.(at);
        const parts = { streetNum: number, streetName: street, aptNum: '', city, state, zipcode };
        const expected = country === 'US' ? [[at.latitude, at.longitude, parts]] : undefined;
        const shown = found?.map((one) => [one.latitude, one.longitude, one.parts]);
        if (expected || country !== 'CA') assert.deepEqual(shown, expected ?? [], name);
        const sent = server.requests.at(-1) ?? assert.fail();
        assert.deepEqual([sent.path, coordinateOf(sent.query)], [path, `${at.latitude},${at.longitude}`]);
      }
    }),
    { seed: SEED, numRuns: runs(100) },
  );
  assert.equal(census().reverseGeocode, undefined);
});

test('a free geocoder gets calls at a pace, public servers one a second, and a long queue is refused', async () => {
  for (const [url, intervalMs] of [
    ['https://nominatim.openstreetmap.org', 1000],
    ['https://photon.komoot.io', 1000],
    ['https://nominatim.example', 50],
    ['', 50],
  ] as const) {
    const waits: number[] = [];
    let now = 0;
    const found = { geocode: async () => [], reverseGeocode: async () => [] };
    const geocoder = pacedGeocoder(found, url, { nowMs: () => now, wait: async (ms) => void waits.push(ms) });
    const inTime = 5000 / intervalMs;
    await geocoder.reverseGeocode?.({ latitude: 41, longitude: -87 });
    for (let n = 1; n <= inTime; n += 1) await geocoder.geocode(TEXT);
    assert.deepEqual(
      waits,
      Array.from({ length: inTime }, (_, n) => (n + 1) * intervalMs),
    );
    await assert.rejects(geocoder.geocode(TEXT), { retryable: true, retryAfterSeconds: 60 });
    now = 6000;
    await geocoder.geocode(TEXT);
    assert.equal(waits.length, inTime);
  }
});

test('results outside of the US and Canada, without a coordinate or of other shapes are left out', async () => {
  const hostile: readonly { latitude?: unknown; longitude?: unknown; country?: string }[] = [
    { latitude: 52.5, longitude: 13.4, country: 'DE' },
    { latitude: 52.5, longitude: 13.4 },
    { country: 'MX' },
    { latitude: '41.88', longitude: '-87.65' },
    { latitude: null, longitude: true },
    { latitude: { valueOf: 1 }, longitude: [-87.65] },
    { latitude: 941.88, longitude: -87.65 },
  ];
  for (const changes of hostile) {
    server.answer(googleAnswer(changes));
    assert.deepEqual(await google().geocode(TEXT), [], JSON.stringify(changes));
    const { latitude = 41.88, longitude = -87.65, country = 'US' } = changes;
    server.answer({
      features: [photonFeature({ type: 'city', name: 'x', countrycode: country }, [longitude, latitude])],
    });
    assert.deepEqual(await photon().geocode(TEXT), [], JSON.stringify(changes));
  }
  for (const lat of [41.88, '41,88', '41.88abc', '', ' 41.88', '0x29', 'NaN', '1e2']) {
    server.answer([nominatimResult({ lat })]);
    assert.deepEqual(await nominatim().geocode(TEXT), [], String(lat));
  }
});

test('inherited members, wrong kinds and long texts do no harm', async () => {
  for (const answer of [
    '{"__proto__":{"status":"OK","results":[{}]}}',
    '{"status":"OK","results":{"length":1}}',
    '{"status":"OK","results":[null,1,"a",[],{"__proto__":{"geometry":{}}}]}',
    '{"result":{"addressMatches":[null,{"coordinates":"x"},{"coordinates":{"x":-87,"y":41}}]}}',
    '{"features":[null,{"geometry":{"coordinates":{}}},{"geometry":null,"properties":7}]}',
    '[null,1,[],{"lat":"41.8","lon":"-87.6","place_rank":"30"}]',
  ]) {
    server.answer(answer);
    for (const create of Object.values(GEOCODERS)) {
      const found = await create()
        .geocode(TEXT)
        .catch((error) => error);
      assert.ok(found instanceof OutsideError || (Array.isArray(found) && found.length === 0), answer);
    }
  }
  server.answer(googleAnswer({ street: '', address: `\u0000\u001b${'é'.repeat(400)}\ud800` }));
  const [long] = await google().geocode(TEXT);
  assert.equal(long?.address.length, 300);
  assert.match(long?.address ?? '', /^é+$/);
});

const TROUBLES: readonly GeocoderTrouble[] = [
  'html',
  'garbage',
  'huge',
  'reset',
  { status: 500 },
  { status: 403 },
  { status: 429 },
];
for (const [name, create] of Object.entries(GEOCODERS)) {
  test(`${name}: every failure is an outside error without the text or the key`, async () => {
    for (const trouble of TROUBLES) {
      server.trouble(trouble);
      await assert.rejects(create().geocode(TEXT), (error) => {
        assert.ok(error instanceof OutsideError, JSON.stringify(trouble));
        const said = `${error.stack}${error.cause}${JSON.stringify(error)}`;
        return !said.includes(KEY) && !said.includes('Randolph');
      });
    }
    for (const silence of ['hang', 'drip'] as const) {
      server.trouble(silence);
      await assert.rejects(create(50).geocode(TEXT), OutsideError);
    }
  });
}
