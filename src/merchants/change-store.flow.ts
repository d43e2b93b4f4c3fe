import type { Static } from 'typebox';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import type { Db, Sql } from '../db/connect.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { findOwnHours } from '../stores/set-store.db.ts';
import { findStore } from '../stores/stores.db.ts';
import { type Merchant, refuseLink, refuseSandbox } from './merchant.ts';
import { presentStoreSettings, type StoreSettingsSchema } from './store-settings.ts';

export type StoreDeps = { db: Db; clock: Clock; inventory: Pick<InventoryCache, 'evict'> };

/**
 * Runs a change of the caller's store in one transaction, and lets the next answer of this node show it. Refuses sandbox
 * keys and links with `live_only`.
 */
export async function changeStore<T>(
  { db, clock, inventory }: StoreDeps,
  merchant: Merchant,
  change: (tx: Sql, storeId: string, at: Temporal.Instant) => Promise<T>,
): Promise<T> {
  refuseSandbox(merchant);
  const { storeId } = merchant;
  const changed = await db.transaction().execute((tx) => change(tx, storeId, clock.now()));
  inventory.evict(storeId);
  return changed;
}

/** The caller's store as it is now. Refuses the link of one order with `live_only`. */
export async function readStoreSettings(
  { db, clock }: Pick<StoreDeps, 'db' | 'clock'>,
  merchant: Merchant,
): Promise<Static<typeof StoreSettingsSchema>> {
  refuseLink(merchant);
  const { storeId, mode } = merchant;
  const [store, ownHours] = await Promise.all([findStore(db, storeId), findOwnHours(db, storeId)]);
  if (!store) throw new Refusal('store_not_found', 'This store is not known any more.');
  return presentStoreSettings(store, { ownHours, mode, now: clock.now() });
}
