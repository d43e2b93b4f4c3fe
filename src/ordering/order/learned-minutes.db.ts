import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { LearnedHour, LearnedMinutes } from '../../supply/stores/kitchen.ts';
import { LEARNED_WEEKS, MIN_LEARNED_ORDERS } from '../../supply/stores/learned-minutes.ts';

/** Maximum orders read: the last ones. */
const MAX_ORDERS = 20_000;

/**
 * The minutes from the confirmation of live ASAP orders, or from when the kitchen had room for them, until they were
 * ready, by the hour of the week where they were placed.
 */
export async function readLearnedMinutes(
  sql: Sql,
  { storeId, timeZone }: { storeId: string; timeZone: string },
  now: Temporal.Instant,
): Promise<LearnedMinutes> {
  const since = now.subtract({ hours: LEARNED_WEEKS * 7 * 24 });
  const { rows } = await raw<{ hour: number; learned: LearnedHour }>`
    select hour, jsonb_build_array(percentile_disc(0.5) within group (order by minutes),
      percentile_disc(0.8) within group (order by minutes), count(*)) as learned
    from (
      select (extract(isodow from local)::int - 1) * 24 + extract(hour from local)::int as hour,
        greatest(1, ceil(extract(epoch from r.at - greatest(c.at, begins)) / 60))::int as minutes
      from (
        select order_id, placed_at at time zone ${timeZone} as local,
          to_timestamp(900 * (room_held->-1->>'quarter')::bigint) as begins
        from orders
        where store_id = ${storeId} and mode = 'live' and placed_at > ${instantParam(since)} and slot_starts_at is null
        order by placed_at desc limit ${MAX_ORDERS}
      ) as o
      join order_events as c on c.order_id = o.order_id and c.type = 'order.confirmed'
      join order_events as r on r.order_id = o.order_id and r.type = 'order.ready'
    ) as measured
    group by hour having count(*) >= ${MIN_LEARNED_ORDERS} order by hour`.execute(sql);
  return Object.fromEntries(rows.map(({ hour, learned }) => [hour, learned]));
}

/** Stores that quote learned minutes and have not learned since a moment. */
export async function listToLearn(sql: Sql, before: Temporal.Instant, limit: number): Promise<string[]> {
  const isDue = raw<boolean>`learned_at < ${instantParam(before)}`;
  const query = sql.selectFrom('stores').select('storeId').where(isDue);
  const rows = await query.orderBy('learnedAt').limit(limit).execute();
  return rows.map(({ storeId }) => storeId);
}
