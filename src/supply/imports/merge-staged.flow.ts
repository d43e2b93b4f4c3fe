import type { Sql } from '../../platform/db/connect.ts';
import { pruneOptions } from '../catalog/set-option.flow.ts';
import { patchImports } from '../menus/import-menu.flow.ts';
import { refreshCatalogFlags } from '../menus/menu.db.ts';
import {
  lockProducts,
  removeMissing,
  resetSandboxStock,
  upsertCategories,
  upsertProducts,
} from '../menus/write-catalogs.db.ts';
import { writeFeedPromotions } from '../promotions/feed-promotions.flow.ts';
import { markShownAgain } from '../promotions/shown-promotions.db.ts';
import type { LineFault } from '../stores/feed-fields.ts';
import { type Arrivals, mergeArrivals, releaseOwn } from '../stores/merges/merge-places.flow.ts';
import { findUnlisted } from '../stores/merges/merges.db.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { changedSettings, type SettingsPort } from './feed-settings.ts';
import { type Audience, replaceFeedSettings, upsertStores } from './import.db.ts';
import type { StoreOutcome } from './import-result.ts';
import type { StoreRows } from './store-rows.ts';

/** Merges staged stores under the change clock. */

/** The outcome of each store, its merges, and the errors of its promotions that only the database shows. */
export type WrittenStores = Arrivals & {
  outcomes: Map<string, StoreOutcome>;
  promotionFaults: Map<string, LineFault[]>;
};

/** Stores staged with their catalogs. */
type StagedStores = {
  source: string;
  stores: readonly StoreRows[];
  at: Temporal.Instant;
  audience?: Audience;
  /** False if no category or product is staged. */
  hasCatalogs?: boolean;
  /** Sets the stores' channels, courier and terms; absent for feeds without. */
  settings?: SettingsPort | undefined;
};

/**
 * Moves this transaction's staged rows into the catalog and merges duplicates. It takes the change number first, as a
 * lock, so that no other import writes a store between the comparison and the change.
 */
export async function mergeStaged(
  tx: Sql,
  { source, stores, at, audience = 'everyone', hasCatalogs = true, settings }: StagedStores,
): Promise<WrittenStores> {
  const seq = await nextChange(tx);
  const staged = stores.map(({ storeId }) => storeId);
  const away = await findUnlisted(tx, staged);
  const written = await upsertStores(tx, staged, { source, seq, at, audience });
  const storeIds = written.map(({ storeId }) => storeId);
  const existing = written.filter(({ created }) => !created).map(({ storeId }) => storeId);
  if (existing.length > 0 || (hasCatalogs && storeIds.length > 0)) {
    await mergeCatalogs(tx, storeIds, existing, seq);
  }
  const isWritten = new Set(storeIds);
  if (settings) await applySettings(tx, settings, { stores, written: isWritten, at });
  const promotionFaults = await writeFeedPromotions(
    tx,
    stores.filter(({ storeId }) => isWritten.has(storeId)),
    at,
  );
  if (storeIds.length > 0) await notifyChange(tx);
  const outcomes = new Map<string, StoreOutcome>(stores.map(({ storeId }) => [storeId, 'unchanged']));
  for (const { storeId, created } of written) outcomes.set(storeId, created ? 'created' : 'updated');
  const back = new Set(away);
  const arrivals = [...outcomes].filter(([storeId, outcome]) => outcome === 'created' || back.has(storeId));
  await releaseOwn(tx, away, { seq, at });
  const merges = await mergeArrivals(
    tx,
    arrivals.map(([storeId]) => storeId),
    { seq, at },
  );
  return { outcomes, promotionFaults, ...merges };
}

/** Applies the feed's changes of channels, courier and terms. */
async function applySettings(
  tx: Sql,
  port: SettingsPort,
  { stores, written, at }: Pick<StagedStores, 'stores' | 'at'> & { written: ReadonlySet<string> },
): Promise<void> {
  for (const { storeId, settings } of stores) {
    if (!settings || !written.has(storeId)) continue;
    const changed = changedSettings(await replaceFeedSettings(tx, storeId, settings), settings);
    if (Object.keys(changed).length > 0) await port.apply(tx, storeId, changed, at);
  }
}

/** Writes the staged catalogs of new and existing stores. */
async function mergeCatalogs(tx: Sql, storeIds: readonly string[], existing: readonly string[], seq: number) {
  const edited = await patchImports(tx, existing, seq);
  if (existing.length > 0) await lockProducts(tx, existing);
  await upsertCategories(tx, storeIds);
  if (existing.length > 0) await resetSandboxStock(tx, existing);
  await upsertProducts(tx, storeIds);
  await markShownAgain(tx, storeIds);
  if (existing.length === 0) return;
  await pruneOptions(tx, existing);
  await removeMissing(tx, existing);
  for (const storeId of edited) await refreshCatalogFlags(tx, storeId);
}
