import type { live } from '../../platform/languages/en/live.ts';
import type { Words } from '../../platform/languages/words.ts';

/** An expected time as a range of epoch seconds; both ends are equal for a single estimate. */
export type TimeRange = { earliestEpochS: number; latestEpochS: number };

/** The time in which an order is prepared, in epoch seconds. */
export type Preparation = { fromEpochS: number; toEpochS: number };

/** Limit in minutes of a countdown. A later time is shown as a time of day. */
const MAX_COUNTDOWN_MINUTES = 90;
const LATE_AFTER_MINUTES = 5;

/**
 * How long still, in words, such as `12–22 min`; empty while the time of day says it better. Runs in the browser too,
 * which counts on between two messages: no `Temporal` here.
 */
export function minutesLeft(
  { earliestEpochS, latestEpochS }: TimeRange,
  nowEpochS: number,
  words: Words<typeof live>,
): string {
  const from = Math.ceil((earliestEpochS - nowEpochS) / 60);
  const to = Math.ceil((latestEpochS - nowEpochS) / 60);
  if (to > MAX_COUNTDOWN_MINUTES) return '';
  if (to <= -LATE_AFTER_MINUTES) return words.late;
  if (to < 1) return words.anyMinute;
  if (to === from) return words.minutes({ count: to });
  return from < 1 ? words.minutesWithin({ to }) : words.minutesBetween({ from, to });
}

/** How much of the preparation has passed, in percent; it is an estimate, so never nothing, and never all. */
export function preparedPercent({ fromEpochS, toEpochS }: Preparation, nowEpochS: number): number {
  const percent = (100 * (nowEpochS - fromEpochS)) / Math.max(1, toEpochS - fromEpochS);
  return Math.round(Math.min(95, Math.max(5, percent)));
}
