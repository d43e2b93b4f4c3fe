import { sql as raw, type Updateable } from 'kysely';
import type { Sql } from '../../../platform/db/connect.ts';
import type { PersonalData } from '../../../platform/db/personal-data.db.ts';
import type { Database } from '../../../platform/db/tables.ts';
import type { QueueTable } from '../../../platform/jobs/leased-queue.ts';
import { type CourierDelivery, ENDED_STATES } from './courier-delivery.ts';

/** An order, and the courier company of its store. */
type CouriersOrder = { orderId: string; gateway: string };

/** Finds which of these orders are live deliveries in progress, at stores with a courier company. */
export async function findCouriersOrders(sql: Sql, orderIds: readonly string[]): Promise<CouriersOrder[]> {
  if (orderIds.length === 0) return [];
  return sql
    .selectFrom('orders as o')
    .innerJoin('storeCouriers as s', 's.storeId', 'o.storeId')
    .select(['o.orderId', 's.gateway'])
    .where('o.orderId', 'in', orderIds)
    .where('o.mode', '=', 'live')
    .where('o.pickup', '=', false)
    .where('o.status', '=', 'in_progress')
    .execute();
}

/** Stores a delivery; leaves an existing attempt unchanged. */
export async function insertDelivery(sql: Sql, delivery: CourierDelivery): Promise<void> {
  const { orderId, attempt, ...columns } = delivery;
  await sql
    .insertInto('courierDeliveries')
    .values({ orderId, attempt, ...columnTexts(columns) })
    .onConflict((conflict) => conflict.columns(['orderId', 'attempt']).doNothing())
    .execute();
}

/** Saves a locked delivery. */
export async function saveDelivery(sql: Sql, delivery: CourierDelivery): Promise<void> {
  const { orderId, attempt, ...columns } = delivery;
  await sql
    .updateTable('courierDeliveries')
    .set(columnTexts(columns))
    .where('orderId', '=', orderId)
    .where('attempt', '=', attempt)
    .execute();
}

type Columns = Omit<CourierDelivery, 'orderId' | 'attempt'>;

function columnTexts(columns: Columns) {
  const text = (at: Temporal.Instant | null) => at?.toString() ?? null;
  return {
    ...columns,
    readyAt: columns.readyAt.toString(),
    createdAt: columns.createdAt.toString(),
    sentAt: text(columns.sentAt),
    changedAt: text(columns.changedAt),
    reportedAt: text(columns.reportedAt),
    nextCallAt: text(columns.nextCallAt),
    leasedUntil: text(columns.leasedUntil),
  } satisfies Updateable<Database['courierDeliveries']>;
}

/** Locks the delivery until the transaction ends, and returns it. Every transaction must lock the order first. */
export async function lockDelivery(tx: Sql, key: string): Promise<CourierDelivery | undefined> {
  return tx.selectFrom('courierDeliveries').selectAll().where('key', '=', key).forUpdate().executeTakeFirst();
}

/** Finds the delivery of a report by the gateway's id, otherwise by our key. */
export async function findReported(
  sql: Sql,
  gateway: string,
  { deliveryId, key }: { deliveryId: string; key: string | null },
): Promise<CourierDelivery | undefined> {
  const ofGateway = sql.selectFrom('courierDeliveries').selectAll().where('gateway', '=', gateway);
  const byId = await ofGateway.where('deliveryId', '=', deliveryId).executeTakeFirst();
  if (byId || key === null) return byId;
  return ofGateway.where('key', '=', key).where('deliveryId', 'is', null).executeTakeFirst();
}

export async function listDeliveries(sql: Sql, orderId: string): Promise<CourierDelivery[]> {
  return sql.selectFrom('courierDeliveries').selectAll().where('orderId', '=', orderId).orderBy('attempt').execute();
}

/**
 * The queue of deliveries that are due for a call, by gateway. Each of a delivery's calls (token, quote, delivery,
 * look-up) has 10 s.
 */
export const DELIVERY_QUEUE: QueueTable = {
  table: 'courier_deliveries',
  key: ['key'],
  owner: ['gateway'],
  waits: 'q.next_call_at is not null',
  dueAt: 'next_call_at',
  leaseSeconds: 60,
  columns: 'q.*',
};

/** Marks the orders' deliveries as unwanted and schedules the gateway calls for now. */
export async function abandonDeliveries(tx: Sql, orderIds: readonly string[], now: Temporal.Instant): Promise<void> {
  if (orderIds.length > 0) await abandonQuery(tx, orderIds, now).execute();
}

/**
 * Marks deliveries of orders whose store has assigned a driver of its own. If the courier gave up and no driver is
 * assigned, the next requested courier stays.
 */
export async function abandonReplaced(tx: Sql, orderIds: readonly string[], now: Temporal.Instant): Promise<void> {
  if (orderIds.length === 0) return;
  const hasOtherDriver = raw<boolean>`exists (
    select 1 from orders o where o.order_id = courier_deliveries.order_id and o.driver_stage <> 'none'
      and o.driver->>'courierKey' is distinct from courier_deliveries.key)`;
  await abandonQuery(tx, orderIds, now).where(hasOtherDriver).execute();
}

/** Records that the gateway has this tip now, even if the delivery has ended meanwhile. */
export async function saveTakenTip(sql: Sql, key: string, tipCents: number): Promise<void> {
  await sql.updateTable('courierDeliveries').set({ tipCents }).where('key', '=', key).execute();
}

/** Schedules calls that pass changed notes and raised tips on, also for a delivery that is just being created. */
export async function markChanged(tx: Sql, orderIds: readonly string[], now: Temporal.Instant): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .updateTable('courierDeliveries')
    .set({ changedAt: now.toString(), nextCallAt: now.toString() })
    .where('orderId', 'in', orderIds)
    .where('isWanted', '=', true)
    .where('state', 'not in', ENDED_STATES)
    .execute();
}

function abandonQuery(tx: Sql, orderIds: readonly string[], now: Temporal.Instant) {
  return tx
    .updateTable('courierDeliveries')
    .set({ isWanted: false, nextCallAt: now.toString() })
    .where('orderId', 'in', orderIds)
    .where('isWanted', '=', true)
    .where('state', 'not in', ENDED_STATES);
}

export async function setStoreCourier(sql: Sql, storeId: string, gateway: string | undefined, at: Temporal.Instant) {
  if (gateway === undefined) {
    await sql.deleteFrom('storeCouriers').where('storeId', '=', storeId).execute();
    return;
  }
  const setAt = at.toString();
  await sql
    .insertInto('storeCouriers')
    .values({ storeId, gateway, setAt })
    .onConflict((conflict) => conflict.column('storeId').doUpdateSet({ gateway, setAt }))
    .execute();
}

/** Finds which of these stores have a courier company. */
export async function findCourierStores(sql: Sql, storeIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql
    .selectFrom('storeCouriers')
    .select('storeId')
    .where('storeId', 'in', [...storeIds])
    .execute();
  return new Set(rows.map(({ storeId }) => storeId));
}

export async function findStoreCourier(sql: Sql, storeId: string): Promise<string | undefined> {
  const row = await sql.selectFrom('storeCouriers').select('gateway').where('storeId', '=', storeId).executeTakeFirst();
  return row?.gateway;
}

/** The company's own IDs stay, to settle accounts with it. */
export const COURIER_PERSONAL_DATA: PersonalData = {
  table: 'courier_deliveries',
  where: 'order_id = any($1::text[])',
  set: { driver_name: 'null', tracking_url: 'null', proof_url: 'null', last_error: 'null' },
};
