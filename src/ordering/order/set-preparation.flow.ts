import type { Sql } from '../../platform/db/connect.ts';
import type { Preparation } from '../../supply/stores/kitchen.ts';
import { setLearned } from '../../supply/stores/set-store.flow.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { readLearnedMinutes } from './learned-minutes.db.ts';

/** Has a store quote its learned minutes, or its stated ones, in the caller's transaction; undefined without one. */
export async function setPreparation(tx: Sql, storeId: string, preparation: Preparation, now: Temporal.Instant) {
  const store = await findStore(tx, storeId);
  if (!store) return undefined;
  return setLearned(tx, store, preparation === 'auto' ? await readLearnedMinutes(tx, store, now) : null, now);
}
