import type { Caller } from '../../access/accounts/account.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { RateLimit, rateLimited } from '../../platform/load/rate-limit.ts';
import type { SharedCounters } from '../../platform/load/shared-counters.ts';
import type { RejectedCode } from '../pricing/promotion.ts';
import type { PromotionUser } from './promotion-user.ts';

/** Wrong codes in an hour of a user, a visitor's address, or an unplaced order. */
export const MAX_WRONG_CODES = 10;
/** Wrong codes in an hour of a key, which sends those of many users. */
export const MAX_WRONG_CODES_OF_KEY = 300;

/** Who sends codes, and how many may be wrong in an hour. */
export type Guesser = { name: string; limit: number };

/**
 * Whose wrong codes count: the visitor's at the address, or the key's; and those of the user and the unplaced order.
 * Customers on the hosted checkout, who share a caller, count by order alone.
 */
export function guessersOf(
  { accountId, mode, keyId, visitor }: Caller,
  user: PromotionUser | undefined,
  orderId: string | undefined,
): Guesser[] {
  const isVisitor = visitor?.isSingle === true;
  const sharesCaller = keyId.startsWith('checkout:');
  const small = [
    ...(isVisitor ? [`visitor ${keyId} ${visitor.name}`] : []),
    ...(user ? [`user ${mode} ${user.hash}`] : []),
    ...(orderId === undefined ? [] : [`order ${orderId}`]),
  ].map((name) => ({ name, limit: MAX_WRONG_CODES }));
  return isVisitor || sharesCaller
    ? small
    : [...small, { name: `key ${accountId} ${keyId}`, limit: MAX_WRONG_CODES_OF_KEY }];
}

/** The codes that count as wrong, of those that do not apply. */
export const wrongCodesOf = (rejected: readonly RejectedCode[] = []): string[] =>
  rejected.flatMap(({ code, reason }) => (reason === 'not_valid' ? [code] : []));

/** Bounds the guessing of promotion codes, on all workers of this node. */
export class CodeGuesses {
  private readonly wrong: RateLimit;
  /** Codes of requests that are being answered, which count as wrong until then. */
  private readonly underWay = new Map<string, number>();
  /** Resolves when the next of them ends. */
  private ended = Promise.withResolvers<void>();

  constructor({ clock, peers }: { clock: Clock; peers?: SharedCounters }) {
    this.wrong = new RateLimit({
      scope: 'wrong promotion codes',
      windowMs: 3_600_000,
      nowMs: () => elapsedMsOf(clock),
      ...(peers ? { peers } : {}),
    });
  }

  /** Tries codes, and counts those that are wrong. Refuses with rate_limited if any of the guessers has sent too many. */
  async try<Answer>(
    guessers: readonly Guesser[],
    codes: readonly string[],
    answer: () => Promise<Answer>,
    wrongOf: (answer: Answer) => readonly string[],
  ): Promise<Answer> {
    if (codes.length === 0) return answer();
    while (this.mustWait(guessers)) await this.ended.promise;
    this.addUnderWay(guessers, codes.length);
    try {
      const given = await answer();
      const wrong = wrongOf(given).filter((code) => codes.includes(code));
      for (const { name } of guessers) for (const _ of wrong) this.wrong.count(name);
      return given;
    } finally {
      this.addUnderWay(guessers, -codes.length);
      this.ended.resolve();
      this.ended = Promise.withResolvers();
    }
  }

  /** Whether codes under way may yet turn out to be too many wrong ones; refuses if there are too many already. */
  private mustWait(guessers: readonly Guesser[]): boolean {
    return guessers.some(({ name, limit }) => {
      const { count, leftMs } = this.wrong.read(name);
      if (count >= limit) throw rateLimited('Too many promotion codes were wrong.', { limit, count, leftMs });
      return count + (this.underWay.get(name) ?? 0) >= limit;
    });
  }

  private addUnderWay(guessers: readonly Guesser[], codes: number): void {
    for (const { name } of guessers) {
      const count = (this.underWay.get(name) ?? 0) + codes;
      if (count === 0) this.underWay.delete(name);
      else this.underWay.set(name, count);
    }
  }
}
