import type { Sql } from '../../platform/db/connect.ts';
import { readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import type { CsvCell, CsvTable } from '../../platform/lib/csv.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import { parseMoment } from '../../platform/lib/time.ts';
import { type Country, currencyOf } from '../../supply/stores/store.ts';
import { findEvents } from '../order/order-events.db.ts';
import { journalEnd, journalEntry, keptAfter } from './journal.ts';
import { findClosedThrough } from './ledger.db.ts';
import type { Amounts } from './ledger-entry.ts';
import {
  DRIVER_HEADS,
  type DriversSheet,
  driverCells,
  type OwnersStatement,
  presentAdded,
  presentAmounts,
  presentDay,
  presentDrivers,
  presentLine,
  presentShares,
  type Statement,
  type StatementView,
  statementColumns,
  totalOf,
} from './present-statement.ts';
import {
  type DriverDay,
  findDiscountColumns,
  type LineCursor,
  listDays,
  listDriverDays,
  listLines,
  listStoreTotals,
  listTaxIds,
  listTaxNames,
  type MonthQuery,
  type StatementLine,
  type StatementQuery,
  type StoreTotals,
  sumEarlier,
} from './statements.db.ts';

/** Lines of a statement per query, so that a month of any length is read in bounded memory. */
const PAGE_LINES = 1000;

/** Whether the statements of a month are final. */
export const isClosed = async (sql: Sql, month: string): Promise<boolean> => (await findClosedThrough(sql)) >= month;

/** The lines after a position; 1,000 without a limit. */
type Page = { after: LineCursor | undefined; limit?: number };
/** A statement's facts about its store, and the operator's registration numbers. */
type Shown = { country: Country; operatorTaxIds: readonly string[] };

/** A page of a store's statement, for the store. `showsAdded`: with the customers' prices and the accounts' additions. */
export const readStatement = (
  sql: Sql,
  query: StatementQuery,
  { showsAdded, ...page }: Page & Shown & { showsAdded: boolean },
): Promise<Statement> => readPage(sql, query, page, showsAdded ? presentAdded : () => ({}));

/** A page of a store's statement with the shares of the five owners, for an operator. */
export const readOwnersStatement = (sql: Sql, query: StatementQuery, page: Page & Shown): Promise<OwnersStatement> =>
  readPage(sql, query, page, presentShares);

async function readPage<Shares extends object>(
  sql: Sql,
  query: StatementQuery,
  { country, operatorTaxIds, after, limit = PAGE_LINES }: Page & Shown,
  sharesOf: (amounts: Amounts) => Shares,
) {
  const [days, found, closed, taxIds] = await Promise.all([
    listDays(sql, query),
    listLines(sql, query, { after, limit: limit + 1 }),
    isClosed(sql, query.month),
    listTaxIds(sql, query, operatorTaxIds),
  ]);
  const lines = found.slice(0, limit);
  const last = lines.at(-1);
  const total = totalOf(days);
  return {
    ...headOf(query, country, closed),
    tax_ids: taxIds,
    lines: lines.map((line) => ({ ...presentLine(line), ...sharesOf(line) })),
    days: days.map((day) => ({ ...presentDay(day), ...sharesOf(day) })),
    totals: { orders: total.orders, ...presentAmounts(total), ...sharesOf(total) },
    next: found.length > limit && last ? writeLineCursor(last) : null,
  };
}

const headOf = ({ month, storeId }: StatementQuery, country: Country, closed: boolean) => ({
  month,
  store_id: storeId,
  currency: currencyOf(country),
  is_closed: closed,
});

const writeLineCursor = ({ at, orderId, sequence }: LineCursor) => writeCursor(`${at}`, orderId, sequence);

/** Reads `after`; refuses any text that is not a cursor with `invalid_request`. */
export function readLineCursor(text: string | undefined): LineCursor | undefined {
  if (text === undefined) return undefined;
  return readCursor(text, { in: 'query', name: 'after' }, ([moment, orderId, sequence, ...more]) => {
    if (typeof moment !== 'string' || typeof orderId !== 'string' || !/^[\w-]{1,64}$/.test(orderId)) return undefined;
    if (typeof sequence !== 'number' || sequence < 0 || sequence > MAX_SEQUENCE || more.length > 0) return undefined;
    const at = parseMoment(moment);
    return at && { at, orderId, sequence };
  });
}

const MAX_SEQUENCE = 2_147_483_647;

/** All lines of a statement, a page at a time. */
const pagesOfLines = (sql: Sql, query: StatementQuery) =>
  readPages<StatementLine>(PAGE_LINES, (after) => listLines(sql, query, { after, limit: PAGE_LINES }));

/** Statements as CSV: of one store, or of every store with entries in the month. */
export async function statementTable(
  sql: Sql,
  query: MonthQuery,
  shown: { view: StatementView; country: Country | undefined; operatorTaxIds: readonly string[] },
): Promise<CsvTable> {
  const { view, country = 'US', operatorTaxIds } = shown;
  const [taxNames, discounts] = await Promise.all([listTaxNames(sql, query), findDiscountColumns(sql, query)]);
  const columnsOf = (storeId: string, ofCountry: Country) =>
    statementColumns(view, { storeId, currency: currencyOf(ofCountry), taxNames, discounts, operatorTaxIds });
  const ofStore = (storeId: string, ofCountry: Country) => {
    const columns = columnsOf(storeId, ofCountry);
    const toCells = (line: StatementLine) => columns.map(({ cell }) => cell(line));
    return readBatches(pagesOfLines(sql, { ...query, storeId }), toCells);
  };
  const { storeId } = query;
  const batches = storeId === undefined ? ofAllStores(sql, query, ofStore) : ofStore(storeId, country);
  return { head: columnsOf('', country).map(({ head }) => head), batches };
}

async function* readBatches<Item>(pages: AsyncIterable<readonly Item[]>, toCells: (item: Item) => CsvCell[]) {
  for await (const page of pages) yield page.map(toCells);
}

async function* ofAllStores(
  sql: Sql,
  query: MonthQuery,
  ofStore: (storeId: string, country: Country) => AsyncIterable<CsvCell[][]>,
) {
  for await (const stores of pagesOfStores(sql, query)) {
    for (const { storeId, country } of stores) yield* ofStore(storeId, country);
  }
}

/** A month's entries as a journal for hledger: of one store, or of every store with entries in the month. */
export async function* journalText(sql: Sql, query: MonthQuery): AsyncGenerator<string> {
  for await (const stores of pagesOfStores(sql, query))
    for (const store of stores) yield* journalOfStore(sql, query, store);
}

async function* journalOfStore(sql: Sql, query: MonthQuery, store: StoreTotals): AsyncGenerator<string> {
  // By each order's last event: its events may lie otherwise by the clock.
  const last = new Map<string, { sequence: number; cents: number | null }>();
  let end = `${query.month}-01`;
  for await (const lines of pagesOfLines(sql, { ...query, storeId: store.storeId })) {
    const [events, earlier] = await Promise.all([findEvents(sql, lines), sumEarlier(sql, lines, query.month)]);
    const logged = new Map(events.map((event) => [`${event.order.orderId} ${event.sequence}`, event]));
    for (const line of lines) {
      const { orderId, sequence, date } = line;
      const event = logged.get(`${orderId} ${sequence}`);
      const known = last.get(orderId);
      const beforeCents = known ? 0 : (earlier.get(orderId) ?? 0);
      yield journalEntry({ ...line, beforeCents }, store.storeId, currencyOf(store.country));
      if (date > end) end = date;
      if (known && known.sequence > sequence) continue;
      last.set(orderId, { sequence, cents: event ? keptAfter(event.type, line, event.order) : null });
    }
  }
  yield journalEnd(store, end, new Map([...last].map(([orderId, { cents }]) => [orderId, cents])));
}

const PAGE_STORES = 200;

/** The totals of every store with entries in a month, a page at a time. */
export const pagesOfStores = (sql: Sql, query: MonthQuery) =>
  readPages<StoreTotals>(PAGE_STORES, (last) =>
    listStoreTotals(sql, query, { after: last?.storeId ?? '', limit: PAGE_STORES }),
  );

const MAX_DRIVER_DAYS = 5000;

/** Deliveries of a store's own drivers in a month. */
export async function readDriversSheet(sql: Sql, query: StatementQuery, country: Country): Promise<DriversSheet> {
  const [days, closed] = await Promise.all([
    listDriverDays(sql, query, { after: undefined, limit: MAX_DRIVER_DAYS + 1 }),
    isClosed(sql, query.month),
  ]);
  return {
    ...headOf(query, country, closed),
    drivers: presentDrivers(days.slice(0, MAX_DRIVER_DAYS)),
    is_complete: days.length <= MAX_DRIVER_DAYS,
  };
}

/** The drivers' sheet as CSV. */
export function driversTable(sql: Sql, query: StatementQuery, country: Country): CsvTable {
  const toCells = (day: DriverDay) => driverCells(day, currencyOf(country));
  const days = readPages<DriverDay>(PAGE_LINES, (after) => listDriverDays(sql, query, { after, limit: PAGE_LINES }));
  return { head: DRIVER_HEADS, batches: readBatches(days, toCells) };
}
