import type { Sql } from '../db/connect.ts';
import { findBusinesses } from './feed-states.db.ts';
import type { Misplaced } from './inferred-feed.ts';
import { otherBusiness } from './other-business.ts';
import type { SeenStores } from './seen-stores.ts';
import type { StoreRows } from './store-rows.ts';

/** The stores that would make another business of a store that exists already, and that this run has not taken. */
export async function findMisplaced(
  tx: Sql,
  stores: readonly StoreRows[],
  taken: SeenStores,
): Promise<Map<string, Misplaced>> {
  const asked = stores.filter(({ storeId }) => !taken.has(storeId));
  const businesses = await findBusinesses(
    tx,
    asked.map(({ storeId }) => storeId),
  );
  const misplaced = new Map<string, Misplaced>();
  for (const { storeId, business } of asked) {
    const known = businesses.get(storeId);
    const other = known && otherBusiness(known, business);
    if (other) misplaced.set(storeId, { known, ...other });
  }
  return misplaced;
}
