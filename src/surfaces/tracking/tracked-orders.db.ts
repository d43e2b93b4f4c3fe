import { sql as raw } from 'kysely';
import type { Order } from '../../ordering/order/order.ts';
import { STORED_FIELDS } from '../../ordering/order/order-columns.ts';
import { currentDriverSql, currentEtaSql } from '../../ordering/order/orders.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { columnName } from '../../platform/db/hot-statement.ts';
import type { TrackedOrder } from './tracked-order.ts';

/**
 * The transactions that last wrote the order and its driver's position, in ten digits each. No two versions of an order
 * share them, and PostgreSQL maintains them.
 */
const version = raw<string>`o.xmin::text || lpad(coalesce(p.xmin::text, ''), 10, '0')`;

const COLUMNS = raw`${raw.raw(STORED_FIELDS.map((name) => `o.${columnName(name)}`).join(', '))},
  ${currentDriverSql('o')} as driver, ${currentEtaSql('o')} as eta`;
const CARE = raw`json_build_object('helpUrl', b.help_url, 'helpEmail', b.help_email, 'helpPhone', b.help_phone,
  'customerCancel', coalesce(b.customer_cancel, false), 'reorderUrl', b.reorder_url)`;
const PHOTO = raw`case when o.status <> 'completed' then null
  when exists (select from delivery_proofs d where d.order_id = o.order_id and d.photo is not null) then 'driver'
  when exists (select from courier_deliveries c where c.order_id = o.order_id and c.proof_url is not null) then 'courier'
  end`;
const REFUNDS = raw`(
  select coalesce(json_agg(json_build_object('kind', r.kind, 'reason', r.reason, 'items', r.items, 'cents', r.cents,
    'refundedCents', r.refunded_cents, 'state', r.state) order by r.created_at, r.sequence, r.refund_id), '[]')
  from order_refunds r where r.order_id = o.order_id)`;
const ORDERS = raw`orders o left join driver_positions p on p.order_id = o.order_id`;

/** Finds orders by id, each with its steps; omits orders that do not exist. */
export async function findTrackedOrders(sql: Sql, orderIds: readonly string[]): Promise<TrackedOrder[]> {
  const { rows } = await raw<Order & Omit<TrackedOrder, 'order'>>`
    select ${COLUMNS}, ${version} as version, (
      select coalesce(json_agg(json_build_object('type', e.type, 'epochS', floor(extract(epoch from e.at))::bigint)
        order by e.sequence), '[]')
      from order_events e where e.order_id = o.order_id) as steps, ${CARE} as care,
      ${PHOTO} as photo, ${REFUNDS} as refunds
    from ${ORDERS} left join brandings b on b.account_id = o.account_id where ${isOneOf(orderIds)}`.execute(sql);
  return rows.map(({ version, steps, care, photo, refunds, ...order }) => ({
    order,
    version,
    steps,
    care,
    photo,
    refunds,
  }));
}

export async function findTrackedOrder(sql: Sql, orderId: string): Promise<TrackedOrder | undefined> {
  return (await findTrackedOrders(sql, [orderId]))[0];
}

/** Reads the versions of many orders by id, with one index look-up each. */
export async function listVersions(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await raw<{ orderId: string; version: string }>`
    select o.order_id, ${version} as version from ${ORDERS} where ${isOneOf(orderIds)}`.execute(sql);
  return new Map(rows.map((row) => [row.orderId, row.version]));
}

const isOneOf = (orderIds: readonly string[]) => raw<boolean>`o.order_id = any(${[...orderIds]}::text[])`;
