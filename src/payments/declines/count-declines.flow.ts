import type { Db } from '../../db/connect.ts';
import type { Clock } from '../../lib/clock.ts';
import { CardDeclined } from '../payment-gateway.ts';
import { type Attempt, tooManyDeclines } from './decline.ts';
import { findHeldBack, insertDecline } from './declines.db.ts';

/**
 * Hands a card to the gateway for a user, and counts a card that the gateway will not have. Refuses with too_many_declines
 * before the gateway hears of the card.
 */
export async function countDeclines<T>(
  { db, clock }: { db: Db; clock: Clock },
  attempt: Attempt,
  save: () => Promise<T>,
): Promise<T> {
  const now = clock.now();
  const heldBack = await findHeldBack(db, attempt, now);
  if (heldBack) throw tooManyDeclines(heldBack, now);
  try {
    return await save();
  } catch (error) {
    if (error instanceof CardDeclined) await insertDecline(db, attempt, clock.now());
    throw error;
  }
}
