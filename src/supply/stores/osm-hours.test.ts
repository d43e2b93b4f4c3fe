import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import OpeningHours from 'opening_hours';
import { runs } from '../../../test/runs.ts';
import { parseOsmHours } from './osm-hours.ts';
import { formatHours } from './parse-hours.ts';

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const week = (text: string): string[] => {
  const parsed = parseOsmHours(text);
  assert.ok(parsed.ok, `${text}: ${parsed.ok || parsed.reason}`);
  return Object.values(formatHours(parsed.hours));
};
const alike = (days: number, hours: string, rest = 'Closed') =>
  DAYS.map((_, weekday) => (weekday < days ? hours : rest));

test('24/7 and open are whole days', () => {
  for (const text of ['24/7', 'open', 'Mo-Su 00:00-24:00', '00:00-00:00']) {
    assert.deepEqual(week(text), alike(7, 'Open 24 hours'));
  }
  assert.deepEqual(week('24/7; Sa,Su off'), alike(5, 'Open 24 hours'));
});

test('a range past midnight belongs to its day, whatever the next day has', () => {
  assert.deepEqual(week('Mo-Fr 18:00-02:00; Sa-Su off'), alike(5, '06:00PM - 02:00AM'));
  assert.deepEqual(week('Mo-Fr 11:00-01:00; Sa-Su 11:00-02:00'), alike(5, '11:00AM - 01:00AM', '11:00AM - 02:00AM'));
  assert.deepEqual(week('Mo-Su 10:00-26:00'), alike(7, '10:00AM - 02:00AM'));
  assert.deepEqual(week('Mo-Su 17:00-00:00'), alike(7, '05:00PM - 12:00AM'));
  assert.deepEqual(week('Mo-Su 18:00-03:00; 23:00-25:00 off'), alike(7, '01:00AM - 03:00AM, 06:00PM - 11:00PM'));
  assert.deepEqual(week('Mo 10:00-20:00,20:00-35:00').slice(0, 2), ['10:00AM - 12:00AM', '12:00AM - 11:00AM']);
  assert.deepEqual(week('Mo-Su 07:00-07:00'), alike(7, '07:00AM - 07:00AM'));
});

test('a holiday rule that changes nothing is no obstacle', () => {
  assert.deepEqual(week('Mo-Su,PH 11:00-23:00'), alike(7, '11:00AM - 11:00PM'));
});

test('what a week cannot express, or says two things, is unknown with a reason that shows the place', () => {
  const reasons: [string, RegExp][] = [
    ['Mo-Fr 09:00-17:00; PH off', /public holidays/],
    ['Mo-Sa 10:00-20:00; Su,PH 12:00-18:00', /public holidays/],
    ['Apr-Oct: Mo-Su 10:00-20:00', /"Apr"/],
    ['week 1-53/2 Mo 10:00-12:00', /"week"/],
    ['Mo[1] 10:00-12:00', /"\["/],
    ['sunrise-sunset', /"sunrise"/],
    ['2026 Mo 10:00-12:00', /"2026"/],
    ['11:00+', /"\+"/],
    ['Mo-Fr 10:00-12:00 "by appointment"', /"\\""/],
    ['Mo-Fr 10:00-12:00 || Mo 14:00-15:00', /"\|"/],
    ['Mon-Fri 11:30AM-9PM', /"Mon"/],
    ['Mo-Sa 11:00-22:00 Su 12:00-21:00', /separator/],
    ['Mo 10:00-12:00 14:00-16:00', /separator/],
    ['Mo-Fr 09:00-22:00; Sa-Su', /"Sa-Su"/],
    ['Mo 25:00-26:00', /does not exist/],
    ['Mo 10:61-12:00', /does not exist/],
    ['Mo 10:00-40:00', /longer than a day/],
    ['Mo 17:00', /does not exist|times/],
    ['Mo-Fr-Sa 10:00-12:00', /syntax/],
    ['', /empty/],
    [' ; ', /empty/],
    ['Mo 10:00-12:00;'.repeat(40), /255/],
  ];
  for (const [text, reason] of reasons) {
    const parsed = parseOsmHours(text);
    assert.ok(!parsed.ok, text);
    assert.match(parsed.reason, reason, text);
  }
});

test('no text makes it throw', () => {
  const pieces = ['Mo', 'Su', 'PH', '-', ',', ';', ' ', '10:00', '02:00', '24/7', 'off', 'open', 'x', '9:5', '||', '"'];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string()), (value) => typeof parseOsmHours(value).ok === 'boolean'),
    { numRuns: runs(800) },
  );
});

/** The library's result as minute ranges of each weekday, for values without ranges past midnight. */
function libraryWeek(text: string): string[] {
  const days: string[][] = DAYS.map(() => []);
  const intervals = new OpeningHours(text, null, 0).getOpenIntervals(new Date(2024, 5, 3), new Date(2024, 5, 10));
  for (const [from, to] of intervals) {
    days[(from.getDay() + 6) % 7]?.push(
      `${from.getHours() * 60 + from.getMinutes()}-${(Number(to) - Number(from)) / 6e4}`,
    );
  }
  return days.map((ranges) => ranges.join());
}

test('where no range passes midnight, it reads rules as the opening_hours library does', () => {
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const times = fc
    .uniqueArray(fc.integer({ min: 1, max: 1438 }), { minLength: 2, maxLength: 4 })
    .map((all) => all.sort((a, b) => a - b))
    .map(([a = 0, b = 0, c, d]) =>
      d === undefined ? `${clock(a)}-${clock(b)}` : `${clock(a)}-${clock(b)},${clock(c ?? 0)}-${clock(d)}`,
    );
  const days = fc.tuple(fc.constantFrom(...DAYS), fc.constantFrom('-', ','), fc.constantFrom(...DAYS));
  const rule = fc.tuple(days, fc.oneof(times, fc.constant('off'))).map(([[a, by, b], rest]) => `${a}${by}${b} ${rest}`);
  const value = fc.array(fc.tuple(rule, fc.constantFrom('; ', ', ')), { minLength: 1, maxLength: 4 });
  const property = fc.property(value, (rules) => {
    const text = rules.map(([each, separator], n) => (n === 0 ? each : separator + each)).join('');
    const parsed = parseOsmHours(text);
    assert.ok(parsed.ok, text);
    const mine = parsed.hours.map((ranges) =>
      ranges.map((range) => `${range.startMinute}-${range.endMinute - range.startMinute}`).join(),
    );
    assert.deepEqual(mine, libraryWeek(text), text);
  });
  fc.assert(property, { numRuns: runs(300) });
});

test("the process's own time zone does not matter", () => {
  const own = process.env.TZ;
  try {
    for (const zone of ['Asia/Kolkata', 'Pacific/Apia', 'America/St_Johns', 'Africa/Cairo', 'UTC']) {
      process.env.TZ = zone;
      assert.deepEqual(week('Mo-Fr 00:00-02:00, 23:30-24:00; Sa-Su 22:00-06:00').slice(4), [
        '12:00AM - 02:00AM, 11:30PM - 12:00AM',
        '10:00PM - 06:00AM',
        '10:00PM - 06:00AM',
      ]);
    }
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
});

const OSM = new URL('../../../../shared/data/feed/vancouver.geojson.gz', import.meta.url);
test('of a city of real values, more than nine in ten are hours and the rest have a reason', {
  skip: !existsSync(OSM) && 'no extract at hand',
}, () => {
  const features: { properties: { opening_hours?: string } }[] = JSON.parse(
    gunzipSync(readFileSync(OSM)).toString(),
  ).features;
  const values = features.flatMap(({ properties }) => properties.opening_hours ?? []);
  const read = values.map(parseOsmHours);
  assert.ok(read.filter(({ ok }) => ok).length > values.length * 0.92);
  for (const parsed of read) assert.ok(parsed.ok || parsed.reason.length > 0);
  assert.deepEqual(week('Su-Th 11:00-01:00; Fr-Sa 11:00-02:00').slice(3, 5), [
    '11:00AM - 01:00AM',
    '11:00AM - 02:00AM',
  ]);
});
