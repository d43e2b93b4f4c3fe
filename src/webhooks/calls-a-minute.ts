import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { createMinuteLimit } from '../lib/minute-limit.ts';
import { type Owner, ownerKey } from './webhook.ts';

/** Limit of calls that a person triggers (test, replay), beside the calls that events cause. */
const MAX_PER_MINUTE = 10;
export const A_MINUTE_WORDS = `At most ${MAX_PER_MINUTE} a minute for each account and kind of key.`;

/** Refuses with rate_limited the eleventh request of an owner within a minute, counted on this node. */
export function createCallLimit(clock: Clock): (owner: Owner) => void {
  const take = createMinuteLimit(MAX_PER_MINUTE, clock);
  return (owner) => {
    const waitSeconds = take(ownerKey(owner));
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
