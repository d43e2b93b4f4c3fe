import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { runs } from '../../../test/runs.ts';
import { formatHours, formatMinute } from './format-hours.ts';
import { completeHours, WEEKDAYS, type WeeklyHours, weeklyHours } from './hours.ts';
import { readHours } from './read-hours.ts';
import { weekLineOf } from './schedule.ts';

function monday(text: unknown): unknown {
  const parsed = readHours({ Monday: text });
  return parsed.ok ? parsed.hours[0].map(({ startMinute, endMinute }) => [startMinute, endMinute]) : parsed.reason;
}

test('a range is minutes from midnight; noon and midnight are 12:00PM and 12:00AM', () => {
  assert.deepEqual(monday('11:00AM - 10:00PM'), [[660, 1320]]);
  assert.deepEqual(monday('12:00AM - 12:00PM'), [[0, 720]]);
  assert.deepEqual(monday('12:30PM - 12:30AM'), [[750, 1470]]);
});

test('a range whose end is not after its start runs into the next day; equal times are 24 hours', () => {
  assert.deepEqual(monday('11:00AM - 02:00AM'), [[660, 1560]]);
  assert.deepEqual(monday('11:00AM - 12:00AM'), [[660, 1440]]);
  assert.deepEqual(monday('07:00AM - 07:00AM'), [[420, 1860]]);
});

test('several ranges, closed, and open 24 hours are read in any letter case and spacing', () => {
  const split = [
    [660, 840],
    [1020, 1380],
  ];
  assert.deepEqual(monday('11:00AM - 02:00PM, 05:00PM - 11:00PM'), split);
  assert.deepEqual(monday(' 11:00 am-2:00pm ,5:00Pm  –  11:00\u00a0PM '), split);
  assert.deepEqual(monday('CLOSED '), []);
  assert.deepEqual(monday('open  24 Hours'), [[0, 1440]]);
});

test('a missing weekday is closed', () => {
  const parsed = readHours({ friday: '09:00AM - 05:00PM' });
  assert.ok(parsed.ok);
  assert.deepEqual(
    parsed.hours.map((ranges) => ranges.length),
    [0, 0, 0, 0, 1, 0, 0],
  );
});

test('a weekday in English or French, short or of null, and times of 24 hours or without minutes, are read', () => {
  const read = readHours({
    Mon: '11AM - 9PM',
    mardi: '11:00-22:00',
    'Wed-Fri': ['11:00-14:00', '17:00-22:00'],
    Su: null,
  });
  assert.ok(read.ok);
  assert.deepEqual(Object.values(formatHours(read.hours)), [
    '11:00AM - 09:00PM',
    '11:00AM - 10:00PM',
    ...Array(3).fill('11:00AM - 02:00PM, 05:00PM - 10:00PM'),
    'Closed',
    'Closed',
  ]);
  assert.deepEqual(readHours({ Monday: null }).ok, true);
  const holidays = readHours({ Monday: '11AM - 9PM', PublicHolidays: 'Closed' });
  assert.match(holidays.ok ? holidays.leftOut.join() : '', /PublicHolidays/);
});

test('23:59 is the end of the day', () => {
  for (const text of ['10:00-23:59', '10:00AM - 11:59PM']) assert.deepEqual(monday(text), [[600, 1440]]);
});

test('a malformed weekday is named, and nothing is thrown', () => {
  const malformed = ['', 'soon', '11 - 10', '13:00AM - 02:00PM', '00:00AM - 01:00AM', '11:60AM - 01:00PM'];
  malformed.push('11:00AM', 'Closed, 11:00AM - 01:00PM', '11:00AM - 01:00PM - 02:00PM', '11-9PM', '11:00-1:00PM');
  for (const text of [...malformed, 7, [], ['soon'], {}, 'x'.repeat(10_000)]) {
    const parsed = readHours({ Monday: 'Closed', Tuesday: text });
    assert.ok(!parsed.ok, String(text));
    assert.match(parsed.reason, /Tuesday/);
    assert.ok(parsed.reason.length < 200);
  }
  for (const odd of [{ Munday: 'Closed' }, { Sunday: 'Closed', sunday: 'Closed' }, null, 'all week', 3])
    assert.equal(readHours(odd).ok, false);
});

test('unknown hours are written as closed on every day', () => {
  assert.deepEqual(Object.keys(formatHours(null)), [...WEEKDAYS]);
  assert.deepEqual(new Set(Object.values(formatHours(null))), new Set(['Closed']));
});

const untilMidnight = (week: WeeklyHours) =>
  weeklyHours((day) =>
    (week[day] ?? []).map((range) =>
      range.endMinute % 1440 === 1439 ? { ...range, endMinute: range.endMinute + 1 } : range,
    ),
  );

test('written hours parse to the same hours', () => {
  // 23:59 is read as the end of the day.
  const property = fc.property(anyWeek(1).map(untilMidnight), (hours) => {
    const parsed = readHours(formatHours(hours));
    assert.ok(parsed.ok);
    assert.deepEqual(weekLineOf(parsed.hours), weekLineOf(hours));
    assert.deepEqual(formatHours(parsed.hours), formatHours(hours));
  });
  fc.assert(property, { numRuns: runs(1000) });
});

test('every minute of the day is written in five digits and a half of the day', () => {
  for (let minute = 0; minute < 2880; minute += 1) assert.match(formatMinute(minute), /^(0[1-9]|1[0-2]):[0-5]\d[AP]M$/);
});

test('an omitted channel follows operational; an unknown channel stays unknown', () => {
  const parsed = readHours({ Monday: 'Open 24 hours' });
  const hours = parsed.ok ? parsed.hours : null;
  assert.deepEqual(completeHours({ operational: hours, pickup: null }), {
    operational: hours,
    delivery: hours,
    pickup: null,
    dine_in: hours,
  });
  assert.equal(completeHours({}).delivery, null);
});

test('overlapping ranges are shown as given and computed as one', () => {
  const parsed = readHours({ Monday: '11:00AM - 03:00PM, 02:00PM - 05:00PM' });
  const hours = (parsed.ok ? parsed.hours : []) as WeeklyHours;
  assert.equal(formatHours(hours).Monday, '11:00AM - 03:00PM, 02:00PM - 05:00PM');
  assert.deepEqual(weekLineOf(hours).ranges, [{ startMinute: 660, endMinute: 1020 }]);
});

const FEED = new URL('../../../../shared/data/feed/bay-area.ndjson.gz', import.meta.url);
test('hours captured from 240 restaurants are all read', { skip: !existsSync(FEED) && 'no feed at hand' }, () => {
  const lines = gunzipSync(readFileSync(FEED)).toString().trim().split('\n');
  const captured = lines.map((line) => JSON.parse(line).hours?.operational).filter((hours) => hours !== undefined);
  assert.ok(captured.length > 200);
  for (const hours of captured) assert.ok(readHours(hours).ok, JSON.stringify(hours));
});
