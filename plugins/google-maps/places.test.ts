import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReportLeftOut } from '../../src/platform/lib/left-out.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type { PlaceQuery } from '../../src/supply/places/place-directory.ts';
import {
  componentOf,
  type GoogleTrouble,
  givenGoogle,
  googleCafe,
  googleContract,
  skipWithoutGoogleContract,
} from '../../test/fakes/given-google.ts';
import { createGooglePlaces } from './places.ts';

const QUERY: PlaceQuery = {
  text: 'fern café',
  near: { latitude: 49.28, longitude: -123.12, radiusMeters: 5000 },
  isOpenOnly: false,
  now: Temporal.Instant.from('2026-06-10T17:00:00Z'),
};
const CAFE = 'ChIJs0-pQ_FzhlQRi_OBm-qWkbs';
const ABROAD = 'ChIJabroad_abroad';
/** Long enough for any machine; these tests do not measure time. */
const PATIENT_MS = 60_000;

let reported: string[];
let leftOut: [kind: string, times: number | undefined][];
const google = await givenGoogle([
  googleCafe({ id: CAFE }),
  googleCafe({
    id: ABROAD,
    displayName: { text: 'Zum Farn' },
    addressComponents: [componentOf('Germany', 'DE', 'country')],
    location: { latitude: 52.5, longitude: 13.4 },
  }),
]);
after(() => google.close());

function directory(changes: { apiKey?: string; baseUrl?: string; timeoutMs?: number } = {}) {
  reported = [];
  leftOut = [];
  const log = { error: (sentence: string) => void reported.push(sentence) } as never;
  const reportLeftOut: ReportLeftOut = (kind, _text, _fields, times) => void leftOut.push([kind, times]);
  const options = { apiKey: google.key, baseUrl: google.baseUrl, timeoutMs: PATIENT_MS, log, reportLeftOut };
  return createGooglePlaces({ ...options, ...changes });
}

test('a search requests only the needed fields, is biased by a circle, and sends its key only in a header', async () => {
  const [place] = await directory().search(QUERY);
  assert.equal(place?.placeId, CAFE);
  const { path, body, fieldMask } = google.requests.at(-1) ?? assert.fail();
  assert.equal(path, '/v1/places:searchText');
  const circle = { center: { latitude: 49.28, longitude: -123.12 }, radius: 5000 };
  assert.deepEqual(body, { textQuery: 'fern café', locationBias: { circle } });
  assert.ok(!fieldMask.some((field) => /rating|website|photo|review|\*/.test(field)));
});

test('a radius wider than Google takes is its widest, open places are asked for, and a search may have no place', async () => {
  const near = { latitude: 49.28, longitude: -123.12, radiusMeters: 200_000 };
  await directory().search({ ...QUERY, near, isOpenOnly: true });
  const wide = google.requests.at(-1)?.body as { locationBias: { circle: { radius: number } }; openNow: boolean };
  assert.deepEqual([wide.locationBias.circle.radius, wide.openNow], [50_000, true]);
  await directory().search({ ...QUERY, near: null });
  assert.deepEqual(google.requests.at(-1)?.body, { textQuery: 'fern café' });
});

test('a place of Google is translated into the fields of the service', async () => {
  const [place] = await directory().search(QUERY);
  const day = [{ startMinute: 420, endMinute: 1170 }];
  assert.deepEqual(place, {
    placeId: CAFE,
    name: 'Fern & Ferry Café',
    address: {
      streetAddr: '787 West Georgia Street',
      streetAddr2: '',
      city: 'Vancouver',
      state: 'BC',
      zipcode: 'V6C 1A1',
    },
    country: 'CA',
    latitude: 49.2836,
    longitude: -123.1187,
    phone: '+1 604-555-0142',
    hours: [day, day, day, day, day, day, day],
    datedRules: null,
    cuisines: [],
    brand: null,
    storeType: 'restaurant',
    category: 'cafe',
    status: 'OPERATIONAL',
    link: 'https://maps.google.com/?cid=27',
    origins: [],
  });
});

test('a place is found by its ID; deleted, unknown and malformed IDs aren’t found', async () => {
  const places = directory();
  assert.equal((await places.find(CAFE))?.name, 'Fern & Ferry Café');
  assert.ok(!google.requests.at(-1)?.fieldMask.some((field) => field.startsWith('regularOpeningHours')));
  assert.equal(await places.find('ChIJ-of-a-place-that-is-gone'), undefined);
  assert.equal(await places.find('short'), undefined);
  const requestCount = google.requests.length;
  for (const id of ['../places:searchText', '..', 'a/b', 'a?b', '', 'é', 'x'.repeat(1025)]) {
    assert.equal(await places.find(id), undefined);
  }
  assert.equal(google.requests.length, requestCount);
});

test('an unreadable place is skipped in a search and counted, and doesn’t count as closed', async (t) => {
  const id = 'ChIJ-without-a-coordinate';
  google.places.set(id, googleCafe({ id, location: undefined }));
  t.after(() => google.places.delete(id));
  const found = await directory().search(QUERY);
  assert.deepEqual([found.map(({ placeId }) => placeId), leftOut], [[CAFE], [['place', 1]]]);
  await assert.rejects(directory().find(id), { message: "Google's response lacks readable place.", retryable: true });
});

test('a place abroad has no country of ours', async () => {
  assert.equal((await directory().find(ABROAD))?.country, null);
});

test('nothing found is an empty list', async () => {
  assert.deepEqual(await directory().search({ ...QUERY, text: 'nothing of that name' }), []);
});

const TROUBLES: [string, GoogleTrouble, boolean][] = [
  ['too many requests', { status: 429, code: 'RESOURCE_EXHAUSTED' }, true],
  ['trouble inside', { status: 500, code: 'INTERNAL' }, true],
  ['a page instead of an answer', 'html', true],
  ['half an answer', 'garbage', true],
  ['an answer without end', 'huge', true],
  ['a reset connection', 'reset', true],
  ['a key that may not', { status: 403, code: 'PERMISSION_DENIED' }, false],
  ['a key that is none', { status: 400, code: 'INVALID_ARGUMENT', reason: 'API_KEY_INVALID' }, false],
];
for (const [what, trouble, retryable] of TROUBLES) {
  test(`${what} is an outside error that holds no key`, async () => {
    for (const ask of [() => directory().search(QUERY), () => directory().find(CAFE)]) {
      google.trouble(trouble);
      await assert.rejects(ask, (error) => {
        assert.ok(error instanceof OutsideError && error.retryable === retryable);
        return !`${error.stack}${error.cause}${JSON.stringify(error)}`.includes(google.key);
      });
    }
  });
}

for (const silence of ['hang', 'drip'] as const) {
  test(`an answer that does not end (${silence}) times out`, async () => {
    google.trouble(silence);
    await assert.rejects(directory({ timeoutMs: 50 }).search(QUERY), OutsideError);
  });
}

test('a refused connection is an outside error', async () => {
  await assert.rejects(directory({ baseUrl: 'http://127.0.0.1:1' }).search(QUERY), OutsideError);
});

test('an exhausted quota says when to come back', async () => {
  for (const [retryAfter, seconds] of [
    ['7', 7],
    ['soon', 60],
    ['999999', 3600],
  ] as const) {
    google.trouble({ status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter });
    await assert.rejects(directory().search(QUERY), { retryAfterSeconds: seconds });
  }
});

test('a key that Google refuses is logged once, without the key', async () => {
  const wrong = directory({ apiKey: 'wrong-key-of-the-operator' });
  for (let n = 0; n < 3; n += 1) await assert.rejects(wrong.search(QUERY), { retryable: false });
  assert.equal(reported.length, 1);
  assert.match(reported[0] ?? '', /GOOGLE_PLACES_API_KEY/);
  assert.doesNotMatch(reported.join(), /wrong-key-of-the-operator/);
  google.faults.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...google.faults.filter((fault) => fault !== 'no key in its header'),
  );
});

test('every request kept the rules of the API', () => {
  assert.ok(google.requests.length > 20);
  assert.deepEqual([...new Set(google.faults)], []);
});

test("the contract check follows Google's description: unknown fields, wrong kinds and other paths are faults", {
  skip: skipWithoutGoogleContract,
}, () => {
  const contract = googleContract ?? assert.fail();
  const search = (body: unknown, mask: string[] = ['places.id']) =>
    contract.checkRequest('POST', '/v1/places:searchText', body, mask).length;
  assert.equal(search({ textQuery: 'x', openNow: true }), 0);
  assert.equal(search({ textQuery: 1 }), 1);
  assert.equal(search({ text: 'x' }), 1);
  assert.equal(search({ locationBias: { circle: { center: { latitude: 'x' } } } }), 1);
  assert.equal(search({ rankPreference: 'NEAREST' }), 1);
  assert.equal(search({}, ['places.phone']), 1);
  assert.equal(search({}, ['places.regularOpeningHours.periods', 'places.displayName.text']), 0);
  assert.equal(contract.checkRequest('GET', '/v1/places/ChIJ', undefined, ['id', 'places.id']).length, 1);
  assert.equal(contract.checkRequest('POST', '/v1/places:find', {}, []).length, 1);
  assert.equal(contract.checkAnswer('GET', '/v1/places/ChIJ', { id: 1, businessStatus: 'GONE' }).length, 2);
});
