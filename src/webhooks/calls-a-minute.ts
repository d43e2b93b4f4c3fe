import { Refusal } from '../http/refusal.ts';
import { createMinuteLimit } from '../lib/minute-limit.ts';
import { type Owner, ownerKey } from './webhook.ts';

/** What calls an endpoint because somebody asks for it, and not because an order has moved. */
const MOST_A_MINUTE = 10;
export const A_MINUTE_WORDS = `At most ${MOST_A_MINUTE} a minute for each account and kind of key.`;

/** Refuses with rate_limited what an owner asks for more than ten times a minute, on this node. */
export function createCallBound(): (owner: Owner, now: Temporal.Instant) => void {
  const take = createMinuteLimit(MOST_A_MINUTE);
  return (owner, now) => {
    const waitSeconds = take(ownerKey(owner), now);
    if (waitSeconds === undefined) return;
    const wait = String(waitSeconds);
    throw new Refusal('rate_limited', `${A_MINUTE_WORDS} Try again in ${wait} s.`, {
      headers: {
        'retry-after': wait,
        'ratelimit-limit': String(MOST_A_MINUTE),
        'ratelimit-remaining': '0',
        'ratelimit-reset': wait,
      },
    });
  };
}
