import type { Caller } from '../../access/accounts/account.ts';
import type { Context } from '../../platform/db/context.ts';
import { rateLimited } from '../../platform/load/rate-limit.ts';
import type { RejectedCode } from '../pricing/promotion.ts';
import { countGuesses, findUnknownCodes, GUESS_HOURS, type Guesses, insertGuesses } from './code-guesses.db.ts';
import type { PromotionUser } from './promotion-user.ts';

/** Wrong codes in an hour of a user, a visitor's address, or an unplaced order. */
export const MAX_WRONG_CODES = 10;
/** Wrong codes in an hour of a key, which sends those of many users. */
export const MAX_WRONG_CODES_OF_KEY = 300;

/** Who sends codes, and how many that do not exist in an hour. A key sends those of many users. */
export type Guesser = { name: string; limit: number; isKey?: true };

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
    ...(user ? [`user ${mode} ${user.userHash ?? user.phoneHash ?? user.emailHash}`] : []),
    ...(orderId === undefined ? [] : [`order ${orderId}`]),
  ].map((name) => ({ name, limit: MAX_WRONG_CODES }));
  return isVisitor || sharesCaller
    ? small
    : [...small, { name: `key ${accountId} ${keyId}`, limit: MAX_WRONG_CODES_OF_KEY, isKey: true }];
}

/** The codes that count as wrong, of those that do not apply. */
export const wrongCodesOf = (rejected: readonly RejectedCode[] = []): string[] =>
  rejected.flatMap(({ code, reason }) => (reason === 'not_valid' ? [code] : []));

/** Limits the guessing of promotion codes, on all nodes: codes that do not exist count, each once. */
export class CodeGuesses {
  private readonly deps: Context;
  /** Codes of requests that are being answered, which count as wrong until then. */
  private readonly underWay = new Map<string, number>();
  /** Resolves when the next of them ends. */
  private ended = Promise.withResolvers<void>();

  constructor(deps: Context) {
    this.deps = deps;
  }

  /**
   * Tries codes, and counts nonexistent ones. Refuses with rate_limited if a user, a visitor or an order has sent too
   * many; a key serves many users, and is refused only further nonexistent codes.
   */
  async try<Answer>(
    { accountId, guessers }: { accountId: string; guessers: readonly Guesser[] },
    codes: readonly string[],
    answer: () => Promise<Answer>,
    wrongOf: (answer: Answer) => readonly string[],
  ): Promise<Answer> {
    if (codes.length === 0) return answer();
    const { db, clock } = this.deps;
    const people = guessers.filter(({ isKey }) => !isKey);
    await this.begin(people, codes.length);
    try {
      const given = await answer();
      const wrong = wrongOf(given).filter((code) => codes.includes(code));
      const unknown = wrong.length === 0 ? [] : await findUnknownCodes(db, accountId, wrong);
      if (unknown.length === 0) return given;
      await this.refuseOver(guessers.filter(({ isKey }) => isKey));
      await insertGuesses(db, namesOf(guessers), unknown, clock.now());
      return given;
    } finally {
      this.addUnderWay(people, -codes.length);
      this.ended.resolve();
      this.ended = Promise.withResolvers();
    }
  }

  /** Waits while codes under way may yet turn out to be too many wrong ones; refuses if there are too many already. */
  private async begin(guessers: readonly Guesser[], codes: number): Promise<void> {
    for (;;) {
      const guesses = await this.refuseOver(guessers);
      const countOf = (name: string) => (guesses.get(name)?.count ?? 0) + (this.underWay.get(name) ?? 0);
      if (guessers.every(({ name, limit }) => countOf(name) < limit)) return this.addUnderWay(guessers, codes);
      await this.ended.promise;
    }
  }

  private async refuseOver(guessers: readonly Guesser[]): Promise<Guesses> {
    if (guessers.length === 0) return new Map();
    const now = this.deps.clock.now();
    const guesses = await countGuesses(this.deps.db, namesOf(guessers), now);
    for (const { name, limit } of guessers) {
      const { count = 0, oldest = now } = guesses.get(name) ?? {};
      const leftMs = now.until(oldest.add({ hours: GUESS_HOURS })).total('milliseconds');
      if (count >= limit) throw rateLimited('Too many incorrect promotion codes.', { limit, count, leftMs });
    }
    return guesses;
  }

  private addUnderWay(guessers: readonly Guesser[], codes: number): void {
    for (const { name } of guessers) {
      const count = (this.underWay.get(name) ?? 0) + codes;
      if (count === 0) this.underWay.delete(name);
      else this.underWay.set(name, count);
    }
  }
}

const namesOf = (guessers: readonly Guesser[]) => guessers.map(({ name }) => name);
