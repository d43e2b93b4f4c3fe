import assert from 'node:assert/strict';
import { ask } from './embedded-postgres-harness.ts';

// Checks orders in PostgreSQL and the gateway's books after any kill. `connectionString` is a superuser's; every query
// names its schema.

const LIVE = `('awaiting_confirmation', 'in_progress', 'completed')`;

/** Orders with unresolved payments, by whether the gateway has their charge. */
export async function leftOrders(connectionString: string) {
  const [row] = await ask(
    connectionString,
    `select count(*) filter (where charge_state = 'pending' and exists (
        select from doorstep.sandbox_gateway_charges c where c.idempotency_key = o.order_id || ':' || o.charge_attempt))::int as charged,
      count(*) filter (where charge_state = 'pending')::int as pending,
      count(*) filter (where charge_state = 'refund_pending')::int as refunds
    from doorstep.orders o`,
  );
  return row as { charged: number; pending: number; refunds: number };
}

/** Backdates the remains of a crash, so that recovery need not wait. */
export async function age(connectionString: string, minutes: number): Promise<void> {
  await ask(
    connectionString,
    `update doorstep.orders set charge_started_at = charge_started_at - interval '${minutes} minutes'
      where charge_state in ('pending', 'refund_pending');
    update doorstep.idempotency_keys set started_at = started_at - interval '${minutes} minutes' where state = 'running'`,
  );
}

/** Every charge has its order or was refunded exactly once, to the cent. */
export async function assertMoneyIsRight(connectionString: string): Promise<void> {
  const faults = await ask(
    connectionString,
    `with kept as (
      select order_id, count(*) as charges, sum(amount) as amount
      from doorstep.sandbox_gateway_charges where status = 'succeeded' and refunded_amount < amount group by order_id),
    taken as (
      select order_id, count(*) as charges
      from doorstep.sandbox_gateway_charges where status = 'succeeded' group by order_id)
    select o.order_id, o.status, o.charge_state, o.charge_user, kept.charges as kept, taken.charges as taken
    from doorstep.orders o left join kept using (order_id) left join taken using (order_id)
    where case
      when o.status in ${LIVE} and o.charge_user then
        kept.charges is distinct from 1 or kept.amount <> o.total_with_tip or o.charge_state <> 'charged'
      else kept.charges is not null or o.charge_state not in ('none', 'declined', 'refunded') end
      or taken.charges > 1 or (not o.charge_user and taken.charges is not null)`,
  );
  assert.deepEqual(faults, []);
  const orphans = await ask(
    connectionString,
    `select charge_id from doorstep.sandbox_gateway_charges c
      where not exists (select from doorstep.orders o where o.order_id = c.order_id)`,
  );
  assert.deepEqual(orphans, []);
}

/** Every order's log is 1, 2, 3 … up to its last sequence and starts with its placement. */
export async function assertLogsAreWhole(connectionString: string): Promise<void> {
  const faults = await ask(
    connectionString,
    `select o.order_id, o.status, o.last_sequence, array_agg(e.type order by e.sequence) as events
    from doorstep.orders o left join doorstep.order_events e using (order_id)
    group by o.order_id
    having count(e.sequence) <> o.last_sequence or coalesce(max(e.sequence), 0) <> o.last_sequence
      or (o.status = 'unplaced') <> (o.last_sequence = 0)
      or (o.status in ${LIVE} and (array_agg(e.type order by e.sequence))[1] <> 'order.placed')
      or count(e.type) <> count(distinct e.type)`,
  );
  assert.deepEqual(faults, []);
}

/** Every placed order's number is unique within its store's local day and sandbox. */
export async function assertNumbersAreUnique(connectionString: string): Promise<void> {
  const faults = await ask(
    connectionString,
    `select order_number, count(*) from doorstep.orders where placed_at is not null
      group by store_id, account_id, mode, (placed_at at time zone (quote->'store'->>'timeZone'))::date, order_number
      having count(*) > 1 or order_number is null`,
  );
  assert.deepEqual(faults, []);
}

/** Orders awaiting their store without a timer. */
export async function forgottenOrders(connectionString: string): Promise<number> {
  const [row] = await ask(
    connectionString,
    `select count(*)::int as forgotten from doorstep.orders o
    where o.status = 'awaiting_confirmation'
      and not exists (
        select from doorstep.jobs j where j.kind = 'order-timer' and j.failed_at is null
          and j.payload->>'orderId' = o.order_id and (j.payload->>'sequence')::int = o.last_sequence)`,
  );
  return row?.forgotten as number;
}

/** The world of an order, in SQL: the account of a sandbox order, empty for a live order. */
const COUNT = "case mode when 'sandbox' then account_id else '' end";

/**
 * For each counted product and world (live and each sandbox), the units taken equal those of the orders and never
 * exceed the initial stock.
 */
export async function assertStockIsRight(
  connectionString: string,
  initial: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [name, quantity] of Object.entries(initial)) {
    const faults = await ask(
      connectionString,
      `with product as (
        select store_id, product_no, qty_available::int as left from doorstep.products where name = '${name}'
      ), taken as (
        select '' as count, ${quantity} - "left" as units from product
        union all
        select account_id, held from doorstep.sandbox_stock join product using (store_id, product_no)
      ), sold as (
        select ${COUNT} as count, sum((item->>'quantity')::int) as units
        from doorstep.orders, jsonb_array_elements(quote->'items') item
        where status in ${LIVE} and item->>'name' = '${name}' group by 1
      )
      select count, taken.units as taken, sold.units as sold from taken full join sold using (count)
      where coalesce(taken.units, 0) <> coalesce(sold.units, 0) or taken.units not between 0 and ${quantity}`,
    );
    assert.deepEqual(faults, [], name);
  }
}

/** For each slot and world, the held places equal the slot's orders and never exceed its capacity. */
export async function assertWindowsAreRight(connectionString: string, capacity: number): Promise<void> {
  const faults = await ask(
    connectionString,
    `with sold as (
      select store_id, ${COUNT} as count, pickup, slot_starts_at as starts_at, count(*) as orders from doorstep.orders
      where status in ${LIVE} and slot_starts_at is not null group by 1, 2, 3, 4
    ), h as (
      select store_id, account_id as count, pickup, starts_at, held from doorstep.slot_holds
    )
    select * from sold full join (select * from h where held > 0) as h using (store_id, count, pickup, starts_at)
    where h.held is distinct from sold.orders or h.held > ${capacity}`,
  );
  assert.deepEqual(faults, []);
}
