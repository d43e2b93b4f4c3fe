import { type Static, type TProperties, Type } from 'typebox';
import { cents, component, orNull } from '../../platform/http/api-components.ts';
import type { CsvCell } from '../../platform/lib/csv.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { epochSeconds, isoSeconds } from '../../platform/lib/time.ts';
import { discountsByOthers, sumOf } from '../order/shares.ts';
import { AMOUNTS, type Amounts } from './ledger-entry.ts';
import { MONTH_PATTERN } from './month.ts';
import { AMOUNT_COLUMNS, type AmountColumn, RARE_AMOUNTS } from './statement-columns.ts';
import type { DiscountColumns, DriverDay, StatementDay, StatementLine } from './statements.db.ts';

/**
 * A statement (docs/statements.md) in answers and in CSV, for its store or an operator. Only operators see the five
 * owners: an account's profit is its own.
 */

type AmountColumns = Readonly<Record<string, AmountColumn>>;

const OWNER_COLUMNS = {
  store: ['storeCents', 'Sales, and the fees that are its own, less commission.'],
  driver: ['driverCents', 'Tips; also those that refunds gave back, which the operator bears.'],
  tax: ['taxesCents', 'Taxes, also those that the store remits.'],
  operator: ['operatorCents', 'Commission, and the fees that are its own, less what it takes off and refunded tips.'],
  account: ['accountCents', 'Markup and the fees that the account adds, less what it takes off.'],
} as const satisfies AmountColumns;

/** The amounts with the whole share of the account. */
const withOwners = <Line extends Amounts>(line: Line): Line => ({
  ...line,
  accountCents: line.accountCents + line.accountDiscountCents,
});

const namesOf = <Name extends string>(columns: Readonly<Record<Name, AmountColumn>>) => Object.keys(columns) as Name[];
const fieldsOf = <Name extends string>(columns: Readonly<Record<Name, AmountColumn>>) =>
  recordByName(namesOf(columns), (name) => cents(columns[name][1]));
const centsOf = <Name extends string>(columns: Readonly<Record<Name, AmountColumn>>, amounts: Amounts) =>
  recordByName(namesOf(columns), (name) => amounts[columns[name][0]]);

const { discounts: discountsField, ...EveryAmount } = fieldsOf(AMOUNT_COLUMNS);
const AmountFields = {
  ...EveryAmount,
  discounts: Type.Optional(discountsField),
  tax_lines: Type.Array(Type.Object({ name: Type.String(), amount: Type.Integer() }), {
    description: 'The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.',
  }),
};

/** Of lines, days and totals, where `SHOW_STORES_ADDED_FEES` lets stores see it. */
const AddedFields = {
  customer_total: cents('What the customer paid or got back. Absent without `SHOW_STORES_ADDED_FEES`.'),
  added: cents(
    'What of it the account added to the prices of the store: markup and fees. Absent without `SHOW_STORES_ADDED_FEES`.',
  ),
  discounts_by_others: cents(
    'What account and operator took off, at most 0. Absent where it is 0, and without `SHOW_STORES_ADDED_FEES`.',
  ),
};

export const LINE_KINDS = ['sale', 'refund', 'adjustment', 'tip', 'correction'] as const;

const LineFields = {
  order_id: Type.String(),
  order_number: Type.String(),
  date: Type.String({ description: 'The local day of the store.' }),
  timestamp: Type.Integer({ description: 'Epoch seconds.' }),
  kind: Type.Enum([...LINE_KINDS], {
    description: '`correction`: of a month that was closed before the service could book it.',
  }),
  ...AmountFields,
};
export const SumFields = { orders: Type.Integer({ description: 'How many orders were placed.' }), ...AmountFields };
const DayFields = { date: Type.String({ description: 'A local day of the store.' }), ...SumFields };

export const MonthParameter = Type.String({
  pattern: MONTH_PATTERN,
  description: 'A month by the clock of the store, such as 2026-11.',
});

const StatementFields = {
  month: Type.String(),
  store_id: Type.String(),
  currency: Type.Enum(['USD', 'CAD']),
  is_closed: Type.Boolean({ description: 'A closed month never changes.' }),
};

const TaxIds = Type.Array(Type.String(), {
  description: 'Registration numbers of who remits taxes of the month: the operator, the store, or both.',
});

const NextField = orNull(Type.String(), 'The `after` of the next page; null on the last.');

/** Fields of a statement; `shares` are in each of its lines, days and totals. */
const statementFields = <Shares extends TProperties>(shares: Shares) => ({
  ...StatementFields,
  tax_ids: TaxIds,
  lines: Type.Array(Type.Object({ ...LineFields, ...shares }), {
    description: 'In the sequence of the events, at most 1,000.',
  }),
  days: Type.Array(Type.Object({ ...DayFields, ...shares }), { description: 'Of the whole month, on every page.' }),
  totals: Type.Object({ ...SumFields, ...shares }, { description: 'Of the whole month, on every page.' }),
  next: NextField,
});

export const StatementSchema = component(
  'Statement',
  'What a store is owed for a month, in cents.',
  statementFields(Type.Partial(Type.Object(AddedFields)).properties),
);
export type Statement = Static<typeof StatementSchema>;

export const SharesSchema = component(
  'OwnerShares',
  'Whose the cents are: together, charges less refunds.',
  fieldsOf(OWNER_COLUMNS),
);

export const OwnersStatementSchema = component(
  'OwnersStatement',
  'A statement with the shares of the five owners, in cents.',
  statementFields({ shares: SharesSchema }),
);
export type OwnersStatement = Static<typeof OwnersStatementSchema>;

const DriverSums = {
  deliveries: Type.Integer({ description: 'Completed deliveries.' }),
  tips: cents('Tips of these deliveries, later tips included; none of orders that were not charged here.'),
};

export const DriversSheetSchema = component('DriversSheet', "Deliveries and tips of the store's own drivers, by day.", {
  ...StatementFields,
  drivers: Type.Array(
    Type.Object({
      name: Type.String(),
      phone: orNull(Type.Integer(), 'With the country code.'),
      ...DriverSums,
      days: Type.Array(Type.Object({ date: Type.String({ description: 'Of the delivery.' }), ...DriverSums })),
    }),
  ),
  is_complete: Type.Boolean({ description: 'False beyond 5,000 days of drivers; the CSV has all of them.' }),
});
export type DriversSheet = Static<typeof DriversSheetSchema>;

/** Days of each driver, from days sorted by driver. */
export function presentDrivers(days: readonly DriverDay[]): DriversSheet['drivers'] {
  const byDriver = Map.groupBy(days, ({ driverName, driverPhone }) => JSON.stringify([driverName, driverPhone]));
  return [...byDriver.values()].map((own) => ({
    name: own[0]?.driverName ?? '',
    phone: own[0]?.driverPhone ?? null,
    deliveries: own.reduce((sum, { deliveries }) => sum + deliveries, 0),
    tips: own.reduce((sum, { tipCents }) => sum + tipCents, 0),
    days: own.map(({ deliveredOn, deliveries, tipCents }) => ({ date: deliveredOn, deliveries, tips: tipCents })),
  }));
}

function amountsByTax(lines: Amounts['taxLines']) {
  return [...Map.groupBy(lines, ({ name }) => name)].map(([name, same]) => ({
    name,
    amount: sumCents(same.map(({ cents: one }) => one)),
  }));
}

export function presentAmounts(amounts: Amounts) {
  const { discounts, ...every } = centsOf(AMOUNT_COLUMNS, amounts);
  return {
    ...every,
    ...(discounts !== 0 && { discounts }),
    tax_lines: amountsByTax(amounts.taxLines).filter(({ amount }) => amount !== 0),
  };
}

export const presentShares = (amounts: Amounts) => ({ shares: centsOf(OWNER_COLUMNS, withOwners(amounts)) });

const kindOf = ({ isCorrection, kind }: StatementLine) => (isCorrection ? ('correction' as const) : kind);

export function presentLine(line: StatementLine) {
  return {
    order_id: line.orderId,
    order_number: line.orderNumber,
    date: line.date,
    timestamp: epochSeconds(line.at),
    kind: kindOf(line),
    ...presentAmounts(line),
  };
}

export const presentAdded = (amounts: Amounts) => ({
  customer_total: customerTotalOf(amounts),
  added: amounts.accountCents,
  ...(discountsByOthers(amounts) !== 0 && { discounts_by_others: discountsByOthers(amounts) }),
});

const customerTotalOf = (line: Amounts) => sumOf(line) + line.collectedElsewhereCents;

export const presentDay = (day: StatementDay) => ({ date: day.date, orders: day.orders, ...presentAmounts(day) });

export function totalOf(days: readonly (Amounts & { orders: number })[]): Amounts & { orders: number } {
  const sums = recordByName([...AMOUNTS, 'orders'], (name) => sumCents(days.map((day) => day[name])));
  return { ...sums, taxLines: days.flatMap(({ taxLines }) => taxLines) };
}

/** The reader of a statement: its store, with or without the amounts that accounts added, or an operator. */
export type StatementView = 'store' | 'store_with_added' | 'owners';

/** What the cells of all lines have in common. */
type TableOfLines = {
  storeId: string;
  currency: string;
  taxNames: readonly string[];
  /** Amounts that are columns only where a line has some. */
  discounts: DiscountColumns;
  operatorTaxIds: readonly string[];
};

type StatementColumn = { head: string; cell(line: StatementLine): CsvCell };

/** The columns of a statement as CSV. Each tax has one of its own. */
export function statementColumns(view: StatementView, table: TableOfLines): StatementColumn[] {
  const { storeId, currency, taxNames, discounts, operatorTaxIds } = table;
  const amounts = (columns: AmountColumns, suffix = '', of = (line: Amounts) => line): StatementColumn[] =>
    Object.entries(columns)
      .filter(([name]) => discounts.byStore || !RARE_AMOUNTS.has(name))
      .map(([name, [amount]]) => ({ head: name + suffix, cell: (line) => ({ cents: of(line)[amount] }) }));
  const taxOf = ({ taxLines }: StatementLine, tax: string) =>
    amountsByTax(taxLines).find(({ name }) => name === tax)?.amount ?? 0;
  return [
    ...(view === 'owners' ? [{ head: 'store_id', cell: () => storeId }] : []),
    { head: 'date', cell: ({ date }) => date },
    { head: 'timestamp', cell: ({ at }) => isoSeconds(at) },
    { head: 'order_id', cell: ({ orderId }) => orderId },
    { head: 'order_number', cell: ({ orderNumber }) => orderNumber },
    { head: 'kind', cell: kindOf },
    { head: 'currency', cell: () => currency },
    ...amounts(AMOUNT_COLUMNS),
    ...(view === 'owners' ? amounts(OWNER_COLUMNS, '_share', withOwners) : []),
    ...taxNames.map((tax): StatementColumn => ({ head: `tax: ${tax}`, cell: (line) => ({ cents: taxOf(line, tax) }) })),
    ...(view === 'store_with_added'
      ? ([
          { head: 'customer_total', cell: (line) => ({ cents: customerTotalOf(line) }) },
          { head: 'added', cell: (line) => ({ cents: line.accountCents }) },
          ...(discounts.byOthers
            ? [{ head: 'discounts_by_others', cell: (line: StatementLine) => ({ cents: discountsByOthers(line) }) }]
            : []),
        ] satisfies StatementColumn[])
      : []),
    { head: 'tax_ids', cell: ({ storeTaxIds }) => (storeTaxIds ?? operatorTaxIds).join(', ') },
  ];
}

export const DRIVER_HEADS = ['driver', 'phone', 'date', 'currency', 'deliveries', 'tips'];

/** A driver's day as a record of CSV. */
export const driverCells = (
  { driverName, driverPhone, deliveredOn, deliveries, tipCents }: DriverDay,
  currency: string,
): CsvCell[] => [driverName, driverPhone, deliveredOn, currency, deliveries, { cents: tipCents }];
