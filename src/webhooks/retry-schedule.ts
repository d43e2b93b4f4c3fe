/** Spreads the retries of many calls that failed at the same moment. */
const JITTER = 0.1;

/**
 * When to call again after a failed attempt, the first of which is number 1; undefined when the schedule is used up.
 * `chance`, from 0 to 1, delays by up to a tenth more than the schedule says, never less.
 */
export function nextAttemptAt(
  schedule: readonly number[],
  attempt: number,
  now: Temporal.Instant,
  chance: number,
): Temporal.Instant | undefined {
  const delayS = schedule[attempt - 1];
  if (delayS === undefined) return undefined;
  return now.add({ milliseconds: Math.round(delayS * 1000 * (1 + JITTER * chance)) });
}
