const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 15 * 60;
/** A message about an order is useless after a day. */
const GIVE_UP_AFTER_HOURS = 24;
/** Attempts that every message gets, also a message that no worker could send for a long time. */
const MIN_ATTEMPTS = 10;

export type FailedMessage = { attempts: number; createdAt: Temporal.Instant };

/**
 * The time of the next attempt to send a message: after 5 s, 10 s, 20 s and so on up to 15 minutes. `chance` (0 to 1)
 * adds up to a quarter, so that many messages do not come back at once. Undefined when the message is given up.
 */
export function nextAttemptOf(
  message: FailedMessage,
  now: Temporal.Instant,
  chance: number,
): Temporal.Instant | undefined {
  const ageHours = message.createdAt.until(now).total('hours');
  if (ageHours >= GIVE_UP_AFTER_HOURS && message.attempts >= MIN_ATTEMPTS) return undefined;
  const doublings = Math.min(message.attempts - 1, 20);
  const pauseS = Math.min(FIRST_PAUSE_S * 2 ** doublings, LONGEST_PAUSE_S);
  return now.add({ milliseconds: Math.round(pauseS * (1 + chance / 4) * 1000) });
}
