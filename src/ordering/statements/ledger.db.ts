import { sql as raw } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import type { EventKey } from '../order/order-events.db.ts';
import { type AMOUNTS, LEDGER_EVENTS, type LedgerEntry, type LedgerState } from './ledger-entry.ts';

/** An order whose ledger is written; `state` is null before its first entry. */
export type LedgerOrder = {
  orderId: string;
  storeId: string;
  accountId: string;
  mode: KeyMode;
  orderNumber: string;
  lastSequence: number;
  state: LedgerState | null;
};

/** An entry in the statement of its month. */
export type WrittenEntry = LedgerEntry &
  EventKey &
  Pick<LedgerOrder, 'storeId' | 'accountId' | 'mode'> & {
    month: string;
    date: string;
    at: Temporal.Instant;
    isCorrection: boolean;
  };

/** Identifies the advisory lock of closings: "stmt" in ASCII. */
const CLOSING_LOCK = 0x73746d74;

/** Keeps months from being closed until this transaction ends. */
export async function holdMonths(tx: Sql): Promise<void> {
  await raw`select pg_advisory_xact_lock_shared(${CLOSING_LOCK})`.execute(tx);
}

/** Waits for transactions that write entries, and keeps others from starting, until this transaction ends. */
export async function lockMonths(tx: Sql): Promise<void> {
  await raw`select pg_advisory_xact_lock(${CLOSING_LOCK})`.execute(tx);
}

/** The last closed month; '' if none is. */
export async function findClosedThrough(sql: Sql): Promise<string> {
  const row = await sql.selectFrom('closedMonths').select('month').orderBy('month', 'desc').limit(1).executeTakeFirst();
  return row?.month ?? '';
}

export async function insertClosedMonth(tx: Sql, month: string, now: Temporal.Instant): Promise<void> {
  await tx.insertInto('closedMonths').values({ month, closedAt: now.toString() }).execute();
}

/** Locks the ledgers of orders, by id, and starts new ones. */
export async function lockLedgers(tx: Sql, orderIds: readonly string[]): Promise<LedgerOrder[]> {
  await raw`
    insert into ledger_orders (order_id, store_id, account_id, mode, order_number, state)
    select order_id, store_id, account_id, mode, coalesce(order_number, ''), 'null' from orders
    where order_id = any(${orderIds}::text[]) order by order_id
    on conflict (order_id) do nothing`.execute(tx);
  return tx
    .selectFrom('ledgerOrders')
    .select(['orderId', 'storeId', 'accountId', 'mode', 'orderNumber', 'lastSequence', 'state'])
    .where('orderId', 'in', [...orderIds])
    .orderBy('orderId')
    .forUpdate()
    .execute();
}

/** The ledger of an order as far as it is written; null before its first entry. */
export async function findLedgerState(sql: Sql, { orderId }: Pick<LedgerOrder, 'orderId'>) {
  const row = await sql.selectFrom('ledgerOrders').select('state').where('orderId', '=', orderId).executeTakeFirst();
  return row?.state ?? null;
}

/** Events of locked ledgers without entries, in the order of each order. */
export async function findUnwrittenEvents(tx: Sql, orderIds: readonly string[]): Promise<EventKey[]> {
  return tx
    .selectFrom('orderEvents as e')
    .innerJoin('ledgerOrders as l', 'l.orderId', 'e.orderId')
    .select(['e.orderId', 'e.sequence'])
    .where('e.orderId', 'in', [...orderIds])
    .where('e.type', 'in', LEDGER_EVENTS)
    .whereRef('e.sequence', '>', 'l.lastSequence')
    .execute();
}

/** Orders with entries that are not written yet, of events until a moment or of damaged orders, by id. */
export async function findUnwrittenOrders(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await sql
    .selectFrom('orderEvents as e')
    .leftJoin('ledgerOrders as l', 'l.orderId', 'e.orderId')
    .select('e.orderId')
    .where('e.dispatched', '=', false)
    .where('e.at', '<=', instantParam(before))
    .where('e.orderId', '>', after)
    .where('e.type', 'in', LEDGER_EVENTS)
    .where(raw<boolean>`e.sequence > coalesce(l.last_sequence, 0)`)
    .union(
      sql
        .selectFrom('ledgerOrders')
        .select('orderId')
        .where('unwrittenSince', 'is not', null)
        .where('orderId', '>', after),
    )
    .orderBy('orderId')
    .limit(limit)
    .execute();
  return rows.map(({ orderId }) => orderId);
}

/** The order whose entry has been missing longest, in a month or earlier by its store's clock. */
export async function findIncompleteOrder(sql: Sql, month: string): Promise<string | undefined> {
  const { rows } = await raw<{ orderId: string }>`
    select missing.order_id from (
      select e.order_id, e.at from order_events as e left join ledger_orders as l using (order_id)
        where not e.dispatched and e.type = any(${LEDGER_EVENTS}::text[]) and e.sequence > coalesce(l.last_sequence, 0)
      union all
      select order_id, unwritten_since from ledger_orders where unwritten_since is not null
    ) as missing join orders as o using (order_id) join stores as s using (store_id)
    where to_char(missing.at at time zone (s.profile->>'timeZone'), 'YYYY-MM') <= ${month}
    order by missing.at limit 1`.execute(sql);
  return rows[0]?.orderId;
}

export async function insertEntries(tx: Sql, entries: readonly WrittenEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => snakeCase(entry, String));
  await raw`
    insert into ledger_entries
    select * from jsonb_populate_recordset(null::ledger_entries, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
}

/** An amount of an entry `e`; entries from before discounts have none. */
export const amountOf = (name: (typeof AMOUNTS)[number]) => raw<number>`coalesce(${raw.ref(`e.${name}`)}, 0)`;

/** The store's own driver who delivered an order, and the local day. */
export type OwnDelivery = { driverName: string; driverPhone: number | null; deliveredOn: string };

/** Ledger entries written, or since when and why none could be. */
export type SavedLedger = Pick<LedgerOrder, 'orderId' | 'lastSequence' | 'state'> &
  Partial<OwnDelivery & { unwrittenSince: Temporal.Instant; writeError: string }>;

export async function saveLedgers(tx: Sql, ledgers: readonly SavedLedger[]): Promise<void> {
  const rows = ledgers.map((ledger) => snakeCase(ledger, String));
  await raw`
    update ledger_orders as l set last_sequence = n.last_sequence, state = coalesce(n.state, 'null'),
      driver_name = coalesce(n.driver_name, l.driver_name), driver_phone = coalesce(n.driver_phone, l.driver_phone),
      delivered_on = coalesce(n.delivered_on, l.delivered_on), unwritten_since = n.unwritten_since,
      write_error = n.write_error
    from jsonb_populate_recordset(null::ledger_orders, ${JSON.stringify(rows)}::jsonb) as n
    where l.order_id = n.order_id`.execute(tx);
}

/** The time zones of stores with a catalog. */
export async function findTimeZones(sql: Sql): Promise<string[]> {
  const rows = await sql
    .selectFrom('stores')
    .select(raw<string>`profile->>'timeZone'`.as('timeZone'))
    .distinct()
    .where('hasCatalog', '=', true)
    .execute();
  return rows.map(({ timeZone }) => timeZone);
}
