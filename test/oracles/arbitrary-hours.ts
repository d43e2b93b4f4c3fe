import fc from 'fast-check';
import {
  type HoursException,
  MINUTES_PER_DAY,
  type MinuteRange,
  type WeeklyHours,
} from '../../src/supply/stores/hours.ts';

const aligned = (step: number) => fc.integer({ min: 0, max: MINUTES_PER_DAY / step - 1 }).map((n) => n * step);

/** A range as in a feed: a clock time at or before its start ends on the next day. */
function anyRange(step: number): fc.Arbitrary<MinuteRange> {
  return fc.tuple(aligned(step), aligned(step)).map(([startMinute, end]) => ({
    startMinute,
    endMinute: end > startMinute ? end : end + MINUTES_PER_DAY,
  }));
}

/** Weeks of zero to three ranges a day, including overlapping, split, overnight and all-day ones. */
export function anyWeek(step = 5): fc.Arbitrary<WeeklyHours> {
  const day = fc.array(anyRange(step), { maxLength: 3 });
  return fc.tuple(day, day, day, day, day, day, day);
}

/** Exceptions around a date: closed, all-day, overnight, several ranges, for one channel or all, overlapping. */
export function anyExceptions(near: string, step = 5, reachDays = 4): fc.Arbitrary<HoursException[]> {
  const date = Temporal.PlainDate.from(near);
  const ranges = fc.oneof(
    fc.constant([]),
    fc.constant([{ startMinute: 0, endMinute: MINUTES_PER_DAY }]),
    fc.array(anyRange(step), { minLength: 1, maxLength: 3 }),
  );
  const exception = fc.record({
    offset: fc.integer({ min: -reachDays, max: reachDays }),
    days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 * reachDays })),
    ranges,
    channel: fc.constantFrom(null, null, 'operational' as const, 'delivery' as const),
  });
  return fc.array(
    exception.map(({ offset, days, ...rest }) => {
      const from = date.add({ days: offset });
      return { ...rest, from: from.toString(), to: from.add({ days: days - 1 }).toString() };
    }),
    { maxLength: 5 },
  );
}
