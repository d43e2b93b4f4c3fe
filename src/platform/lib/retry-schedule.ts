/** When failed attempts are retried. */
export type RetrySchedule = {
  /** Seconds before the second attempt, the third, and so on. */
  delaysSeconds: readonly number[];
  /**
   * After the list, its last delay repeats until the work is this old. Without it, the list's last attempt is final.
   */
  repeatsForHours?: number;
};

/** A failed attempt: `attempt` counts from 1, `since` is when the work was first due, `now` when the attempt failed. */
export type FailedAttempt = { attempt: number; since: Temporal.Instant; now: Temporal.Instant };

/** Maximum random delay, as a share of the scheduled one; spreads the retries of simultaneous failures. */
const JITTER = 0.1;

/** Returns when to retry; undefined for never. `chance` is from 0 to 1. */
export function nextAttemptAt(
  { delaysSeconds, repeatsForHours = 0 }: RetrySchedule,
  { attempt, since, now }: FailedAttempt,
  chance: number,
): Temporal.Instant | undefined {
  const isYoung = since.until(now).total('hours') < repeatsForHours;
  const seconds = delaysSeconds[attempt - 1] ?? (isYoung ? delaysSeconds.at(-1) : undefined);
  if (seconds === undefined) return undefined;
  return now.add({ milliseconds: Math.round(seconds * 1000 * (1 + JITTER * chance)) });
}
