import assert from 'node:assert/strict';
import test from 'node:test';
import { dayOfDate, type HoursException, type MinuteRange, type WeeklyHours } from './hours.ts';
import { openRangesOfDay, type Schedule, scheduleOf } from './schedule.ts';

type Pair = [startMinute: number, endMinute: number];
const toRanges = (pairs: readonly Pair[]): MinuteRange[] =>
  pairs.map(([startMinute, endMinute]) => ({ startMinute, endMinute }));
const daily = (...pairs: Pair[]): WeeklyHours => {
  const day = toRanges(pairs);
  return [day, day, day, day, day, day, day];
};
const ALWAYS = daily([0, 1440]);
const NEVER = daily();
const on = (from: string, pairs: Pair[], more: Partial<HoursException> = {}): HoursException => ({
  from,
  to: from,
  ranges: toRanges(pairs),
  channel: null,
  ...more,
});

function scheduleWith(week: WeeklyHours | null, ...hoursExceptions: HoursException[]): Schedule {
  return scheduleOf(
    { hours: { operational: week, delivery: null, pickup: null, dine_in: null }, hoursExceptions },
    'operational',
  );
}

/** The dated days as [first, last, starts of the ranges]. */
const datedDays = ({ dated }: Schedule) =>
  dated.map(({ fromDay, toDay, ranges }) => [fromDay, toDay, ranges.map(({ startMinute }) => startMinute)]);

test('an exception of the channel wins over one of every channel, a later one over an earlier one', () => {
  const exceptions = [
    on('2026-12-25', [[600, 660]], { channel: 'delivery' }),
    on('2026-12-24', [[0, 60]], { to: '2026-12-26' }),
    on('2026-12-25', []),
  ];
  const hours = { operational: ALWAYS, delivery: null, pickup: ALWAYS, dine_in: NEVER };
  const openDates = (channel: 'delivery' | 'pickup') =>
    scheduleOf({ hours, hoursExceptions: exceptions }, channel).dated.map(
      ({ ranges }) => ranges[0]?.startMinute ?? null,
    );
  assert.deepEqual(openDates('delivery'), [0, 600, 0]);
  assert.deepEqual(openDates('pickup'), [0, null, 0]);
});

test('dates in a row with the same ranges are one, however they were given; a gap or other ranges part them', () => {
  const day = dayOfDate('2026-12-24');
  const given = [on('2026-12-24', []), on('2026-12-25', []), on('2026-12-26', [], { to: '2026-12-28' })];
  assert.deepEqual(datedDays(scheduleWith(ALWAYS, ...given)), [[day, day + 4, []]]);
  const parted = [
    ...given,
    on('2026-12-29', [[600, 660]]),
    on('2026-12-31', [[600, 660]]),
    on('2027-01-01', [[600, 660]]),
  ];
  assert.deepEqual(datedDays(scheduleWith(ALWAYS, ...parted.toReversed())), [
    [day, day + 4, []],
    [day + 5, day + 5, [600]],
    [day + 7, day + 8, [600]],
  ]);
});

test('dates are always open where consecutive days of their ranges leave no closed minute', () => {
  const cases: [Pair[], boolean][] = [
    [[[0, 1440]], true],
    [[[0, 1439]], false],
    [
      [
        [0, 720],
        [720, 1440],
      ],
      true,
    ],
    [
      [
        [0, 800],
        [100, 900],
      ],
      false,
    ],
    [[[600, 2040]], true],
    [[[600, 2039]], false],
    [[], false],
  ];
  for (const [pairs, always] of cases) {
    const [dated] = scheduleWith(NEVER, on('2026-12-25', pairs)).dated;
    assert.equal(dated?.always, always, JSON.stringify(pairs));
  }
});

test('a day’s open ranges are its own and the previous night’s; unknown hours have none', () => {
  const day = dayOfDate('2026-12-25');
  assert.deepEqual(openRangesOfDay(scheduleWith(null), day), []);
  const bar = scheduleWith(daily([1080, 1560]), on('2026-12-25', [[1320, 1500]]));
  assert.deepEqual(
    openRangesOfDay(bar, day - 1),
    toRanges([
      [-360, 120],
      [1080, 1560],
    ]),
  );
  assert.deepEqual(
    openRangesOfDay(bar, day),
    toRanges([
      [-360, 120],
      [1320, 1500],
    ]),
  );
  assert.deepEqual(
    openRangesOfDay(bar, day + 1),
    toRanges([
      [-120, 60],
      [1080, 1560],
    ]),
  );
});
