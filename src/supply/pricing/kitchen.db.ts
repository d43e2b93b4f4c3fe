import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { QueueTable } from '../../platform/jobs/leased-queue.ts';
import { type CookedPart, type KitchenLoad, withParts } from '../stores/kitchen.ts';
import { countOf } from './slots.db.ts';

/**
 * The load of kitchens, live and of each sandbox. One row contains all quarters of a kitchen: an order takes its room
 * by compare-and-swap on the load it was quoted with, so no quarter is oversold and none with room is passed over.
 */

type Kitchens = { storeId: string; sandbox: Sandbox };

const SOON = '-infinity';

/** Replaces a load that is still as it was read; returns whether it was. Lock order: slots, kitchen, products. */
export async function replaceLoad(
  sql: Sql,
  { storeId, sandbox }: Kitchens,
  { read, next }: { read: KitchenLoad; next: KitchenLoad },
): Promise<boolean> {
  const { rows } = await raw`
    insert into store_loads as l (store_id, account_id, version, kitchen, publish_at)
    values (${storeId}, ${countOf(sandbox)}, 1, ${JSON.stringify(next)}::jsonb,
      ${sandbox === null ? SOON : null}::timestamptz)
    on conflict (store_id, account_id) do update
      set version = l.version + 1, kitchen = excluded.kitchen, publish_at = excluded.publish_at
    where l.kitchen = ${JSON.stringify(read)}::jsonb
    returning version`.execute(sql);
  return rows.length > 0;
}

/** Reads a load and locks it until the transaction ends. */
export async function lockLoad(sql: Sql, { storeId, sandbox }: Kitchens): Promise<KitchenLoad> {
  const query = sql.selectFrom('storeLoads').select('kitchen').where('storeId', '=', storeId);
  const row = await query.where('accountId', '=', countOf(sandbox)).forUpdate().executeTakeFirst();
  return row?.kitchen ?? {};
}

export async function releaseRoom(sql: Sql, kitchen: Kitchens, parts: readonly CookedPart[]): Promise<void> {
  const read = await lockLoad(sql, kitchen);
  await replaceLoad(sql, kitchen, { read, next: withParts(read, parts, -1, 0) });
}

/** Reads the loads of many kitchens; kitchens without orders are absent. */
export async function findLoads(
  sql: Sql,
  storeIds: readonly string[],
  sandbox: Sandbox,
): Promise<Map<string, KitchenLoad>> {
  if (storeIds.length === 0) return new Map();
  const query = sql.selectFrom('storeLoads').select(['storeId', 'kitchen']).where('storeId', 'in', storeIds);
  const rows = await query.where('accountId', '=', countOf(sandbox)).execute();
  return new Map(rows.map(({ storeId, kitchen }) => [storeId, kitchen]));
}

/** Live loads whose room is to be published. */
export const LOADS_TO_PUBLISH: QueueTable = {
  table: 'store_loads',
  key: ['store_id', 'account_id'],
  owner: ['account_id'],
  waits: 'q.publish_at is not null',
  dueAt: 'publish_at',
  leaseSeconds: 20,
  columns: 'q.store_id, q.kitchen',
};

/** Ends a publication. A kitchen whose load or limits have changed since it was leased is due at once. */
export async function endPublication(
  sql: Sql,
  { storeId, kitchen }: { storeId: string; kitchen: KitchenLoad },
  nextAt: Temporal.Instant | null,
): Promise<void> {
  await raw`
    update store_loads set leased_until = null, publish_at =
      case when leased_until is not null and kitchen = ${JSON.stringify(kitchen)}::jsonb
        then ${nextAt?.toString() ?? null}::timestamptz else publish_at end
    where store_id = ${storeId} and account_id = ''`.execute(sql);
}
