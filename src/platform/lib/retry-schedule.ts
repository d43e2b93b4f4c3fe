/** When a failed attempt is repeated, as data. */
export type RetrySchedule = {
  /** Seconds before the second attempt, before the third, and so on. */
  delaysSeconds: readonly number[];
  /** After the list its last delay repeats until the work is so old. Without it the attempt after the list is the last. */
  repeatsForHours?: number;
};

/** A failed attempt: its number, from 1 on, when the work was first due, and when the attempt failed. */
export type FailedAttempt = { attempt: number; since: Temporal.Instant; now: Temporal.Instant };

/** Spreads the retries of work that failed at the same moment: a delay is up to a tenth longer, and never shorter. */
const JITTER = 0.1;

/** When to try again; undefined: never. `chance` is from 0 to 1. */
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
