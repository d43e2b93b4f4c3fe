import { type ExpressionBuilder, sql as raw } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { Country } from '../../supply/stores/store.ts';
import type { OwnDelivery, WrittenEntry } from './ledger.db.ts';
import { AMOUNTS, type Amounts } from './ledger-entry.ts';

/** Entries of a month: live ones, or those of one account's sandbox. */
export type StatementWorld = { mode: KeyMode; accountId: string | null };
export type StatementQuery = StatementWorld & { storeId: string; month: string };

export type StatementLine = Amounts &
  Pick<WrittenEntry, 'orderId' | 'sequence' | 'date' | 'at' | 'kind' | 'isCorrection'> & { orderNumber: string };

/** The position of a line in its statement. */
export type LineCursor = Pick<StatementLine, 'at' | 'orderId' | 'sequence'>;

/** Lines of a statement in the sequence of their events, after the last line of the page before. */
export async function listLines(
  sql: Sql,
  query: StatementQuery,
  { after, limit }: { after: LineCursor | undefined; limit: number },
): Promise<StatementLine[]> {
  return ofStatement(sql, query)
    .innerJoin('ledgerOrders as o', 'o.orderId', 'e.orderId')
    .select('o.orderNumber')
    .select(['e.orderId', 'e.sequence', 'e.date', 'e.at', 'e.kind', 'e.isCorrection'])
    .select(AMOUNTS.map((name) => `e.${name}` as const))
    .$if(after !== undefined, (lines) =>
      lines.where(
        raw<boolean>`(e.at, e.order_id, e.sequence) > (${instantParam(after?.at ?? EPOCH)}, ${after?.orderId}, ${after?.sequence}::int)`,
      ),
    )
    .orderBy('e.at')
    .orderBy('e.orderId')
    .orderBy('e.sequence')
    .limit(limit)
    .execute();
}

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/** The sums of one local day; `orders` counts its sales. */
export type StatementDay = Amounts & { date: string; orders: number };

export async function listDays(sql: Sql, query: StatementQuery): Promise<StatementDay[]> {
  return ofStatement(sql, query)
    .select('e.date')
    .select((eb) => [countSales(eb), ...sums(eb)])
    .groupBy('e.date')
    .orderBy('e.date')
    .execute();
}

/** The sums of one store's statement. */
export type StoreTotals = Amounts & { storeId: string; name: string; country: Country; orders: number };

/** Stores with entries in a month, by id. */
export async function listStoreTotals(
  sql: Sql,
  { mode, accountId, month }: Omit<StatementQuery, 'storeId'>,
  { after, limit }: { after: string; limit: number },
): Promise<StoreTotals[]> {
  return sql
    .selectFrom('ledgerEntries as e')
    .innerJoin('stores as s', 's.storeId', 'e.storeId')
    .select('e.storeId')
    .select([raw<string>`s.profile->>'name'`.as('name'), raw<Country>`s.profile->'address'->>'country'`.as('country')])
    .select((eb) => [countSales(eb), ...sums(eb)])
    .where('e.month', '=', month)
    .where('e.mode', '=', mode)
    .$if(accountId !== null, (entries) => entries.where('e.accountId', '=', accountId ?? ''))
    .where('e.storeId', '>', after)
    .groupBy(['e.storeId', 's.storeId'])
    .orderBy('e.storeId')
    .limit(limit)
    .execute();
}

function ofStatement(sql: Sql, { storeId, mode, accountId, month }: StatementQuery) {
  return sql
    .selectFrom('ledgerEntries as e')
    .where('e.storeId', '=', storeId)
    .where('e.mode', '=', mode)
    .where('e.month', '=', month)
    .$if(accountId !== null, (entries) => entries.where('e.accountId', '=', accountId ?? ''));
}

type Entries = ExpressionBuilder<Database & { e: Database['ledgerEntries'] }, 'e'>;

const countSales = (_: Entries) => raw<number>`count(*) filter (where e.kind = 'sale')`.as('orders');
const sums = (eb: Entries) => AMOUNTS.map((name) => eb.fn.sum<number>(`e.${name}`).as(name));

/** What one of a store's own drivers delivered on a local day, and the tips of these orders so far. */
export type DriverDay = OwnDelivery & { deliveries: number; tipCents: number };

export async function listDriverDays(
  sql: Sql,
  { storeId, mode, accountId, month }: StatementQuery,
  { after, limit }: { after: Pick<DriverDay, keyof OwnDelivery> | undefined; limit: number },
): Promise<DriverDay[]> {
  const phone = raw<number>`coalesce(o.driver_phone, 0)`;
  const rows = await sql
    .selectFrom('ledgerOrders as o')
    .select(['o.driverName', 'o.driverPhone', 'o.deliveredOn'])
    .select([
      raw<number>`count(*)`.as('deliveries'),
      raw<number>`sum((select coalesce(sum(e.tip_cents), 0) from ledger_entries e where e.order_id = o.order_id))`.as(
        'tipCents',
      ),
    ])
    .where('o.storeId', '=', storeId)
    .where('o.mode', '=', mode)
    .$if(accountId !== null, (orders) => orders.where('o.accountId', '=', accountId ?? ''))
    .where('o.deliveredOn', '>=', `${month}-01`)
    .where('o.deliveredOn', '<=', `${month}-31`)
    .$if(after !== undefined, (orders) =>
      orders.where(
        raw<boolean>`(o.driver_name, ${phone}, o.delivered_on) > (${after?.driverName}, ${after?.driverPhone ?? 0}::bigint, ${after?.deliveredOn})`,
      ),
    )
    .groupBy(['o.driverName', 'o.driverPhone', 'o.deliveredOn'])
    .orderBy('o.driverName')
    .orderBy(phone)
    .orderBy('o.deliveredOn')
    .limit(limit)
    .$narrowType<{ driverName: string; deliveredOn: string }>()
    .execute();
  return rows;
}
