import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangesOfWeek, weekdayHours } from './opening-specs.ts';

type Spec = { opens: unknown; closes: unknown; days: readonly unknown[] };
const weekOf = (...specs: Spec[]) => {
  const warnings: string[] = [];
  const ranges = rangesOfWeek(specs, (_, message) => warnings.push(message));
  return { week: ranges && Object.values(weekdayHours(ranges)), warnings };
};
const spec = (opens: unknown, closes: unknown, days: unknown[] = ['Monday']) => ({ opens, closes, days });
const monday = (opens: unknown, closes: unknown) => {
  const { week, warnings } = weekOf(spec(opens, closes), spec('10:00', '12:00', ['Tuesday']));
  return week?.[0] ?? warnings[0];
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

test('hours outside a regular weekly range give the reason', () => {
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
  assert.equal(weekOf(spec('09:00', '17:00', [''])).week, null);
});

test('days may be names, addresses, ranges, lists or short, and none are all', () => {
  const open = (...days: unknown[]) =>
    weekOf(spec('09:00', '17:00', days))
      .week?.map((day) => (day === 'Closed' ? '-' : 'o'))
      .join('');
  assert.equal(open('MONDAY', 'https://schema.org/Tuesday', 'schema:Wednesday', 'Th', 'fri'), 'ooooo--');
  assert.equal(open('Mo-Fr'), 'ooooo--');
  assert.equal(open('Saturday-Monday'), 'o----oo');
  assert.equal(open('Monday, Wednesday', 'lundi, dimanche'), 'o-o---o');
  assert.equal(open(), 'ooooooo');
});

test('only public holidays are dropped, each with a warning', () => {
  const both = weekOf(spec('09:00', '17:00', ['Saturday', 'https://schema.org/PublicHolidays']));
  assert.deepEqual([both.week?.[5], both.week?.[6], both.warnings.length], ['09:00AM - 05:00PM', 'Closed', 1]);
  const alone = weekOf(spec('09:00', '17:00', ['Su']), spec('00:00', '00:00', ['PublicHolidays']));
  assert.deepEqual([alone.week?.[0], alone.week?.[6], alone.warnings.length], ['Closed', '09:00AM - 05:00PM', 1]);
});

test('a week with an unreadable specification is unknown; a specification that only closes is dropped', () => {
  const usual = spec('09:00', '17:00', ['Mo-Fr']);
  for (const odd of [spec('9-ish', '17:00', ['Saturday']), spec('09:00', '17:00', ['Caturday'])]) {
    const read = weekOf(usual, odd);
    assert.equal(read.week, null);
    assert.match(read.warnings.join(), /left unknown$/);
  }
  const closed = weekOf(usual, spec('00:00', '00:00', ['Caturday']));
  assert.deepEqual([closed.week?.[0], closed.warnings.length], ['09:00AM - 05:00PM', 1]);
  assert.equal(weekOf().week, undefined);
  assert.equal(weekOf(spec('00:00', '00:00', ['PublicHolidays'])).week, undefined);
  assert.equal(weekOf(spec('00:00', '00:00', ['Su'])).week, undefined);
  assert.deepEqual(new Set(weekOf(spec('00:00', '00:00', [])).week), new Set(['Closed']));
});

test('a day’s ranges add up, and overlapping ranges merge', () => {
  const days = [0];
  const range = (from: number, to: number) => ({ days, startMinute: from * 60, endMinute: to * 60 });
  assert.equal(weekdayHours([range(11, 22), range(11, 22), range(12, 14)]).Monday, '11:00AM - 10:00PM');
  assert.equal(weekdayHours([range(11, 14), range(13, 22)]).Monday, '11:00AM - 10:00PM');
  assert.equal(weekdayHours([range(17, 22), range(11, 14)]).Monday, '11:00AM - 02:00PM, 05:00PM - 10:00PM');
});
