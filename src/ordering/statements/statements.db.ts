import { type ExpressionBuilder, sql as raw, type SelectQueryBuilder } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { Country } from '../../supply/stores/store.ts';
import type { Driver } from '../order/order.ts';
import { DISCOUNT_NAMES } from '../order/shares.ts';
import type { TaxLine } from '../order/tax-lines.ts';
import { amountOf, type OwnDelivery, type WrittenEntry } from './ledger.db.ts';
import { AMOUNTS, type Amounts, OWNED, type TaxPlace } from './ledger-entry.ts';
import type { OrderTerms } from './terms.ts';

/** Entries of a month: live ones, or one account's sandbox entries. */
export type StatementWorld = { mode: KeyMode; accountId: string | null };
export type StatementQuery = StatementWorld & { storeId: string; month: string };
/** For one store, or for all. */
export type MonthQuery = Omit<StatementQuery, 'storeId'> & { storeId?: string | undefined };

export type StatementLine = Amounts &
  Pick<WrittenEntry, 'orderId' | 'sequence' | 'date' | 'at' | 'kind' | 'isCorrection'> & {
    orderNumber: string;
    /** The store's registration numbers where it remits the taxes; null where the operator does. */
    storeTaxIds: string[] | null;
  };

/** The position of a line in its statement. */
export type LineCursor = Pick<StatementLine, 'at' | 'orderId' | 'sequence'>;

/** Lines of a statement in the order of their events, after the last line of the page before. */
export async function listLines(
  sql: Sql,
  query: StatementQuery,
  { after, limit }: { after: LineCursor | undefined; limit: number },
): Promise<StatementLine[]> {
  return ofMonth(sql, query)
    .innerJoin('ledgerOrders as o', 'o.orderId', 'e.orderId')
    .innerJoin('stores as s', 's.storeId', 'e.storeId')
    .select(['o.orderNumber', STORE_TAX_IDS.as('storeTaxIds')])
    .select(['e.orderId', 'e.sequence', 'e.date', 'e.at', 'e.kind', 'e.isCorrection'])
    .select(AMOUNTS.map((name) => amountOf(name).as(name)))
    .select('e.taxLines')
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

const STORE_TAX_IDS = raw<string[] | null>`case o.state->'terms'->>'tax' when 'store' then s.tax_ids end`;

/** The registration numbers of who remits taxes of a month. */
export async function listTaxIds(sql: Sql, query: StatementQuery, operatorIds: readonly string[]): Promise<string[]> {
  const rows = await ofMonth(sql, query)
    .innerJoin('ledgerOrders as o', 'o.orderId', 'e.orderId')
    .innerJoin('stores as s', 's.storeId', 'e.storeId')
    .select(STORE_TAX_IDS.as('taxIds'))
    .distinct()
    .execute();
  return rows.flatMap(({ taxIds }) => taxIds ?? operatorIds);
}

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/** The cents of orders' entries in earlier months, by order. */
export async function sumEarlier(sql: Sql, lines: readonly StatementLine[], month: string) {
  const rows = await sql
    .selectFrom('ledgerEntries as e')
    .select(['e.orderId', raw<number>`sum(${raw.join(OWNED.map(amountOf), raw` + `)})`.as('cents')])
    .where('e.orderId', '=', raw<string>`any(${lines.map(({ orderId }) => orderId)}::text[])`)
    .where('e.month', '<', month)
    .groupBy('e.orderId')
    .execute();
  return new Map(rows.map(({ orderId, cents }) => [orderId, cents]));
}

/** The sums of one local day; `orders` counts its sales. */
export type StatementDay = Amounts & { date: string; orders: number };

export async function listDays(sql: Sql, query: StatementQuery): Promise<StatementDay[]> {
  const entries = ofMonth(sql, query);
  const days = await entries
    .select('e.date')
    .select((eb) => [countSales(eb), ...sums(eb)])
    .groupBy('e.date')
    .orderBy('e.date')
    .execute();
  const taxes = await sumTaxes(sql, entries.select('e.date as key'));
  return days.map((day) => ({ ...day, taxLines: taxes.get(day.date) ?? [] }));
}

/** The names of the taxes of a month, of one store or of all. */
export async function listTaxNames(sql: Sql, query: MonthQuery): Promise<string[]> {
  const taxes = await sumTaxes(sql, ofMonth(sql, query).select('e.month as key'));
  return [...taxes.values()].flatMap((lines) => lines.map(({ name }) => name));
}

/** Whether stores took something off, and whether others did. */
export type DiscountColumns = { byStore: boolean; byOthers: boolean };

/** Whether a month has discounts of stores, and of others. */
export async function findDiscountColumns(sql: Sql, query: MonthQuery): Promise<DiscountColumns> {
  const [ofStore, ofAccount, ofOperator] = DISCOUNT_NAMES.map((name) => amountOf(name));
  return ofMonth(sql, query)
    .select([
      raw<boolean>`coalesce(bool_or(${ofStore} <> 0), false)`.as('byStore'),
      raw<boolean>`coalesce(bool_or(${ofAccount} + ${ofOperator} <> 0), false)`.as('byOthers'),
    ])
    .executeTakeFirstOrThrow();
}

const TAX_LINE = raw<TaxLine>`jsonb_array_elements(e.tax_lines)`;

/** The sums of taxes by name, sorted, of the entries of each key. */
async function sumTaxes(
  sql: Sql,
  entries: SelectQueryBuilder<Database & { e: Database['ledgerEntries'] }, 'e', { key: string }>,
): Promise<ReadonlyMap<string, Amounts['taxLines']>> {
  const rows = await sql
    .selectFrom(entries.select(TAX_LINE.as('line')).as('t'))
    .select('t.key')
    .select([raw<string>`t.line->>'name'`.as('name'), raw<number>`sum((t.line->>'cents')::bigint)`.as('cents')])
    .groupBy(['t.key', raw`t.line->>'name'`])
    .orderBy(raw`t.line->>'name'`)
    .execute();
  return Map.groupBy(rows, ({ key }) => key);
}

/** A tax of a month's orders in one place, on one class, by who remits it. */
export type TaxSum = TaxPlace & TaxLine & { remitter: OrderTerms['tax'] };

/** The taxes of a month by place as its stores write it, name, class and remitter. */
export async function listTaxSums(sql: Sql, query: MonthQuery, limit: number): Promise<TaxSum[]> {
  const entries = ofMonth(sql, query)
    .innerJoin('ledgerOrders as o', 'o.orderId', 'e.orderId')
    .select(raw<TaxPlace>`o.state->'place'`.as('place'))
    .select(raw<TaxSum['remitter']>`o.state->'terms'->>'tax'`.as('remitter'))
    .select(TAX_LINE.as('line'));
  const { rows } = await raw<TaxSum>`
    select place->>'country' as country, place->>'state' as state, remitter, line->>'name' as name,
      line->>'taxClass' as tax_class, sum((line->>'baseCents')::bigint) as base_cents,
      sum((line->>'cents')::bigint) as cents
    from ${entries.as('t')} group by 1, 2, 3, 4, 5
    having sum((line->>'cents')::bigint) <> 0 or sum((line->>'baseCents')::bigint) <> 0
    limit ${limit}`.execute(sql);
  return rows;
}

/** The sums of one store's statement. */
export type StoreTotals = Amounts & { storeId: string; name: string; country: Country; orders: number };

/** Stores with entries in a month, by id. */
export async function listStoreTotals(sql: Sql, query: MonthQuery, { after, limit }: { after: string; limit: number }) {
  const totals = await ofMonth(sql, query)
    .innerJoin('stores as s', 's.storeId', 'e.storeId')
    .select('e.storeId')
    .select([raw<string>`s.profile->>'name'`.as('name'), raw<Country>`s.profile->'address'->>'country'`.as('country')])
    .select((eb) => [countSales(eb), ...sums(eb)])
    .where('e.storeId', '>', after)
    .groupBy(['e.storeId', 's.storeId'])
    .orderBy('e.storeId')
    .limit(limit)
    .execute();
  const storeIds = totals.map(({ storeId }) => storeId);
  const ofStores = ofMonth(sql, query).where('e.storeId', '=', raw<string>`any(${storeIds}::text[])`);
  const taxes = await sumTaxes(sql, ofStores.select('e.storeId as key'));
  return totals.map((total) => ({ ...total, taxLines: taxes.get(total.storeId) ?? [] }));
}

function ofMonth(sql: Sql, { storeId, mode, accountId, month }: MonthQuery) {
  return sql
    .selectFrom('ledgerEntries as e')
    .where('e.mode', '=', mode)
    .where('e.month', '=', month)
    .$if(storeId !== undefined, (entries) => entries.where('e.storeId', '=', storeId ?? ''))
    .$if(accountId !== null, (entries) => entries.where('e.accountId', '=', accountId ?? ''));
}

type Entries = ExpressionBuilder<Database & { e: Database['ledgerEntries'] }, 'e'>;

const countSales = (_: Entries) => raw<number>`count(*) filter (where e.kind = 'sale')`.as('orders');
const sums = (eb: Entries) => AMOUNTS.map((name) => eb.fn.sum<number>(amountOf(name)).as(name));

/** Later tips included. */
const TIPS_OF_ORDER = `(select coalesce(sum(e.tip_cents), 0) from ledger_entries e where e.order_id = o.order_id)`;

/** Tips of a driver's deliveries, in cents: of one local day, and of all days since another. */
export type DriverTips = { dayCents: number; sinceCents: number };

/** With the name, this distinguishes a store's drivers: some have no phone, and some share the store's. */
const DRIVER_PHONE = raw<number>`coalesce(o.driver_phone, 0)`;

/** The tips of one of a store's own drivers, except for one order. */
export async function sumDriverTips(
  sql: Sql,
  { storeId, mode, accountId }: Omit<StatementQuery, 'month'>,
  of: { driver: Pick<Driver, 'name' | 'phone'>; day: string; since: string; except: string },
): Promise<DriverTips> {
  const { driver, day, since, except } = of;
  const tips = raw.raw(TIPS_OF_ORDER);
  return sql
    .selectFrom('ledgerOrders as o')
    .select([
      raw<number>`coalesce(sum(${tips}) filter (where o.delivered_on = ${day}), 0)`.as('dayCents'),
      raw<number>`coalesce(sum(${tips}), 0)`.as('sinceCents'),
    ])
    .where('o.storeId', '=', storeId)
    .where('o.mode', '=', mode)
    .$if(accountId !== null, (orders) => orders.where('o.accountId', '=', accountId ?? ''))
    .where('o.driverName', '=', driver.name ?? '')
    .where(DRIVER_PHONE, '=', driver.phone ?? 0)
    .where('o.deliveredOn', '>=', since)
    .where('o.orderId', '<>', except)
    .executeTakeFirstOrThrow();
}

/** A store driver's deliveries on a local day, and the tips of these orders so far. */
export type DriverDay = OwnDelivery & { deliveries: number; tipCents: number };

export async function listDriverDays(
  sql: Sql,
  { storeId, mode, accountId, month }: StatementQuery,
  { after, limit }: { after: Pick<DriverDay, keyof OwnDelivery> | undefined; limit: number },
): Promise<DriverDay[]> {
  const rows = await sql
    .selectFrom('ledgerOrders as o')
    .select(['o.driverName', 'o.driverPhone', 'o.deliveredOn'])
    .select([raw<number>`count(*)`.as('deliveries'), raw<number>`sum(${raw.raw(TIPS_OF_ORDER)})`.as('tipCents')])
    .where('o.storeId', '=', storeId)
    .where('o.mode', '=', mode)
    .$if(accountId !== null, (orders) => orders.where('o.accountId', '=', accountId ?? ''))
    .where('o.deliveredOn', '>=', `${month}-01`)
    .where('o.deliveredOn', '<=', `${month}-31`)
    .$if(after !== undefined, (orders) =>
      orders.where(
        raw<boolean>`(o.driver_name, ${DRIVER_PHONE}, o.delivered_on) > (${after?.driverName}, ${after?.driverPhone ?? 0}::bigint, ${after?.deliveredOn})`,
      ),
    )
    .groupBy(['o.driverName', 'o.driverPhone', 'o.deliveredOn'])
    .orderBy('o.driverName')
    .orderBy(DRIVER_PHONE)
    .orderBy('o.deliveredOn')
    .limit(limit)
    .$narrowType<{ driverName: string; deliveredOn: string }>()
    .execute();
  return rows;
}
