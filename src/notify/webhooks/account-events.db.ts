import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { type EventSortKey, endOfSnapshot, type LogSnapshot } from './log-position.ts';
import type { Owner } from './webhook.ts';

/** Maximum orders that an account's log covers. Each poll takes one index look-up per order. */
export const MAX_ORDERS = 2000;

/** Which part of the log a poll reads. */
export type LogPoll = {
  seen: LogSnapshot;
  until: LogSnapshot;
  /** Start of the poll; older events are skipped. */
  from: Temporal.Instant;
  last: EventSortKey | undefined;
  limit: number;
};

/** Returns the snapshot of this statement, and whether the owner has more orders than one poll reads. */
export async function takeSnapshot(sql: Sql, { accountId, mode }: Owner) {
  const { rows } = await raw<{ snapshot: string; orders: number }>`
    select pg_current_snapshot()::text as snapshot, (select count(*)::int from (
      select from orders where account_id = ${accountId} and mode = ${mode} limit ${MAX_ORDERS + 1}) as newest) as orders
    `.execute(sql);
  const [{ snapshot, orders } = { snapshot: '', orders: 0 }] = rows;
  return { snapshot: snapshot, hasOlder: orders > MAX_ORDERS };
}

/**
 * The transaction id, with epoch, that last wrote an event's row, which is its dispatch. `xmin` has only the low 32
 * bits; rows are read within a day, so the latest possible epoch is right.
 */
const WRITER = raw`(select case when low.xid <= top.xid then low.xid else low.xid - 4294967296 end from
  (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xid) as top,
  lateral (select (top.xid >> 32 << 32) + e.xmin::text::bigint as xid) as low)::text::xid8`;

/**
 * Finds dispatched events of the owner's newest orders that are visible in `until` and not in `seen`, by time. Each
 * event is in exactly one poll, for any order of commits (ADR 38).
 */
export async function findNewEvents(sql: Sql, { accountId, mode }: Owner, { seen, until, from, last, limit }: LogPoll) {
  const isSeen = raw<boolean>`pg_visible_in_snapshot(${WRITER}, ${seen}::pg_snapshot)`;
  // A restored backup may count from lower numbers; then no event counts as seen.
  const isNew = endOfSnapshot(until) < endOfSnapshot(seen) ? raw<boolean>`true` : raw<boolean>`not ${isSeen}`;
  const { rows } = await raw<{ atMicros: string; orderId: string; sequence: number }>`
    select (extract(epoch from e.at) * 1000000)::bigint::text as at_micros, e.order_id, e.sequence
    from (
      select order_id from orders where account_id = ${accountId} and mode = ${mode}
      order by created_at desc, order_id limit ${MAX_ORDERS}) as newest
    cross join lateral (
      select at from order_events where order_id = newest.order_id order by sequence desc limit 1) as latest
    join order_events as e on e.order_id = newest.order_id
    where latest.at >= ${instantParam(from)} and e.at >= ${instantParam(from)} and e.dispatched and ${isNew}
      and pg_visible_in_snapshot(${WRITER}, ${until}::pg_snapshot) and ${isPastCursor(last)}
    order by e.at, e.order_id collate "C", e.sequence limit ${limit}`.execute(sql);
  return rows.map(({ atMicros, ...row }) => ({ ...row, atMicros: BigInt(atMicros) }));
}

function isPastCursor(last: EventSortKey | undefined) {
  if (!last) return raw<boolean>`true`;
  const { atMicros, orderId, sequence } = last;
  const at = raw`timestamptz 'epoch' + ${String(atMicros)}::bigint * interval '1 microsecond'`;
  return raw<boolean>`(e.at, e.order_id collate "C", e.sequence) > (${at}, ${orderId}, ${sequence}::int)`;
}
