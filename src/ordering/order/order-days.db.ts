import { sql as raw } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { markLiveStores } from '../../supply/promotions/shown-promotions.db.ts';
import type { EventHandler } from './dispatch-events.flow.ts';
import type { OrderEventType } from './order-events.ts';

/**
 * Daily totals of placed orders, by store and account. Each order counts on the day when it was placed, by the
 * store's clock, even if its events arrive later.
 */

const COUNTED: readonly OrderEventType[] = [
  'order.placed',
  'order.confirmed',
  'order.tipped',
  'order.captured',
  'order.refunded',
  'order.canceled',
];

/**
 * Adds events to the totals of their orders' days, in the transaction that dispatches them, so each counts once.
 * Dispatchers wait here for each other's rows, which all of them lock in one order.
 */
export const countOrderDays: EventHandler = async (tx, events) => {
  const counted = events.filter(({ type }) => COUNTED.includes(type));
  if (counted.length === 0) return;
  const orderIds = counted.map(({ orderId }) => orderId);
  const sequences = counted.map(({ sequence }) => sequence);
  // A canceled order that was never charged counts as refunded in full, because no refund follows. A charged maximum
  // above the total was never a sale.
  const { rows } = await raw<{ storeId: string; isFirst: boolean }>`
    insert into order_days as d (mode, day, store_id, account_id,
      orders, canceled, sales_cents, refunded_cents, confirmed, confirm_seconds)
    select o.mode, (o.placed_at at time zone (o.quote->'store'->>'timeZone'))::date, o.store_id, o.account_id,
      count(*) filter (where e.type = 'order.placed'),
      count(*) filter (where e.type = 'order.canceled'),
      coalesce(sum(case e.type when 'order.placed' then o.total_with_tip
        when 'order.tipped' then (e.data->>'added_cents')::bigint - coalesce((e.data->>'waived_cents')::bigint, 0)
        when 'order.captured' then coalesce((e.data->>'captured_cents')::bigint - o.total_with_tip, 0) end), 0),
      coalesce(sum(case when e.type = 'order.refunded' and e.data->>'kind' <> 'weighed'
          then (e.data->>'refund_cents')::bigint - case when e.data->>'kind' = 'canceled' and o.captured_cents is null
            and o.money_plan = 'maximum_charged' then o.authorized_cents - o.total_with_tip else 0 end
        when e.type = 'order.canceled' and o.charged_cents = 0 then o.total_with_tip + o.added_tip_cents end), 0),
      count(*) filter (where e.type = 'order.confirmed'),
      coalesce(sum(greatest(0, extract(epoch from e.at - coalesce(o.offer_at, o.placed_at))))
        filter (where e.type = 'order.confirmed'), 0)::bigint
    from unnest(${orderIds}::text[], ${sequences}::int[]) as k (order_id, sequence)
      join order_events as e using (order_id, sequence) join orders as o using (order_id)
    where o.placed_at is not null and o.quote->'store'->>'timeZone' is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (mode, day, store_id, account_id) do update set orders = d.orders + excluded.orders,
      canceled = d.canceled + excluded.canceled, sales_cents = d.sales_cents + excluded.sales_cents,
      refunded_cents = d.refunded_cents + excluded.refunded_cents, confirmed = d.confirmed + excluded.confirmed,
      confirm_seconds = d.confirm_seconds + excluded.confirm_seconds
    returning d.store_id, d.mode = 'live' and d.xmax = 0 as is_first`.execute(tx);
  const live = rows.filter(({ isFirst }) => isFirst).map(({ storeId }) => storeId);
  if (live.length > 0) await markLiveStores(tx, live);
};

/** Totals of one day; `confirmSeconds` is the sum over the confirmed orders. */
export type OrderDay = {
  day: string;
  orders: number;
  canceled: number;
  salesCents: number;
  refundedCents: number;
  confirmed: number;
  confirmSeconds: number;
};

export type TrendQuery = {
  mode: KeyMode;
  storeId: string | undefined;
  accountId: string | undefined;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
};

/** Lists every day of a range, oldest first. */
export async function listOrderDays(sql: Sql, { mode, storeId, accountId, from, to }: TrendQuery): Promise<OrderDay[]> {
  const ofStore = storeId === undefined ? raw`` : raw`and store_id = ${storeId}`;
  const ofAccount = accountId === undefined ? raw`` : raw`and account_id = ${accountId}`;
  const total = (column: string) => raw`coalesce(sum(${raw.ref(column)}), 0)::bigint as ${raw.ref(column)}`;
  const columns = ['orders', 'canceled', 'sales_cents', 'refunded_cents', 'confirmed', 'confirm_seconds'];
  const { rows } = await raw<OrderDay>`
    select g.day::date::text as day, ${raw.join(columns.map(total))}
    from generate_series(${`${from}`}::date, ${`${to}`}::date, '1 day') as g (day)
    left join (select * from order_days where mode = ${mode} and day between ${`${from}`}::date and ${`${to}`}::date
      ${ofStore} ${ofAccount}) as d on d.day = g.day::date
    group by g.day order by g.day`.execute(sql);
  return rows;
}
