import type { Db, Sql } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { ConsoleSession } from '../merchants/sessions.db.ts';
import { insertAction } from './actions.db.ts';
import type { RecordedAction } from './operator-action.ts';

type Recorded = Pick<RecordedAction, 'action' | 'target' | 'details'>;

/** Makes a change and records its operator in one transaction. `describe` must leave secrets out. */
export async function recordChange<T>(
  { db, clock }: { db: Db; clock: Clock },
  { sessionId }: Pick<ConsoleSession, 'sessionId'>,
  change: (tx: Sql, at: Temporal.Instant) => Promise<T>,
  describe: (result: T) => Recorded,
): Promise<T> {
  const at = clock.now();
  return db.transaction().execute(async (tx) => {
    const result = await change(tx, at);
    await insertAction(tx, { at, sessionId, ...describe(result) });
    return result;
  });
}
