const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 15 * 60;
/** A message is about one dinner: after a day nobody waits for it any more. */
const GIVE_UP_AFTER_HOURS = 24;
/** So that one that was found late, because no worker ran, gets its chances all the same. */
const LEAST_ATTEMPTS = 10;

export type FailedMessage = { attempts: number; createdAt: Temporal.Instant };

/**
 * When a message that could not be sent is tried again: 5 s, 10 s, 20 s and so on up to 15 minutes, each with up to a
 * quarter more by `chance` (0 to 1), so that not all come back at once. Undefined when it is given up.
 */
export function nextAttemptOf(
  message: FailedMessage,
  now: Temporal.Instant,
  chance: number,
): Temporal.Instant | undefined {
  const ageHours = message.createdAt.until(now).total('hours');
  if (ageHours >= GIVE_UP_AFTER_HOURS && message.attempts >= LEAST_ATTEMPTS) return undefined;
  const doublings = Math.min(message.attempts - 1, 20);
  const pauseS = Math.min(FIRST_PAUSE_S * 2 ** doublings, LONGEST_PAUSE_S);
  return now.add({ milliseconds: Math.round(pauseS * (1 + chance / 4) * 1000) });
}
