import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import { instantParam } from '../db/connect.ts';
import { epochSeconds } from '../lib/time.ts';

/** A window of a store by its start; whether it is for pickup or for delivery. */
export type SlotHold = { storeId: string; pickup: boolean; startsAt: Temporal.Instant };

/**
 * Holds one place of a window, or returns false where its capacity (null: unlimited) is used up. The row is locked
 * until the transaction ends, so capacity is never oversold. Comes before anything else of the store is locked:
 * every transaction locks windows, then products.
 */
export async function holdSlot(sql: Sql, hold: SlotHold & { capacity: number | null }): Promise<boolean> {
  const { storeId, pickup, startsAt, capacity } = hold;
  if (capacity !== null && capacity < 1) return false;
  const { rows } = await raw`
    insert into slot_holds as s (store_id, pickup, starts_at, held)
    values (${storeId}, ${pickup}, ${startsAt.toString()}::timestamptz, 1)
    on conflict (store_id, pickup, starts_at) do update set held = s.held + 1
    where s.held < ${capacity}::int or ${capacity}::int is null
    returning held`.execute(sql);
  if (rows.length === 0) return false;
  await countSlotChange(sql, storeId);
  return true;
}

/** Gives one place of a window back. */
export async function releaseSlot(sql: Sql, { storeId, pickup, startsAt }: SlotHold): Promise<void> {
  const { numUpdatedRows } = await sql
    .updateTable('slotHolds')
    .set((eb) => ({ held: eb('held', '-', 1) }))
    .where('storeId', '=', storeId)
    .where('pickup', '=', pickup)
    .where('startsAt', '=', instantParam(startsAt))
    .where('held', '>', 0)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await countSlotChange(sql, storeId);
}

/** Starts, in epoch seconds, of the windows from a moment on whose capacity is used up. */
export async function findFullSlots(
  sql: Sql,
  question: { storeId: string; pickup: boolean; capacity: number | null; from: Temporal.Instant },
): Promise<Set<number>> {
  const { storeId, pickup, capacity, from } = question;
  if (capacity === null) return new Set();
  const rows = await sql
    .selectFrom('slotHolds')
    .select('startsAt')
    .where('storeId', '=', storeId)
    .where('pickup', '=', pickup)
    .where('startsAt', '>=', instantParam(from))
    .where('held', '>=', capacity)
    .execute();
  return new Set(rows.map((row) => epochSeconds(row.startsAt)));
}

/**
 * The same for many stores that count their windows: starts by store; a store without a full window is left out.
 */
export async function findFullSlotsAmong(
  sql: Sql,
  stores: readonly { storeId: string; capacity: number }[],
  { pickup, from }: { pickup: boolean; from: Temporal.Instant },
): Promise<Map<string, Set<number>>> {
  const starts = new Map<string, Set<number>>();
  if (stores.length === 0) return starts;
  const ids = stores.map(({ storeId }) => storeId);
  const capacities = stores.map(({ capacity }) => capacity);
  const { rows } = await raw<{ storeId: string; startsAt: Temporal.Instant }>`
    select h.store_id, h.starts_at
    from unnest(${ids}::text[], ${capacities}::integer[]) as s (store_id, capacity)
    join slot_holds as h on h.store_id = s.store_id and h.held >= s.capacity
    where h.pickup = ${pickup} and h.starts_at >= ${from.toString()}::timestamptz`.execute(sql);
  for (const row of rows) {
    const known = starts.get(row.storeId) ?? new Set<number>();
    starts.set(row.storeId, known.add(epochSeconds(row.startsAt)));
  }
  return starts;
}

/** A number of its own beside the menu's: a lock on `menus` here and on products there could wait in a circle. */
async function countSlotChange(sql: Sql, storeId: string): Promise<void> {
  await raw`
    insert into slot_versions as v (store_id, version) values (${storeId}, 1)
    on conflict (store_id) do update set version = v.version + 1`.execute(sql);
}
