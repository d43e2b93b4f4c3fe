import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

/** An order's hold on a slot. `sandbox` selects the count: live orders, or one sandbox's. */
export type SlotHold = { storeId: string; sandbox: Sandbox; pickup: boolean; startsAt: Temporal.Instant };

/** The account whose sandbox has the count; empty for the count of all live orders. */
export const countOf = (sandbox: Sandbox) => sandbox ?? '';

/**
 * Takes one unit of a slot's capacity (null means unlimited); returns false if it is full. The row stays locked until
 * the transaction ends, so slots are never oversold. Lock order: slots before products.
 */
export async function holdSlot(sql: Sql, hold: SlotHold & { capacity: number | null }): Promise<boolean> {
  const { storeId, sandbox, pickup, startsAt, capacity } = hold;
  if (capacity !== null && capacity < 1) return false;
  const { rows } = await raw`
    insert into slot_holds as s (store_id, account_id, pickup, starts_at, held)
    values (${storeId}, ${countOf(sandbox)}, ${pickup}, ${startsAt.toString()}::timestamptz, 1)
    on conflict (store_id, account_id, pickup, starts_at) do update set held = s.held + 1
    where s.held < ${capacity}::int or ${capacity}::int is null
    returning held`.execute(sql);
  if (rows.length === 0) return false;
  await countSlotChange(sql, storeId, sandbox);
  return true;
}

/** Returns one unit of a slot's capacity to the count that it was taken from. */
export async function releaseSlot(sql: Sql, { storeId, sandbox, pickup, startsAt }: SlotHold): Promise<void> {
  const { rows } = await raw`
    update slot_holds set held = held - 1
    where store_id = ${storeId} and account_id = ${countOf(sandbox)} and pickup = ${pickup}
      and starts_at = ${startsAt.toString()}::timestamptz and held > 0
    returning held`.execute(sql);
  if (rows.length > 0) await countSlotChange(sql, storeId, sandbox);
}

/** Starts of full slots from a moment on, in epoch seconds. */
export async function findFullSlots(
  sql: Sql,
  question: Omit<SlotHold, 'startsAt'> & { capacity: number | null; from: Temporal.Instant },
): Promise<Set<number>> {
  const { storeId, sandbox, pickup, capacity, from } = question;
  if (capacity === null) return new Set();
  const starts = await findFullSlotsByStore(sql, [{ storeId, capacity }], { sandbox, pickup, from });
  return starts.get(storeId) ?? new Set();
}

/** `findFullSlots` for many stores; omits stores without full slots. */
export async function findFullSlotsByStore(
  sql: Sql,
  stores: readonly { storeId: string; capacity: number }[],
  { sandbox, pickup, from }: { sandbox: Sandbox; pickup: boolean; from: Temporal.Instant },
): Promise<Map<string, Set<number>>> {
  const starts = new Map<string, Set<number>>();
  if (stores.length === 0) return starts;
  const ids = stores.map(({ storeId }) => storeId);
  const capacities = stores.map(({ capacity }) => capacity);
  const { rows } = await raw<{ storeId: string; startsAt: Temporal.Instant }>`
    select h.store_id, h.starts_at
    from unnest(${ids}::text[], ${capacities}::integer[]) as s (store_id, capacity)
    join slot_holds as h on h.store_id = s.store_id and h.held >= s.capacity
    where h.account_id = ${countOf(sandbox)} and h.pickup = ${pickup}
      and h.starts_at >= ${from.toString()}::timestamptz`.execute(sql);
  for (const row of rows) {
    const known = starts.get(row.storeId) ?? new Set<number>();
    starts.set(row.storeId, known.add(epochSeconds(row.startsAt)));
  }
  return starts;
}

/**
 * Counts a change of slots, separately from the menu's number: to lock `menus` here and on products there could
 * deadlock.
 */
async function countSlotChange(sql: Sql, storeId: string, sandbox: Sandbox): Promise<void> {
  await raw`
    insert into store_loads as l (store_id, account_id, version) values (${storeId}, ${countOf(sandbox)}, 1)
    on conflict (store_id, account_id) do update set version = l.version + 1`.execute(sql);
}
