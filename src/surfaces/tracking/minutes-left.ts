import type { TimeRange } from '../../ordering/order/kitchen-times.ts';
import type { Words } from '../../platform/languages/words.ts';
import type { live } from '../../texts/en/live.ts';

/** Start and end of an order's preparation, in epoch seconds. */
export type PreparationTime = { fromEpochS: number; toEpochS: number };

/** Maximum minutes of a countdown; a later time is shown as a time of day. */
const MAX_COUNTDOWN_MINUTES = 90;
/** Minutes until a past time is late. */
export const LATE_AFTER_MINUTES = 5;

/**
 * Returns the remaining minutes, such as `12–22 min`; empty beyond the maximum. Also runs in the browser, which counts
 * down between messages, so `Temporal` is not used.
 */
export function minutesLeft({ earliestEpochS, latestEpochS }: TimeRange, nowEpochS: number, words: Words<typeof live>) {
  const from = Math.ceil((earliestEpochS - nowEpochS) / 60);
  const to = Math.ceil((latestEpochS - nowEpochS) / 60);
  if (to > MAX_COUNTDOWN_MINUTES) return '';
  if (to <= -LATE_AFTER_MINUTES) return words.late;
  if (to < 1) return words.anyMinute;
  if (to === from) return words.minutes({ count: to });
  return from < 1 ? words.minutesWithin({ to }) : words.minutesBetween({ from, to });
}

/** Returns the elapsed share of the preparation, in percent. It is an estimate, so never 0 or 100. */
export function preparedPercent({ fromEpochS, toEpochS }: PreparationTime, nowEpochS: number): number {
  const percent = (100 * (nowEpochS - fromEpochS)) / Math.max(1, toEpochS - fromEpochS);
  return Math.round(Math.min(95, Math.max(5, percent)));
}
