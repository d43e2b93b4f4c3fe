/** An expected time as a range of epoch seconds; both ends are equal for a single estimate. */
export type Expected = { earliestEpochS: number; latestEpochS: number };

/** The time in which an order is prepared, in epoch seconds. */
export type Preparation = { fromEpochS: number; toEpochS: number };

/** Further away than this, a time of day says more than minutes. */
const LONGEST_COUNTDOWN_MINUTES = 90;
const LATE_AFTER_MINUTES = 5;

/**
 * How long still, in words, such as `12–22 min`; empty while the time of day says it better. Runs in the browser too,
 * which counts on between two messages: no `Temporal` here.
 */
export function minutesLeft({ earliestEpochS, latestEpochS }: Expected, nowEpochS: number): string {
  const least = Math.ceil((earliestEpochS - nowEpochS) / 60);
  const most = Math.ceil((latestEpochS - nowEpochS) / 60);
  if (most > LONGEST_COUNTDOWN_MINUTES) return '';
  if (most <= -LATE_AFTER_MINUTES) return 'Running late';
  if (most < 1) return 'Any minute now';
  if (most === least) return `${most} min`;
  return least < 1 ? `Within ${most} min` : `${least}–${most} min`;
}

/** How much of the preparation has passed, in percent; it is an estimate, so never nothing, and never all. */
export function preparedPercent({ fromEpochS, toEpochS }: Preparation, nowEpochS: number): number {
  const percent = (100 * (nowEpochS - fromEpochS)) / Math.max(1, toEpochS - fromEpochS);
  return Math.round(Math.min(95, Math.max(5, percent)));
}
