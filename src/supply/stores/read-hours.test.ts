import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import OpeningHours from 'opening_hours';
import { runs } from '../../../test/runs.ts';
import { formatHours } from './format-hours.ts';
import { exceptionsOfRules } from './hours-rules.ts';
import { readHours } from './read-hours.ts';

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const week = (text: string): string[] => {
  const parsed = readHours(text);
  assert.ok(parsed.ok, `${text}: ${parsed.ok || parsed.reason}`);
  return Object.values(formatHours(parsed.hours));
};
const hoursOf = (text: string) => {
  const read = readHours(text);
  return read.ok && read.hours;
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
  for (const holidays of ['PH', 'holidays', 'Public Holidays', 'bank holidays', 'statutory holidays', 'jours fériés'])
    assert.deepEqual(week(`Mo-Su,${holidays} 11:00-23:00`), alike(7, '11:00AM - 11:00PM'), holidays);
  for (const holidays of ['Holidays', 'Holiday', 'PublicHolidays', 'Bank Holidays', 'jour férié']) {
    const read = readHours({ 'Mo-Su': '11AM-11PM', [holidays]: 'Closed' });
    assert.equal(read.ok && read.leftOut.length, 1, holidays);
  }
});

test('noon and midnight are times with AM and PM, and a comma may follow the days', () => {
  for (const text of ['Mo-Su noon-midnight', 'Daily 12 noon to 12 Midnight', 'Monday to Sunday, 12pm - midnight'])
    assert.deepEqual(week(text), alike(7, '12:00PM - 12:00AM'), text);
  assert.deepEqual(week('Mo-Fr, 10am-10pm; Sa, Su, closed'), alike(5, '10:00AM - 10:00PM'));
  for (const text of ['Mo-Su 17:00-midnight', 'noon', 'Mo-Su, , 10am-noon']) assert.ok(!readHours(text).ok, text);
});

test('hours that neither weekdays nor dates express, or that contradict themselves, are unknown with the position', () => {
  const reasons: [string, RegExp][] = [
    ['week 1-53/2 Mo 10:00-12:00', /"week 1-53/],
    ['Mo[1] 10:00-12:00', /"Mo\[1\]/],
    ['sunrise-sunset', /"sunrise-sunset"/],
    ['2026 Mo 10:00-12:00', /"2026/],
    ['11:00+', /"11:00\+"/],
    ['Mo-Fr 10:00-12:00 "by appointment"', /by appointment/],
    ['Mo-Fr 10:00-12:00 || Mo 14:00-15:00', /\|\|/],
    ['Mo-Sa 11:00-22:00 Su 12:00-21:00', /"Mo-Sa/],
    ['Mo-Sa 11:00-22:00 Su closed', /"Mo-Sa/],
    ['Mo 10:00-12:00 14:00-16:00', /"Mo 10/],
    ['Mo-Fr 09:00-22:00; Sa-Su', /"Sa-Su"/],
    ['Mo-Fr 11-9PM', /"Mo-Fr 11-9PM"/],
    ['Mo-Fr 9-17', /"Mo-Fr 9-17"/],
    ['Mo-Fr 11:00-9:00PM', /"Mo-Fr/],
    ['Mo 25:00-26:00', /"Mo 25/],
    ['Mo 10:61-12:00', /"Mo 10/],
    ['Mo 10:00-40:00', /"Mo 10/],
    ['Mo 17:00', /"Mo 17:00"/],
    ['Mo-Fr-Sa 10:00-12:00', /"Mo-Fr-Sa/],
    ['Mo off', /at no time/],
    ['Dec 25 off', /at no time/],
    ['PH off', /at no time/],
    ['PH off; SH 10:00-12:00;', /at no time/],
    ['', /empty/],
    [' ; ', /empty/],
    ['Mo 10:00-12:00;'.repeat(40), /255/],
  ];
  for (const [text, reason] of reasons) {
    const parsed = readHours(text);
    assert.ok(!parsed.ok, text);
    assert.match(parsed.reason, reason, text);
  }
});

test('a rule that only closes and cannot be expressed is dropped with a message, wherever it stands', () => {
  const weekly = 'Mo-Sa 10:00-20:00';
  for (const closing of [
    'PH off',
    'SH closed',
    'PH,SH off',
    'Mo[1] off',
    'week 1-10 off',
    'Su-PH off',
    '2026 off',
    'Dec 24-Jan off',
    'Nov Th[4] off',
    'Thanksgiving closed',
    'Dec 25 - late off "holidays"',
  ])
    for (const text of [`${weekly}; ${closing}`, `${closing}; ${weekly}`, `${weekly}, ${closing}`]) {
      const read = readHours(text);
      assert.ok(read.ok, `${text}: ${read.ok || read.reason}`);
      assert.deepEqual([read.hours, read.dated], [hoursOf(weekly), null], text);
      assert.match(read.leftOut.join(), /left out$/, text);
    }
  assert.deepEqual(week('Mo-Fr 10:00-12:00; Sa,Su off "gone fishing"'), alike(5, '10:00AM - 12:00PM'));
});

test('texts of a list add up, and closing texts apply last', () => {
  const lunch = readHours(['Mo-Fr 11:30-14:00', 'Mo-Fr 17:00-21:00', 'Su Closed']);
  assert.ok(lunch.ok);
  assert.deepEqual(Object.values(formatHours(lunch.hours)), alike(5, '11:30AM - 02:00PM, 05:00PM - 09:00PM'));
  const closed = readHours(['Su off', 'Mo-Su 10:00-20:00', 'Dec 24 10:00-12:00', 'Dec 25 off']);
  assert.ok(closed.ok && closed.dated);
  assert.deepEqual(Object.values(formatHours(closed.hours)), alike(6, '10:00AM - 08:00PM'));
  assert.deepEqual(
    exceptionsOfRules([{ channel: null, rules: closed.dated }], 2026).map(({ from, ranges }) => [from, ranges.length]),
    [
      ['2026-12-24', 1],
      ['2026-12-25', 0],
      ['2027-12-24', 1],
      ['2027-12-25', 0],
    ],
  );
  for (const list of [[], ['Mo 10:00-12:00', 7], ['Mo 10:00-12:00', 'Tu 10-ish'], Array(101).fill('Mo 10:00-12:00')])
    assert.equal(readHours(list).ok, false);
});

test('English and French weekdays, and times of 12 and of 24 hours, are read alike', () => {
  for (const text of [
    'Mon-Fri 11AM-9:30PM',
    'Monday - Friday: 11:00 a.m. – 9:30 p.m.',
    'Monday to Friday 11 am to 9:30 pm',
    'Mon, Tues, Wed, Thurs and Fri 11:00-21:30',
    'lundi-vendredi 11h-21h30',
    'Lundi au vendredi : 11 h à 21 h 30; samedi et dimanche fermé',
    'Daily 11:00-21:30; Sat-Sun closed',
  ])
    assert.deepEqual(week(text), alike(5, '11:00AM - 09:30PM'), text);
});

test('no text makes it throw', () => {
  const pieces = ['Mo', 'Su', 'PH', '-', ',', ';', ' ', '10:00', '02:00', '24/7', 'off', 'open', 'x', '9:5', '||', '"'];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string()), (value) => typeof readHours(value).ok === 'boolean'),
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
  const value = fc
    .array(fc.tuple(rule, fc.constantFrom('; ', ', ')), { minLength: 1, maxLength: 4 })
    .filter((rules) => rules.some(([each]) => !each.endsWith('off')));
  const property = fc.property(value, (rules) => {
    const text = rules.map(([each, separator], n) => (n === 0 ? each : separator + each)).join('');
    const parsed = readHours(text);
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
test('of a city of real values, more than 24 in 25 are hours and the rest have a reason', {
  skip: !existsSync(OSM) && 'no extract at hand',
}, () => {
  const features: { properties: { opening_hours?: string } }[] = JSON.parse(
    gunzipSync(readFileSync(OSM)).toString(),
  ).features;
  const values = features.flatMap(({ properties }) => properties.opening_hours ?? []);
  const read = values.map((value) => readHours(value));
  assert.ok(read.filter(({ ok }) => ok).length > values.length * 0.96);
  for (const parsed of read) assert.ok(parsed.ok || parsed.reason.length > 0);
  assert.deepEqual(week('Su-Th 11:00-01:00; Fr-Sa 11:00-02:00').slice(3, 5), [
    '11:00AM - 01:00AM',
    '11:00AM - 02:00AM',
  ]);
});

test('hours read the same without the space after their weekdays', () => {
  const days = fc.constantFrom('Mo', 'Mon', 'Monday', 'Mo-Fr', 'Mon-Fri', 'Sa,Su', 'Saturdays', 'Daily', 'Lundi');
  const times = fc.constantFrom('12:00-14:00', '9am-5pm', '24 hours', '09:00-12:00,13:00-17:00', '11:00-02:00');
  fc.assert(
    fc.property(days, times, (day, time) => {
      const [glued, spaced] = [readHours(`${day}${time}`), readHours(`${day} ${time}`)];
      assert.ok(spaced.ok && glued.ok, `${day}${time}`);
      assert.deepEqual(glued.hours, spaced.hours);
    }),
  );
});
