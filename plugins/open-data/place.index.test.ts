import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { weeklyHours } from '../../src/supply/stores/hours.ts';
import { EVERY_DAY } from '../../src/supply/stores/hours-rules.ts';
import { NEAR_PLACES, placeOf } from '../../test/given/place.ts';
import { PlaceIndex } from './place.index.ts';
import { readOsmPlace } from './read-osm-place.ts';

const REAL = join(import.meta.dirname, '../../../shared/data/feed/vancouver.geojson.gz');
const skip = existsSync(REAL) ? false : `${REAL} is not here`;
const NOW = Temporal.Instant.from('2026-06-10T19:00:00Z');
const KM = 1 / 111.2;

type Case = Parameters<typeof placeOf>[0];
function givenIndex(...places: Case[]): PlaceIndex {
  const index = new PlaceIndex();
  for (const place of places) index.add(placeOf(place));
  return index;
}
const searchIds = (
  index: PlaceIndex,
  text: string,
  near: typeof NEAR_PLACES | null = NEAR_PLACES,
  isOpenOnly = false,
) => index.search({ text, near, isOpenOnly, now: NOW }).map(({ placeId }) => placeId);
const at = (km: number) => ({ latitude: NEAR_PLACES.latitude + km * KM, longitude: NEAR_PLACES.longitude });
const on = (streetAddr: string, city = 'Vancouver') => ({
  address: { streetAddr, streetAddr2: '', city, state: 'BC', zipcode: 'V5K 0A1' },
});

test('case, accents, punctuation, a typo and an unfinished last word do not matter', () => {
  const index = givenIndex(
    { placeId: 'cafe', name: 'L’Éclair du Nord' },
    { placeId: 'other', name: 'Southern Thunder' },
  );
  for (const text of ['leclair', 'L’ECLAIR NORD', 'l’éclair du n', 'leclairr', 'lecliar nord', "L'Éclair (du Nord)"]) {
    assert.deepEqual(searchIds(index, text), ['cafe'], text);
  }
  assert.deepEqual(searchIds(index, '!!!'), []);
  assert.deepEqual(searchIds(index, 'nowhere at all'), []);
});

test('a typo is forgiven in any letter of a word but the first', () => {
  const west = { placeId: 'west', name: 'West Coast Buyers', ...on('900 West Georgia Street') };
  const index = givenIndex({ placeId: 'starbucks', name: 'Starbucks' }, west);
  for (const text of ['sarbucks', 'satrbucks', 'starbucls', 'stabucsk']) {
    assert.deepEqual(searchIds(index, text), ['starbucks'], text);
  }
  for (const text of ['dtarbucks', 'tsarbucks', 'tarbucks', 'astarbucks', 'best', 'eest doast']) {
    assert.deepEqual(searchIds(index, text), [], text);
  }
  assert.deepEqual(searchIds(index, 'best west'), ['west']);
});

test('words of the address count, in their long and their short form', () => {
  const index = givenIndex(
    { placeId: 'here', name: 'Blue Kettle', ...on('787 West Georgia Street') },
    { placeId: 'there', name: 'Blue Kettle', ...on('12 Main Street') },
  );
  for (const text of ['blue kettle georgia street', 'kettle w georgia st', 'blue kettle 787', 'kettle georgi']) {
    assert.equal(searchIds(index, text)[0], 'here', text);
  }
  assert.deepEqual(searchIds(index, 'v5k0a1').length, 2);
});

test('an address is found by each form of a word that has several short forms', () => {
  const avenue = ['avenue', 'ave', 'av'];
  const boulevard = ['boulevard', 'blvd', 'boul'];
  for (const forms of [avenue, boulevard]) {
    for (const [written, typed] of forms.flatMap((one) => forms.map((other) => [one, other] as const))) {
      const index = givenIndex(
        { placeId: 'near', name: 'Blue Kettle', ...on('5 Main Street') },
        { placeId: 'sought', name: 'Blue Kettle', ...on(`120 Sunset ${written}`), ...at(5) },
      );
      assert.deepEqual(searchIds(index, `kettle ${typed} zzz`), ['sought'], `${typed} for ${written}`);
    }
  }
});

test('a place with all of the words comes before places with most, and those only where all are not to be had', () => {
  const index = givenIndex(
    { placeId: 'two', name: 'Paper Crane', ...at(0) },
    { placeId: 'three', name: 'Paper Crane Pizza', ...at(9) },
    { placeId: 'one', name: 'Paper', ...at(0) },
  );
  assert.deepEqual(searchIds(index, 'paper crane pizza'), ['three', 'two']);
  assert.deepEqual(searchIds(index, 'paper zzz yyy'), ['one', 'two', 'three']);
});

test('a space too many or too few, and a sign in words, do not matter', () => {
  const index = givenIndex({ placeId: 'jar', name: 'Jam Jar & Sons' }, { placeId: 'fork', name: 'McFork' });
  for (const text of ['jamjar', 'jam jar and sons', 'jamjar sons'])
    assert.equal(searchIds(index, text)[0], 'jar', text);
  assert.deepEqual(searchIds(index, 'mc fork'), ['fork']);
});

test('a name outranks an address or a cuisine, and those a typo', () => {
  const index = givenIndex(
    { placeId: 'typo', name: 'Robsen House', ...at(0) },
    { placeId: 'street', name: 'Fern', ...on('1 Robson Street'), ...at(0) },
    { placeId: 'name', name: 'Robson Grill', ...at(3) },
  );
  assert.deepEqual(searchIds(index, 'robson'), ['name', 'street', 'typo']);
});

test('ties are broken by radius, then the whole name, then distance; nothing is cut off', () => {
  const index = givenIndex(
    { placeId: 'far whole', name: 'Mossy Fork', ...at(40) },
    { placeId: 'near part', name: 'Mossy Fork Express', ...at(1) },
    { placeId: 'near whole', name: 'Mossy Fork', ...at(5) },
    { placeId: 'nearest whole', name: 'Mossy Fork', ...at(2) },
  );
  const nearFirst = ['nearest whole', 'near whole', 'near part', 'far whole'];
  assert.deepEqual(searchIds(index, 'mossy fork'), nearFirst);
  const wide = { ...NEAR_PLACES, radiusMeters: 50_000 };
  assert.deepEqual(searchIds(index, 'mossy fork', wide), ['nearest whole', 'near whole', 'far whole', 'near part']);
  assert.equal(searchIds(index, 'mossy fork', null).length, 4);
});

test('permanently closed places are last, and are found by id', () => {
  const closed = { placeId: 'closed', name: 'Old Gull', status: 'CLOSED_PERMANENTLY' as const, ...at(0) };
  const index = givenIndex(closed, { placeId: 'open', name: 'Old Gull Harbour', ...at(8) });
  assert.deepEqual(searchIds(index, 'old gull'), ['open', 'closed']);
  assert.equal(index.find('closed')?.status, 'CLOSED_PERMANENTLY');
  assert.equal(index.find('unknown'), undefined);
});

test('open places are found by their local time; unknown hours are not open', () => {
  const noon = weeklyHours(() => [{ startMinute: 12 * 60, endMinute: 13 * 60 }]);
  const index = givenIndex(
    { placeId: 'vancouver', hours: noon },
    { placeId: 'toronto', hours: noon, latitude: 43.65, longitude: -79.38 },
    { placeId: 'unknown' },
    { placeId: 'resting', hours: noon, status: 'CLOSED_TEMPORARILY' },
  );
  assert.deepEqual(searchIds(index, 'harbour fern', NEAR_PLACES, true), ['vancouver']);
  const threeHoursBefore = { text: 'harbour', near: null, isOpenOnly: true, now: NOW.subtract({ hours: 3 }) };
  assert.deepEqual(
    index.search(threeHoursBefore).map(({ placeId }) => placeId),
    ['toronto'],
  );
});

test('on single dates a place is open in the hours of the date', () => {
  const noon = weeklyHours(() => [{ startMinute: 12 * 60, endMinute: 13 * 60 }]);
  const today = NOW.toZonedDateTimeISO('America/Vancouver').toPlainDate();
  const monthDay = today.month * 100 + today.day;
  const spans = [{ fromYear: today.year, from: monthDay, toYear: today.year, to: monthDay }];
  const usual = { spans: null, days: EVERY_DAY, adds: false, closes: false, ranges: noon[0] };
  const datedRules = [usual, { ...usual, spans, closes: true, ranges: [] }];
  const index = givenIndex({ placeId: 'usual', hours: noon }, { placeId: 'holiday', hours: noon, datedRules });
  assert.deepEqual(searchIds(index, 'harbour fern', NEAR_PLACES, true), ['usual']);
  assert.deepEqual(index.find('holiday')?.datedRules, datedRules);
});

test('places are returned unchanged, up to twenty, each ID once', () => {
  const hours = weeklyHours((day) => (day === 6 ? [] : [{ startMinute: 60, endMinute: 1500 }]));
  const origins = [{ dataset: 'OpenStreetMap', license: 'ODbL-1.0', recordId: 'node/1', updatedAt: null }];
  const place = placeOf({ placeId: 'node/1', hours, origins, cuisines: ['sushi'], brand: 'Fern' });
  const index = new PlaceIndex();
  assert.ok(index.add(place));
  assert.ok(!index.add({ ...place, name: 'Another' }));
  assert.deepEqual(index.find('node/1'), place);
  for (let n = 0; n < 30; n += 1) index.add(placeOf({ placeId: `copy/${n}` }));
  assert.equal(searchIds(index, 'harbour').length, 20);
  assert.equal(index.size, 31);
});

test('any text is answered with places only, and searches are independent', () => {
  const index = givenIndex({ placeId: 'a' }, { placeId: 'b', name: 'Constructor __proto__ Café' });
  const before = searchIds(index, 'harbour fern');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      assert.ok(searchIds(index, text).length <= 2);
      assert.deepEqual(searchIds(index, 'harbour fern'), before);
    }),
  );
  assert.equal(searchIds(index, '__proto__')[0], 'b');
});

/** Queries as people type them (names, parts of addresses, typos), each with its expected first result. */
const REAL_SEARCHES: readonly (readonly [text: string, name: RegExp, street: RegExp])[] = [
  ['starbucks georgia street', /^Starbucks/, /Georgia/],
  ['starbuks w georgia st', /^Starbucks/, /Georgia/],
  ['cafe medina', /^Cafe Medina$/, /Richards/],
  ['medina', /^Cafe Medina$/, /Richards/],
  ['japadog robson', /^Japadog$/, /Robson/],
  ['uncle fatihs pizza nelson', /^Uncle Fatih/, /Nelson/],
  ['the keg yaletown', /^The Keg.*Yaletown/, /Mainland/],
  ['mcdonalds 1701 robson', /^McDonald's$/, /1701 Robson/],
  ['salad lo', /^Salad Loop$/, /^$/],
  ['de dutch pannek', /^De Dutch Pannekoek House/, /^/],
  ['white spot dunsmuir', /^White Spot$/, /Dunsmuir/],
  ['tim hort', /^Tim Hortons$/, /^/],
];

/** Index of the real file's places. */
function realIndex(): PlaceIndex {
  const index = new PlaceIndex();
  const { features } = JSON.parse(gunzipSync(readFileSync(REAL)).toString()) as { features: unknown[] };
  for (const feature of features) {
    const reading = readOsmPlace(feature, '2026-11-27');
    if (reading.ok) index.add(reading.place);
  }
  assert.ok(index.size > 4000);
  return index;
}

test('real places that a search for a missing business finds have a word of it in their name', { skip }, () => {
  const found = realIndex().search({ text: 'best buy', near: NEAR_PLACES, isOpenOnly: false, now: NOW });
  assert.deepEqual(
    found.filter(({ name }) => !/\b(best|buy)/i.test(name)),
    [],
  );
});

test('people’s usual queries find real places', { skip }, () => {
  const index = realIndex();
  for (const [text, name, street] of REAL_SEARCHES) {
    const [first] = index.search({ text, near: NEAR_PLACES, isOpenOnly: false, now: NOW });
    assert.match(first?.name ?? '', name, text);
    assert.match(first?.address.streetAddr ?? '', street, text);
  }
});
