import { type RawBuilder, sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

/** An order's hold on a slot. `sandbox` selects the count: live orders, or those of one sandbox. */
export type SlotHold = { storeId: string; sandbox: Sandbox; pickup: boolean; startsAt: Temporal.Instant };

/** The table of a slot count, its key columns, and the condition that selects its rows. */
type SlotCount = {
  holds: RawBuilder<unknown>;
  versions: RawBuilder<unknown>;
  /** Column and value of the key besides `store_id`. */
  owner: RawBuilder<unknown>;
  ownerValue: RawBuilder<unknown>;
  isOwn: RawBuilder<unknown>;
};

function slotCount(sandbox: Sandbox): SlotCount {
  if (sandbox === null) {
    const [holds, versions] = [raw`slot_holds`, raw`slot_versions`];
    return { holds, versions, owner: raw``, ownerValue: raw``, isOwn: raw`true` };
  }
  return {
    holds: raw`sandbox_slot_holds`,
    versions: raw`sandbox_slot_versions`,
    owner: raw`, account_id`,
    ownerValue: raw`, ${sandbox}`,
    isOwn: raw`account_id = ${sandbox}`,
  };
}

/**
 * Takes one unit of a slot's capacity (null means unlimited); returns false if it is full. The row stays locked until
 * the transaction ends, so slots are never oversold. Lock order: slots before products.
 */
export async function holdSlot(sql: Sql, hold: SlotHold & { capacity: number | null }): Promise<boolean> {
  const { storeId, sandbox, pickup, startsAt, capacity } = hold;
  if (capacity !== null && capacity < 1) return false;
  const { holds, owner, ownerValue } = slotCount(sandbox);
  const { rows } = await raw`
    insert into ${holds} as s (store_id${owner}, pickup, starts_at, held)
    values (${storeId}${ownerValue}, ${pickup}, ${startsAt.toString()}::timestamptz, 1)
    on conflict (store_id${owner}, pickup, starts_at) do update set held = s.held + 1
    where s.held < ${capacity}::int or ${capacity}::int is null
    returning held`.execute(sql);
  if (rows.length === 0) return false;
  await countSlotChange(sql, storeId, sandbox);
  return true;
}

/** Returns one unit of a slot's capacity to the count from which it was taken. */
export async function releaseSlot(sql: Sql, { storeId, sandbox, pickup, startsAt }: SlotHold): Promise<void> {
  const { holds, isOwn } = slotCount(sandbox);
  const { rows } = await raw`
    update ${holds} set held = held - 1
    where store_id = ${storeId} and ${isOwn} and pickup = ${pickup}
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
  const { holds, isOwn } = slotCount(sandbox);
  const ids = stores.map(({ storeId }) => storeId);
  const capacities = stores.map(({ capacity }) => capacity);
  const { rows } = await raw<{ storeId: string; startsAt: Temporal.Instant }>`
    select h.store_id, h.starts_at
    from unnest(${ids}::text[], ${capacities}::integer[]) as s (store_id, capacity)
    join ${holds} as h on h.store_id = s.store_id and h.held >= s.capacity
    where h.pickup = ${pickup} and h.starts_at >= ${from.toString()}::timestamptz and ${isOwn}`.execute(sql);
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
  const { versions, owner, ownerValue } = slotCount(sandbox);
  await raw`
    insert into ${versions} as v (store_id${owner}, version) values (${storeId}${ownerValue}, 1)
    on conflict (store_id${owner}) do update set version = v.version + 1`.execute(sql);
}
