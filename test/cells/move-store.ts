import { sql as raw } from 'kysely';
import type { Db, Sql } from '../../src/platform/db/connect.ts';
import { pauseStore, resumeStore } from '../../src/supply/stores/set-store.flow.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from '../../src/supply/stores/stores.db.ts';
import { readRows, writeRows } from './copy-rows.ts';
import type { Cell } from './given-cell.ts';

/**
 * Tables whose rows move with their store, parents first. Orders stay in the cell that placed them. Order number
 * counters continue in the new cell, so that numbers stay unique within a day.
 */
export const MOVED_TABLES = [
  ...['stores', 'categories', 'products', 'slot_holds', 'slot_versions', 'order_counters', 'place_links', 'api_keys'],
  ...['store_channels', 'store_couriers', 'sandbox_stock', 'sandbox_slot_holds', 'sandbox_slot_versions'],
];
/** Triggers update the menu's counters while its products are written. */
const COUNTED_TABLE = 'menus';

/** The pause of a moving store. Stores pause themselves for at most a day, so the two are distinguishable. */
const FROZEN_HOURS = 24 * 365;
const SURELY_FROZEN_HOURS = 24 * 300;

type Move = {
  from: Cell;
  to: Cell;
  storeId: string;
  /** Resolves once every request that started before the call has ended. */
  drained(): Promise<void>;
};

/**
 * Moves a store to another cell: freeze, copy, switch (docs/cells.md#moving-a-store). If a move is interrupted, neither
 * cell accepts the store's orders; repeating the call completes the move, and repeating it again changes nothing.
 */
export async function moveStore({ from, to, storeId, drained }: Move): Promise<void> {
  const [here, there] = [from.app.service.deps.db, to.app.service.deps.db];
  const at = from.app.now();
  const arrived = await findStore(there, storeId);
  if (arrived?.listed && !isFrozen(arrived, at)) return;
  await freeze(here, storeId, at);
  await drained();
  await copyStore(here, there, storeId, at);
  await here.transaction().execute((tx) => setListed(tx, storeId, false, at));
  await there.transaction().execute((tx) => resumeStore(tx, storeId, at));
}

function isFrozen({ pausedUntil }: Store, at: Temporal.Instant): boolean {
  return pausedUntil !== null && at.until(pausedUntil).total('hours') > SURELY_FROZEN_HOURS;
}

async function freeze(here: Db, storeId: string, at: Temporal.Instant): Promise<void> {
  const store = await findStore(here, storeId);
  if (store && isFrozen(store, at)) return;
  if (!store?.listed) throw new Error('The cell does not list the store.');
  // Freezing would overwrite the pause.
  if (store.pausedUntil) throw new Error('A paused store cannot move.');
  if (await isOfMerge(here, storeId)) throw new Error('A store that another store was merged with cannot move.');
  await here.transaction().execute((tx) => pauseStore(tx, storeId, at.add({ hours: FROZEN_HOURS }), at));
}

async function isOfMerge(sql: Sql, storeId: string): Promise<boolean> {
  const merges = sql.selectFrom('storeMerges').select('mergeId');
  const rows = await merges
    .where((eb) => eb(eb.val(storeId), 'in', [eb.ref('storeId'), eb.ref('intoStoreId')]))
    .execute();
  return rows.length > 0;
}

async function copyStore(here: Db, there: Db, storeId: string, at: Temporal.Instant): Promise<void> {
  const where = raw`t.store_id = ${storeId}`;
  const reading = here.transaction().setIsolationLevel('repeatable read');
  const copies = await reading.execute(async (tx) => {
    const read: [string, string][] = [];
    for (const table of MOVED_TABLES) read.push([table, await readRows(tx, table, where)]);
    return read;
  });
  await there.transaction().execute(async (tx) => {
    // Rows of an earlier stay are stale.
    for (const table of [COUNTED_TABLE, ...MOVED_TABLES.slice(1)]) {
      await raw`delete from ${raw.table(table)} t where ${where}`.execute(tx);
    }
    for (const [table, found] of copies) await writeRows(tx, table, found);
    await setListed(tx, storeId, true, at);
  });
}

async function setListed(tx: Sql, storeId: string, listed: boolean, at: Temporal.Instant): Promise<void> {
  await markStoreChanged(tx, storeId, { seq: await nextChange(tx), at });
  await tx.updateTable('stores').set({ listed }).where('storeId', '=', storeId).execute();
  await notifyChange(tx);
}
