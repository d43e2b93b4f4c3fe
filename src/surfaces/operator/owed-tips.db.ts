import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { Country } from '../../supply/stores/store.ts';

/**
 * Raised tips that are in no store's payout and that no courier company has (docs/statements.md#tips-owed-to-drivers):
 * the operator has their money, and they are owed to the driver until they are marked paid.
 */

/** The raised tips that are owed to the driver of one order. */
export type OwedTip = {
  orderId: string;
  orderNumber: string;
  storeId: string;
  storeName: string;
  country: Country;
  driverName: string | null;
  /** The courier company; null for any other driver. */
  courier: string | null;
  cents: number;
};

/** Owed tips of live orders that have ended, by order: of one order, or after the last of the page before. */
export async function listOwedTips(
  sql: Sql,
  { orderId, after, limit }: { orderId?: string; after: string; limit: number },
): Promise<OwedTip[]> {
  const { rows } = await raw<OwedTip>`
    select o.order_id, l.order_number, o.store_id, o.quote->'store'->>'name' as store_name,
      o.quote->'store'->>'country' as country, o.driver->>'name' as driver_name,
      (select d.gateway from courier_deliveries as d where d.order_id = o.order_id order by d.attempt desc limit 1) as courier,
      sum(t.cents) as cents
    from order_tips as t join orders as o using (order_id) join ledger_orders as l using (order_id)
    where t.state = 'charged' and t.paid_out_at is null and t.order_id > ${after}
      and (${orderId ?? null}::text is null or t.order_id = ${orderId ?? null})
      and l.mode = 'live' and l.state->>'isOwnDelivery' = 'false'
      and (o.status = 'completed' or (o.status = 'canceled' and o.driver_stage in ('picked_up', 'nearby')))
      and not exists (select from courier_deliveries as d where d.order_id = t.order_id
        and d.state in ('delivered', 'returned', 'lost') and d.tip_cents >= t.tip_cents)
    group by o.order_id, l.order_number order by o.order_id limit ${limit}`.execute(sql);
  return rows;
}
