import type { Caller } from '../../access/accounts/account.ts';
import type { DeclineScope } from '../../access/budgets/budget.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';

export const DECLINE_MINUTES = 60;

/** The subject of a decline counter: a user_id, a card's fingerprint, or a key_id. */
export type DeclineSubject = { scope: DeclineScope; subject: string };

/** An attempt to charge or save a card. `card` is undefined while unknown, and `keyId` if a job ends the attempt. */
export type Attempt = Pick<Caller, 'accountId' | 'mode'> & {
  userId: string;
  card: string | undefined;
  keyId: string | undefined;
};

/**
 * Returns the subjects that an attempt counts toward. Declines in the sandbox are part of testing an app: they affect
 * no key, and no card, because only the listed test cards are declined there.
 */
export function subjectsOf({ mode, userId, card, keyId }: Attempt): DeclineSubject[] {
  const given: [DeclineScope, string | undefined][] = [
    ['user', userId === '' ? undefined : userId],
    ['card', mode === 'live' ? card : undefined],
    ['key', mode === 'live' ? keyId : undefined],
  ];
  return given.flatMap(([scope, subject]) => (subject === undefined ? [] : [{ scope, subject }]));
}

/** Returns a card's identity for decline counters: the gateway's fingerprint, if any, is the same under every token. */
export function cardOf({ fingerprint, gatewayToken }: { fingerprint: string | null; gatewayToken: string }): string {
  return fingerprint ?? gatewayToken;
}

export function countedSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ minutes: DECLINE_MINUTES });
}

/** The last limit to expire that blocks this attempt, `DECLINE_MINUTES` after the decline at `at`. */
export type DeclineBlock = { scope: DeclineScope; at: Temporal.Instant };

const SENTENCES: Readonly<Record<DeclineScope, string>> = {
  user: 'Too many cards were declined for this user within an hour.',
  card: 'Too many charges were declined for this card within an hour.',
  key: 'Most cards sent with this API key in the last hour were declined, which looks like card testing. Cards that your account has charged before still work.',
};

/** Creates a 429 `too_many_declines` (docs/payments.md#declined-cards). */
export function tooManyDeclines({ scope, at }: DeclineBlock, now: Temporal.Instant): Refusal {
  const freeAt = at.add({ minutes: DECLINE_MINUTES });
  const seconds = Math.max(1, Math.ceil(now.until(freeAt).total('seconds')));
  return new Refusal('too_many_declines', SENTENCES[scope], retryAfter(seconds));
}
