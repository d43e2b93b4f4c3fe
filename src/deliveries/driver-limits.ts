import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { createMinuteLimit } from '../lib/minute-limit.ts';

/** A phone reports every two to five seconds, and once more after each dead spot. */
export const POSITIONS_A_MINUTE = 120;
/** Reads and steps: the page reads its state every 15 seconds. */
export const CALLS_A_MINUTE = 120;
export const PHOTOS_A_MINUTE = 10;

/** Counts a call of a link; refuses with rate_limited where the link has no call left in this minute. */
export type CountCall = (token: string) => void;

/** Counts the calls of each link, on one node. */
export function countCalls(maxCalls: number, clock: Clock): CountCall {
  const take = createMinuteLimit(maxCalls, clock);
  return (token) => {
    const seconds = take(token);
    if (seconds === undefined) return;
    throw new Refusal('rate_limited', `At most ${maxCalls} of these calls a minute are possible with one link.`, {
      headers: { 'retry-after': String(seconds) },
    });
  };
}
