import fc from 'fast-check';
import { MINUTES_PER_DAY, type MinuteRange, type WeeklyHours } from '../../src/stores/hours.ts';

const aligned = (step: number) => fc.integer({ min: 0, max: MINUTES_PER_DAY / step - 1 }).map((n) => n * step);

/** A range as a feed can give it: its end, taken from a clock, runs into the next day when not after its start. */
function anyRange(step: number): fc.Arbitrary<MinuteRange> {
  return fc.tuple(aligned(step), aligned(step)).map(([startMinute, end]) => ({
    startMinute,
    endMinute: end > startMinute ? end : end + MINUTES_PER_DAY,
  }));
}

/** Weeks of zero to three ranges a day, overlapping, split, overnight and whole days among them. */
export function anyWeek(step = 5): fc.Arbitrary<WeeklyHours> {
  const day = fc.array(anyRange(step), { maxLength: 3 });
  return fc.tuple(day, day, day, day, day, day, day);
}
