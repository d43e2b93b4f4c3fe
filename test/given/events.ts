import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect.ts';

/** Event types of a complete delivery, in order. */
export const LIFE = [
  'order.placed',
  'order.confirmed',
  'order.driver_assigned',
  'order.picked_up',
  'order.completed',
] as const;

/** Copies of a placed order, each with a complete delivery's undispatched events. Their ids begin with `prefix`. */
export async function givenCopies(
  db: Db,
  template: { orderId: string; accountId: string },
  { prefix, count }: { prefix: string; count: number },
): Promise<void> {
  const types = [...LIFE];
  await sql`
    insert into orders
    select (jsonb_populate_record(o, jsonb_build_object('order_id', ${prefix}::text || n, 'account_id',
      ${template.accountId}::text, 'status', 'completed', 'last_sequence', ${types.length}::int))).*
    from orders as o, generate_series(1, ${count}::int) as n where o.order_id = ${template.orderId}`.execute(db);
  await sql`
    insert into order_events
    select (jsonb_populate_record(e, jsonb_build_object('order_id', ${prefix}::text || n, 'sequence', t.place,
      'type', t.type, 'dispatched', false))).*
    from order_events as e, generate_series(1, ${count}::int) as n,
      unnest(${types}::text[]) with ordinality as t (type, place)
    where e.order_id = ${template.orderId} and e.sequence = 1`.execute(db);
}

/** Copies of a placed order, each with its dispatched placement event; returns their ids. */
export async function givenOrderCopies(
  db: Db,
  orderId: string,
  { prefix, count }: { prefix: string; count: number },
): Promise<string[]> {
  await sql`
    insert into orders
    select (jsonb_populate_record(o, jsonb_build_object('order_id', ${prefix}::text || n))).*
    from orders as o, generate_series(1, ${count}::int) as n where o.order_id = ${orderId}`.execute(db);
  await sql`
    insert into order_events
    select (jsonb_populate_record(e, jsonb_build_object('order_id', ${prefix}::text || n, 'dispatched', true))).*
    from order_events as e, generate_series(1, ${count}::int) as n where e.order_id = ${orderId}`.execute(db);
  return Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);
}
