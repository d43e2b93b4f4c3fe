import type { Db } from '../db/connect.ts';
import { isRefusedStatement } from '../db/hot-statement.ts';
import { createStatementGate } from '../db/statement-gate.ts';
import { batchCalls } from '../lib/batch-calls.ts';
import type { FairTurns } from '../lib/fair-turns.ts';
import type { HeldBack } from './declines/decline.ts';
import { type AttemptAt, findHeldBacks } from './declines/declines.db.ts';
import { insertPaymentMethods, methodOf, type NewPaymentMethod } from './payment-methods.db.ts';
import type { RecentMethods } from './recent-methods.cache.ts';

/** Cards of one statement. */
const MAX_BATCH = 16;

/** The statements that every saved card waits for, shared with the cards that are saved at the same moment (ADR 10). */
export type CardSaving = {
  /** What holds an attempt back; undefined where the gateway may hear of the card. */
  findHeldBack(attempt: AttemptAt): Promise<HeldBack | undefined>;
  /** False where a payment method has this token of the gateway already, a deleted one too: nothing is stored. */
  insertMethod(method: NewPaymentMethod): Promise<boolean>;
};

export function createCardSaving(
  db: Db,
  { ownerNow }: Pick<FairTurns, 'ownerNow'>,
  recentMethods: Pick<RecentMethods, 'note'>,
): CardSaving {
  const limits = { maxBatch: MAX_BATCH, didNothing: isRefusedStatement, ownerNow, gate: createStatementGate() };
  return {
    findHeldBack: batchCalls({ ...limits, run: (attempts: readonly AttemptAt[]) => findHeldBacks(db, attempts) }),
    insertMethod: batchCalls({
      ...limits,
      run: async (methods: readonly NewPaymentMethod[]) => {
        const stored = await insertPaymentMethods(db, methods);
        for (const [nth, method] of methods.entries()) if (stored[nth]) recentMethods.note(method, methodOf(method));
        return stored;
      },
    }),
  };
}
