import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOpenSpec, weekdayHours } from './opening-specs.ts';

const spec = (opens: unknown, closes: unknown, days: unknown[] = ['Monday'], onlyForATime = false) =>
  readOpenSpec({ opens, closes, days, onlyForATime });
const monday = (opens: unknown, closes: unknown) => {
  const read = spec(opens, closes);
  return read.ok ? weekdayHours(read.ranges).Monday : read.reason;
};

test('times are read in the ways that sources write them', () => {
  assert.equal(monday('11:00', '22:00'), '11:00AM - 10:00PM');
  assert.equal(monday('T08:08:00', 'T20:00:00-05:00'), '08:08AM - 08:00PM');
  assert.equal(monday('9:30 am', '5 p.m.'), '09:30AM - 05:00PM');
  assert.equal(monday('18:00', '02:00'), '06:00PM - 02:00AM');
  assert.equal(monday('00:00', '23:59'), 'Open 24 hours');
  assert.equal(monday('00:00', '24:00'), 'Open 24 hours');
  assert.equal(monday('00:00', '00:00'), 'Closed');
  assert.equal(monday(undefined, undefined), 'Closed');
});

test('what is no regular weekly range gives the reason', () => {
  for (const [opens, closes] of [
    ['25:00', '26:00'],
    ['11:60', '12:00'],
    ['08:00Z', '09:00Z'],
    ['noon', '15:00'],
    [900, 1700],
    ['9', ''],
  ]) {
    assert.match(String(monday(opens, closes)), /no times/, `${opens}`);
  }
  assert.equal(spec('09:00', '17:00', ['PublicHolidays']).ok, false);
  assert.equal(spec('09:00', '17:00', ['']).ok, false);
  assert.equal(spec('09:00', '17:00', ['Monday'], true).ok, false);
});

test('days may be names, addresses or short, and none are all', () => {
  const read = spec('09:00', '17:00', ['MONDAY', 'https://schema.org/Tuesday', 'schema:Wednesday', 'Th', 'fri']);
  const week = read.ok ? weekdayHours(read.ranges) : {};
  assert.deepEqual(Object.values(week), [...Array(5).fill('09:00AM - 05:00PM'), 'Closed', 'Closed']);
  const all = spec('09:00', '17:00', []);
  assert.ok(all.ok && !Object.values(weekdayHours(all.ranges)).includes('Closed'));
});

test('a range within another one is said once', () => {
  const days = [0];
  const range = (from: number, to: number) => ({ days, startMinute: from * 60, endMinute: to * 60 });
  assert.equal(weekdayHours([range(11, 22), range(11, 22), range(12, 14)]).Monday, '11:00AM - 10:00PM');
  assert.equal(weekdayHours([range(11, 14), range(13, 22)]).Monday, '11:00AM - 02:00PM, 01:00PM - 10:00PM');
});
