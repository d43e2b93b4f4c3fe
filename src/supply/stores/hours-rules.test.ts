import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import OpeningHours from 'opening_hours';
import { runs } from '../../../test/runs.ts';
import { daysBetween, type HoursException, type MinuteRange, weekdayOfDay } from './hours.ts';
import { exceptionsOfRules } from './hours-rules.ts';
import { type HoursReading, readHours } from './read-hours.ts';

const readable = (text: string) => {
  const read = readHours(text);
  assert.ok(read.ok, `${text}: ${read.ok || read.reason}`);
  return read;
};
const exceptionsIn = (year: number, read: HoursReading): HoursException[] =>
  read.ok && read.dated ? exceptionsOfRules([{ channel: null, rules: read.dated }], year) : [];
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const timesOf = (ranges: readonly MinuteRange[] = []) =>
  ranges.map((range) => `${clock(range.startMinute)}-${clock(range.endMinute)}`).join() || 'off';
/** The exceptions of a value, such as `2026-12-24..2026-12-26 10:00-14:00`. */
const dates = (text: string, year = 2026) =>
  exceptionsIn(year, readable(text)).map(
    ({ from, to, ranges }) => `${from === to ? from : `${from}..${to}`} ${timesOf(ranges)}`,
  );
const sameWeek = (text: string, weekly: string) => {
  const plain = readHours(weekly);
  assert.ok(plain.ok);
  assert.deepEqual(readable(text).hours, plain.hours, text);
};

test('dates with a year, and dates of every year in the year of the import and the next', () => {
  const week = 'Mo-Su 09:00-20:00; ';
  assert.deepEqual(dates(`${week}Dec 25 off`), ['2026-12-25 off', '2027-12-25 off']);
  assert.deepEqual(dates(`${week}2026 Dec 24-26 10:00-14:00`), ['2026-12-24..2026-12-26 10:00-14:00']);
  assert.deepEqual(dates(`${week}Dec 24,31 09:00-13:00; Dec 25,26,Jan 1 off`, 2027).slice(0, 3), [
    '2027-01-01 off',
    '2027-12-24 09:00-13:00',
    '2027-12-25..2027-12-26 off',
  ]);
  assert.deepEqual(dates(`${week}Dec 31-Jan 2: off`), [
    '2026-01-01..2026-01-02 off',
    '2026-12-31..2027-01-02 off',
    '2027-12-31 off',
  ]);
  assert.deepEqual(dates(`${week}2026 Dec 31-2027 Jan 2 off`), ['2026-12-31..2027-01-02 off']);
  assert.deepEqual(dates(`${week}Feb 29 off`, 2027), ['2028-02-29 off']);
  assert.deepEqual(dates(`${week}2026-12-25: Closed; 2026-12-31,2027-01-02 09:00-13:00`), [
    '2026-12-25 off',
    '2026-12-31 09:00-13:00',
    '2027-01-02 09:00-13:00',
  ]);
  for (const span of ['2026-12-24-2027-01-02', '2026-12-24 – 2027-01-02', '2026-12-24 to 2027-01-02'])
    assert.deepEqual(dates(`${week}${span} off`), ['2026-12-24..2027-01-02 off'], span);
  assert.deepEqual(dates(`${week}2030 Dec 25 off`), []);
  assert.deepEqual(dates(`${week}easter off; easter -2 days 10:00-12:00`), [
    '2026-04-03 10:00-12:00',
    '2026-04-05 off',
    '2027-03-26 10:00-12:00',
    '2027-03-28 off',
  ]);
  sameWeek(`${week}Dec 25 off`, 'Mo-Su 09:00-20:00');
});

test('months, weekdays of months and seasons; a value of only dates is closed on all others', () => {
  assert.deepEqual(dates('Mo-Su 10:00-17:00; Jan,May off').slice(0, 2), [
    '2026-01-01..2026-01-31 off',
    '2026-05-01..2026-05-31 off',
  ]);
  assert.deepEqual(dates('Mo-Fr 10:00-17:00; Dec Sa 11:00-15:00').slice(0, 2), [
    '2026-12-05 11:00-15:00',
    '2026-12-12 11:00-15:00',
  ]);
  assert.deepEqual(dates('May-Nov: Mo-Su 08:00-18:00'), [
    '2026-05-01..2026-11-30 08:00-18:00',
    '2027-05-01..2027-11-30 08:00-18:00',
  ]);
  sameWeek('May-Nov: Mo-Su 08:00-18:00', 'off');
  assert.deepEqual(dates('Mo-Fr 18:00-02:00; Dec 24 18:00-03:00'), [
    '2026-12-24 18:00-27:00',
    '2027-12-24 18:00-27:00',
  ]);
});

test('a date with the week’s hours is no exception', () => {
  assert.deepEqual(dates('Mo-Fr 09:00-17:00; Dec 26 off', 2026), []);
  assert.deepEqual(dates('Mo-Fr 09:00-17:00; Dec 25 09:00-17:00'), ['2027-12-25 09:00-17:00']);
});

test('rules for holidays are left out and told, and the week holds without them', () => {
  const assertRead = (text: string, weekly: string, ...leftOut: string[]) => {
    sameWeek(text, weekly);
    const expected = leftOut.map(
      (rule) => `expected no holidays (PH, SH), whose dates are not guessed: ${JSON.stringify(rule)}; left out`,
    );
    assert.deepEqual([readable(text).leftOut, readable(text).dated], [expected, null]);
  };
  assertRead('Mo-Fr 09:00-17:00; PH off', 'Mo-Fr 09:00-17:00', 'PH off');
  assertRead('Mo-Fr 09:00-17:00, PH Off', 'Mo-Fr 09:00-17:00', 'PH Off');
  assertRead('Mo-Sa 10:00-20:00; Su,PH 12:00-18:00', 'Mo-Sa 10:00-20:00; Su 12:00-18:00', 'Su,PH 12:00-18:00');
  assertRead('PH,SH,Sa off; Mo-Fr 10:00-18:00', 'Mo-Fr 10:00-18:00', 'PH,SH,Sa off');
  assertRead('Mo-Su 07:00-22:00; PH 09:00-15:00; SH off', 'Mo-Su 07:00-22:00', 'PH 09:00-15:00', 'SH off');
  assertRead('Mo-Su,PH 11:00-23:00', 'Mo-Su 11:00-23:00');
  assertRead('PH,Mo-Su 11:00-23:00', 'Mo-Su 11:00-23:00');
  assert.deepEqual(dates('Mo-Su 07:00-22:00; PH off; Dec 25 off'), ['2026-12-25 off', '2027-12-25 off']);
});

test('hours that weeks and dates can’t express, or that contradict themselves, stay unknown as a whole', () => {
  const week = 'Mo-Fr 09:00-17:00; ';
  for (const text of [
    `${week}PH Su 10:00-12:00`,
    `${week}PH -1 day 07:00-12:00`,
    `${week}week 1-12/2 10:00-12:00`,
    `${week}Nov-Dec 17 10:00-12:00`,
    `${week}Dec 32 10:00-12:00`,
    `${week}Feb 30 10:00-12:00`,
    `${week}2026-13-01 10:00-12:00`,
    `${week}2026-02-30 10:00-12:00`,
    `${week}2026-12 10:00-12:00`,
    `${week}2026-12-25T10:00-12:00`,
    `${week}Dec 25`,
    `${week}Dec Su[1] 10:00-12:00`,
    `${week}Dec 24 10:00+`,
    `${week}Dec 24 sunrise-sunset`,
    `${week}2027 Dec 25-2026 Jan 2 10:00-12:00`,
    `${week}Dec 25 10:00-12:00 "late"`,
    `${'Dec 25 off; '.repeat(30)}Mo-Fr 09:00-17:00`,
  ])
    assert.ok(!readHours(text).ok, text);
});

test('rules joined by commas add to the week or to a date', () => {
  assert.deepEqual(dates('Mo-Fr 09:00-17:00, Dec 25 off').slice(0, 1), ['2026-12-25 off']);
  assert.deepEqual(dates('Mo-Fr 09:00-17:00, Dec 24 18:00-20:00; Dec 25 off').slice(0, 2), [
    '2026-12-24 09:00-17:00,18:00-20:00',
    '2026-12-25 off',
  ]);
});

test('dates beyond a store’s limit are kept for one year', () => {
  const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
  const text = days.map((day, n) => `Jan-Dec: ${day} 08:00-${10 + n}:00`).join('; ');
  const found = exceptionsIn(2026, readable(text));
  assert.deepEqual([found.length, found.at(-1)?.to], [365, '2026-12-31']);
});

test('no text makes it throw', () => {
  const pieces = [
    'Mo',
    'PH',
    'SH',
    '-',
    ',',
    ';',
    ' ',
    '10:00-12:00',
    'off',
    'Dec',
    '25',
    '2026',
    'easter',
    ':',
    '+',
    '||',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
  const read = (value: string) => {
    const hours = readHours(value);
    return hours.ok ? exceptionsIn(2026, hours).length <= 500 : typeof hours.reason === 'string';
  };
  fc.assert(fc.property(fc.oneof(text, fc.string()), read), { numRuns: runs(300) });
});

/** The library's result for each date of two years, for values without ranges past midnight. */
function libraryDays(text: string): Map<number, string> {
  const days = new Map<number, string[]>();
  const intervals = new OpeningHours(text, null, 0).getOpenIntervals(new Date(2026, 0, 1), new Date(2028, 0, 1));
  for (const [from, to] of intervals) {
    const day = Date.UTC(from.getFullYear(), from.getMonth(), from.getDate()) / 86_400_000;
    const times = `${clock(from.getHours() * 60 + from.getMinutes())}-${clock(to.getHours() * 60 + to.getMinutes())}`;
    days.set(day, [...(days.get(day) ?? []), times]);
  }
  return new Map([...days].map(([day, times]) => [day, times.join()]));
}

test('a range up to the end of February holds its days, in years without the 29th too', () => {
  const closed = exceptionsIn(2026, readable('Mo-Su 08:00-10:00; Feb 1-28 off'));
  assert.deepEqual(
    closed.map(({ from, to, ranges }) => [from, to, ranges]),
    [
      ['2026-02-01', '2026-02-28', []],
      ['2027-02-01', '2027-02-28', []],
    ],
  );
});

/** In a non-leap year the library parses no range that ends on February 28 or 29. */
const lastDay = (month: string) => (month === 'Feb' ? 27 : 29);

test('where no range passes midnight, every date of two years is open as the opening_hours library says', () => {
  const time = fc
    .uniqueArray(fc.integer({ min: 1, max: 1438 }), { minLength: 2, maxLength: 2 })
    .map((all) => all.sort((a, b) => a - b))
    .map(([a = 0, b = 0]) => `${clock(a)}-${clock(b)}`);
  const hours = fc.oneof(time, fc.constant('off'));
  const month = fc.constantFrom('Jan', 'Feb', 'Apr', 'Jul', 'Nov', 'Dec');
  const day = fc.integer({ min: 1, max: 28 });
  const year = fc.constantFrom('', '', '2026 ', '2027 ');
  const weekdays = fc.constantFrom('', '', 'Mo-Fr ', 'Sa,Su ');
  const on = fc.oneof(
    fc.tuple(year, month, day).map(([y, m, d]) => `${y}${m} ${d}`),
    fc
      .tuple(month, day, day)
      .map(([m, a, b]) => `${m} ${Math.min(a, b, lastDay(m) - 1)}-${Math.min(Math.max(a, b) + 1, lastDay(m))}`),
    fc.tuple(month, day, month, day).map(([m, a, n, b]) => (m === n ? `${m} ${a}` : `${m} ${a}-${n} ${b}`)),
    month,
    fc.constantFrom('easter', 'easter -2 days', 'easter +1 day'),
  );
  const dated = fc.tuple(on, weekdays, hours).map(([date, days, rest]) => `${date} ${days}${rest}`);
  const weekly = fc.tuple(fc.constantFrom('Mo-Su', 'Mo-Fr', 'Sa-Mo'), time).map((parts) => parts.join(' '));
  const value = fc.tuple(weekly, fc.array(fc.oneof(dated, dated, weekly), { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(value, ([first, rest]) => {
      const text = [first, ...rest].join('; ');
      const read = readable(text);
      const byDay = new Map<number, readonly MinuteRange[]>();
      for (const { from, to, ranges } of exceptionsIn(2026, read))
        for (const one of daysBetween(from, to)) byDay.set(one, ranges);
      const library = libraryDays(text);
      for (const one of daysBetween('2026-01-01', '2027-12-31'))
        assert.equal(
          timesOf(byDay.get(one) ?? read.hours[weekdayOfDay(one)]),
          library.get(one) ?? 'off',
          `${text} ${one}`,
        );
    }),
    { numRuns: runs(60) },
  );
});

const FEEDS = ['vancouver', 'ottawa-groceries'].map(
  (name) => new URL(`../../../../shared/data/feed/${name}.geojson.gz`, import.meta.url),
);
const skip = FEEDS.every((file) => existsSync(file)) ? false : 'The real places are not beside the clone.';

/** Values of a real file by outcome. */
function countsOf(file: URL | undefined): Record<string, number> {
  const { features }: { features: { properties: { opening_hours?: string } }[] } = JSON.parse(
    gunzipSync(readFileSync(file ?? '')).toString(),
  );
  const read = features.flatMap(({ properties }) => properties.opening_hours ?? []).map((value) => readHours(value));
  return {
    values: read.length,
    unknown: read.filter(({ ok }) => !ok).length,
    withRulesLeftOut: read.filter((one) => one.ok && one.leftOut.length > 0).length,
    withDates: read.filter((one) => one.ok && one.dated !== null).length,
  };
}

test('of two cities of real values, 36 of 1,191 are unknown', { skip }, () => {
  const [vancouver, ottawa] = FEEDS.map(countsOf);
  assert.deepEqual(vancouver, { values: 1088, unknown: 35, withRulesLeftOut: 40, withDates: 1 });
  assert.deepEqual(ottawa, { values: 103, unknown: 1, withRulesLeftOut: 3, withDates: 1 });
  assert.equal(dates('Tu-Sa 10:00-17:00; Su-Mo off; Jan,May,Sep off')[0], '2026-01-01..2026-01-03 off');
});
