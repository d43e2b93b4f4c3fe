import { sql as raw } from 'kysely';
import { recountSandboxes } from '../catalog/stock.db.ts';
import type { Sql } from '../db/connect.ts';

/**
 * Counts anew what sandboxes hold of the products whose stock the staged catalogue replaces, by the rule of
 * `upsertProducts`. Comes before `upsertProducts`, which overwrites the feed's previous values, and after `lockProducts`.
 */
export async function resetSandboxStock(sql: Sql, storeIds: readonly string[]): Promise<void> {
  const { rows } = await raw<{ storeId: string; productNo: number }>`
    select distinct own.store_id, own.product_no
    from sandbox_stock as own
    join products as p on p.store_id = own.store_id and p.product_no = own.product_no
    join staged_products as g on g.store_id = p.store_id and g.external_id = p.external_id
    where own.store_id = any(${storeIds}) and (p.removed or (p.feed_hash <> decode(g.feed_hash, 'hex')
      and p.feed_qty_available is distinct from g.qty_available))`.execute(sql);
  await recountSandboxes(sql, rows);
}
