import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared, unnested } from '../../platform/db/hot-statement.ts';
import type { Customer, Driver, Order, OrderRequest } from './order.ts';
import { driverText, etaText } from './orders.db.ts';

/**
 * The last position of an order's driver. Valid while the order's `lastSequence` is unchanged, because the order's next
 * step copies it.
 */
export type DriverPosition = Pick<Order, 'orderId' | 'lastSequence' | 'eta'> & { moved: Driver };

/** The fields of an order that a driver's position needs. Leaves out items and prices, which are kilobytes. */
export type DriverTrip = Pick<
  Order,
  'orderId' | 'status' | 'driverStage' | 'driverLink' | 'lastSequence' | 'driver' | 'eta'
> & { request: Pick<OrderRequest, 'mode'> & { customer: Pick<Customer, 'latitude' | 'longitude'> } };

/** Finds trips of these orders, by order id; omits orders that do not exist. */
export async function findTrips(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, DriverTrip>> {
  const { rows } = await runPrepared<DriverTrip>(sql, TRIPS_TEXT, [orderIds]);
  return new Map(rows.map((trip) => [trip.orderId, trip]));
}

const TRIPS_TEXT = `
  select o.order_id, o.status, o.driver_stage, o.driver_link, o.last_sequence,
    ${driverText('o')} as driver, ${etaText('o')} as eta,
    jsonb_build_object('mode', o.request->'mode', 'customer', jsonb_build_object(
      'latitude', o.request#>'{customer,latitude}', 'longitude', o.request#>'{customer,longitude}')) as request
  from orders o where o.order_id = any($1::text[])`;

/**
 * Saves positions, up to one per order, and returns their orders' ids. Skips a position whose order has taken
 * another step since or is taking one, and a position older than the known one.
 */
export async function savePositions(sql: Sql, positions: readonly DriverPosition[]): Promise<ReadonlySet<string>> {
  // Sorted, so that concurrent statements cannot deadlock.
  const rows = positions.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  const saved = await runPrepared<{ orderId: string }>(sql, SAVE_TEXT, [
    rows.map(({ orderId }) => orderId),
    rows.map(({ lastSequence }) => lastSequence),
    rows.map(({ moved }) => JSON.stringify(moved)),
    rows.map(({ eta }) => eta?.toString() ?? null),
  ]);
  return new Set(saved.rows.map(({ orderId }) => orderId));
}

/**
 * The join skips ended orders, because their position rows are deleted. A step that holds its order's lock has already
 * copied the last position and would leave this one behind.
 */
const SAVE_TEXT = `
  insert into driver_positions (order_id, last_sequence, moved, eta)
  select m.order_id, m.last_sequence, m.moved, m.eta
  from ${unnested(['text', 'integer', 'jsonb', 'timestamptz'])} as m (order_id, last_sequence, moved, eta)
  join orders o on o.order_id = m.order_id and o.last_sequence = m.last_sequence
  order by m.order_id
  for share of o skip locked
  on conflict (order_id) do update
    set last_sequence = excluded.last_sequence, moved = excluded.moved, eta = excluded.eta
    where excluded.last_sequence > driver_positions.last_sequence
      or excluded.last_sequence = driver_positions.last_sequence and coalesce(
        (excluded.moved->>'updatedEpochS')::float8 >= (driver_positions.moved->>'updatedEpochS')::float8, true)
  returning order_id`;

/** Deletes an ended order's position, which the order's own row includes. */
export async function deletePosition(sql: Sql, orderId: string): Promise<void> {
  await runPrepared(sql, 'delete from driver_positions where order_id = $1', [orderId]);
}
