import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Country } from './store.ts';
import { canonicalTimeZone, timeZoneAt, ZONES_OF_COUNTRY } from './time-zone.ts';

test('old link names become the names of today, in any letter case', () => {
  const names = ['US/Pacific', 'us/hawaii', 'Canada/Eastern', 'America/Montreal', 'America/Indianapolis', 'EST5EDT'];
  assert.deepEqual(names.map(canonicalTimeZone), [
    'America/Los_Angeles',
    'Pacific/Honolulu',
    'America/Toronto',
    'America/Toronto',
    'America/Indiana/Indianapolis',
    'America/New_York',
  ]);
});

test('a zone unknown to the database is null', () => {
  for (const name of ['', 'Mars/Olympus', '-05:00', '+0530', 'PST8', 'America/', ' US/Pacific', 'a'.repeat(500)]) {
    assert.equal(canonicalTimeZone(name), null, name);
  }
});

test('the abbreviations that are IANA names have no daylight saving', () => {
  const summer = Temporal.Instant.from('2026-07-01T12:00:00Z');
  for (const [name, offset] of Object.entries({ EST: '-05:00', MST: '-07:00', HST: '-10:00' }))
    assert.equal(summer.toZonedDateTimeISO(canonicalTimeZone(name) ?? '').offset, offset, name);
});

test('an abbreviation that Intl still takes and Temporal does not is no zone', () => {
  for (const name of ['PST', 'IST', 'ACT', 'SystemV/PST8']) assert.equal(canonicalTimeZone(name), null, name);
});

test('every zone of the US and Canada is known by its own name', () => {
  for (const name of [...ZONES_OF_COUNTRY.US, ...ZONES_OF_COUNTRY.CA]) assert.equal(canonicalTimeZone(name), name);
});

test('a coordinate has the zone of its place', () => {
  assert.equal(timeZoneAt(40.7383, -73.9927, 'US', ''), 'America/New_York');
  assert.equal(timeZoneAt(33.45, -112.07, 'US', ''), 'America/Phoenix');
  assert.equal(timeZoneAt(39.77, -86.16, 'US', ''), 'America/Indiana/Indianapolis');
  assert.equal(timeZoneAt(47.56, -52.71, 'CA', ''), 'America/St_Johns');
  assert.equal(timeZoneAt(49.26, -123.13, 'CA', ''), 'America/Vancouver');
  assert.equal(timeZoneAt(13.45, 144.78, 'US', ''), 'Pacific/Guam');
  assert.equal(timeZoneAt(-14.28, -170.7, 'US', ''), 'Pacific/Pago_Pago');
});

test('the Hopi Reservation keeps Standard Time within the Navajo Nation', () => {
  const hopi = [
    [35.8747, -110.6196],
    [35.9264, -110.6665],
    [35.8775, -110.6271],
    [35.7956, -110.5054],
    [35.8133, -110.2043],
  ];
  for (const [latitude = 0, longitude = 0] of hopi)
    assert.equal(timeZoneAt(latitude, longitude, 'US', 'AZ'), 'America/Phoenix', `${latitude}`);
  const navajo = [
    [35.6806, -109.0526],
    [36.1544, -109.5526],
    [36.7278, -110.2546],
    [36.1017, -110.2235],
  ];
  for (const [latitude = 0, longitude = 0] of navajo)
    assert.equal(timeZoneAt(latitude, longitude, 'US', 'AZ'), 'America/Denver', `${latitude}`);
});

test('a store at a border keeps the clock of its own country', () => {
  assert.equal(timeZoneAt(46.1378, -67.8403, 'US', ''), 'America/New_York');
  assert.equal(timeZoneAt(26.244097, -98.4436933, 'US', ''), 'America/Chicago');
  assert.equal(timeZoneAt(32.546957, -117.0337396, 'US', ''), 'America/Los_Angeles');
  assert.equal(timeZoneAt(31.4007581, -109.9173552, 'US', ''), 'America/Phoenix');
});

test('a store near another state or province keeps a zone its own state has', () => {
  const places: readonly [latitude: number, longitude: number, Country, state: string, zone: string][] = [
    [48.147, -103.618, 'US', 'ND', 'America/Chicago'],
    [46.879, -102.789, 'US', 'ND', 'America/Denver'],
    [46.808, -100.784, 'US', 'ND', 'America/Chicago'],
    [48.005, -66.673, 'CA', 'NB', 'America/Moncton'],
    [48.1, -66.67, 'CA', 'QC', 'America/Toronto'],
    [48.757, -91.622, 'CA', 'ON', 'America/Atikokan'],
    [49.77, -94.49, 'CA', 'ON', 'America/Winnipeg'],
    [42.317, -83.036, 'CA', 'ON', 'America/Toronto'],
    [42.331, -83.046, 'US', 'MI', 'America/Detroit'],
    [45.108, -87.614, 'US', 'MI', 'America/Menominee'],
    [45.1, -87.63, 'US', 'WI', 'America/Chicago'],
    [32.47, -85, 'US', 'AL', 'America/Chicago'],
    [32.46, -84.99, 'US', 'GA', 'America/New_York'],
    [40.74, -114.07, 'US', 'NV', 'America/Denver'],
    [53.28, -109.99, 'CA', 'SK', 'America/Edmonton'],
  ];
  const winter = Temporal.Instant.from('2026-01-10T00:00Z');
  const summer = Temporal.Instant.from('2026-07-10T00:00Z');
  for (const [latitude, longitude, country, state, zone] of places) {
    const found = timeZoneAt(latitude, longitude, country, state);
    for (const at of [winter, summer])
      assert.equal(
        at.toZonedDateTimeISO(found).offset,
        at.toZonedDateTimeISO(zone).offset,
        `${latitude} ${state} ${found}`,
      );
  }
});

test('a store over water keeps the clock of the shore', () => {
  assert.equal(timeZoneAt(29.2, -94.3, 'US', ''), 'America/Chicago');
  assert.equal(timeZoneAt(43.5, -69.5, 'US', ''), 'America/New_York');
});

test('a place outside the country has a zone all the same, one off the earth is a fault of the caller', () => {
  assert.equal(timeZoneAt(35.62, 139.77, 'US', ''), 'Asia/Tokyo');
  assert.equal(canonicalTimeZone(timeZoneAt(-90, 180, 'CA', '')) === null, false);
  for (const [latitude, longitude] of [
    [91, 0],
    [0, 181],
    [Number.NaN, 0],
  ] as const) {
    assert.throws(() => timeZoneAt(latitude, longitude, 'US', ''), RangeError);
  }
});

const ZIPS = new URL('../../../../shared/data/raw/us_zips_population_timezone.csv.gz', import.meta.url);
test('the clock is right for 99.8 % of the people of the US', { skip: !existsSync(ZIPS) && 'no table at hand' }, () => {
  const rows = gunzipSync(readFileSync(ZIPS)).toString().trim().split('\n').slice(1);
  const instants = ['2026-01-10T00:00Z', '2026-07-10T00:00Z'].map((text) => Temporal.Instant.from(text));
  const clocks = new Map<string, string>();
  const clockOf = (zone: string) => {
    const known = clocks.get(zone) ?? instants.map((at) => at.toZonedDateTimeISO(zone).offset).join();
    clocks.set(zone, known);
    return known;
  };
  let [people, wrong] = [0, 0];
  for (const row of rows) {
    const [, latitude, longitude, , state = '', population, zone] = row.split(',');
    if (!zone) continue;
    people += Number(population);
    const found = timeZoneAt(Number(latitude), Number(longitude), 'US', state);
    if (clockOf(found) !== clockOf(zone)) wrong += Number(population);
  }
  assert.ok(wrong < people * 0.002, `${wrong} of ${people}`);
});
