import { Refusal } from '../http/refusal.ts';
import { createMinuteLimit } from '../lib/minute-limit.ts';
import { type Owner, ownerKey } from './webhook.ts';

/** Limit of calls that a person triggers (test, replay), beside the calls that events cause. */
const MAX_PER_MINUTE = 10;
export const A_MINUTE_WORDS = `At most ${MAX_PER_MINUTE} a minute for each account and kind of key.`;

/** Refuses with rate_limited the eleventh request of an owner within a minute, counted on this node. */
export function createCallLimit(): (owner: Owner, now: Temporal.Instant) => void {
  const take = createMinuteLimit(MAX_PER_MINUTE);
  return (owner, now) => {
    const waitSeconds = take(ownerKey(owner), now);
    if (waitSeconds === undefined) return;
    const wait = String(waitSeconds);
    throw new Refusal('rate_limited', `${A_MINUTE_WORDS} Try again in ${wait} s.`, {
      headers: {
        'retry-after': wait,
        'ratelimit-limit': String(MAX_PER_MINUTE),
        'ratelimit-remaining': '0',
        'ratelimit-reset': wait,
      },
    });
  };
}
