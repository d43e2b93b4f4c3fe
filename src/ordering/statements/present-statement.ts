import { type Static, type TProperties, Type } from 'typebox';
import { bool, cents, component, integer, orNull, text } from '../../platform/http/api-components.ts';
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
  store: ['storeCents', "The store's sales and fees, minus commission."],
  driver: ['driverCents', 'Tips, including refunded tips, which the operator pays for.'],
  tax: ['taxesCents', 'Taxes, including the taxes that the store remits.'],
  operator: ['operatorCents', "Commission and the operator's fees, minus the operator's discounts and refunded tips."],
  account: ['accountCents', "The account's markup and fees, minus the account's discounts."],
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
    description: "Taxes by name, without taxes of 0. If a store's feed names none, the name is `Sales tax`.",
  }),
};

/** Of lines, days and totals, where `SHOW_STORES_ADDED_FEES` lets stores see it. */
const AddedFields = {
  customer_total: cents('The amount the customer paid or was refunded. Absent without `SHOW_STORES_ADDED_FEES`.'),
  added: cents(
    "The part that the account added to the store's prices: markup and fees. Absent without `SHOW_STORES_ADDED_FEES`.",
  ),
  discounts_by_others: cents(
    'The discounts of the account and the operator, as zero or a negative amount. Absent if zero, and without `SHOW_STORES_ADDED_FEES`.',
  ),
};

export const LINE_KINDS = ['sale', 'refund', 'adjustment', 'tip', 'correction'] as const;

const LineFields = {
  order_id: Type.String(),
  order_number: Type.String(),
  date: text("The day in the store's time zone."),
  timestamp: integer('Epoch seconds.'),
  kind: Type.Enum([...LINE_KINDS], {
    description: '`correction`: an entry for a month that was closed before the service could book it.',
  }),
  ...AmountFields,
};
export const SumFields = { orders: integer('The number of orders placed.'), ...AmountFields };
const DayFields = { date: text("A day in the store's time zone."), ...SumFields };

export const MonthParameter = Type.String({
  pattern: MONTH_PATTERN,
  description: "A month in the store's time zone, such as 2026-11.",
});

const StatementFields = {
  month: Type.String(),
  store_id: Type.String(),
  currency: Type.Enum(['USD', 'CAD']),
  is_closed: bool('Whether the month is closed. A closed month never changes.'),
};

const TaxIds = Type.Array(Type.String(), {
  description: "The registration numbers for the month's taxes: the operator's, the store's, or both.",
});

const NextField = orNull(Type.String(), 'Send it as `after` to get the next page. Null on the last page.');

/** Fields of a statement; `shares` are in each of its lines, days and totals. */
const statementFields = <Shares extends TProperties>(shares: Shares) => ({
  ...StatementFields,
  tax_ids: TaxIds,
  lines: Type.Array(Type.Object({ ...LineFields, ...shares }), {
    description: 'Up to 1,000 entries, in event order.',
  }),
  days: Type.Array(Type.Object({ ...DayFields, ...shares }), {
    description: "The whole month's totals, included on every page.",
  }),
  totals: Type.Object(
    { ...SumFields, ...shares },
    { description: "The whole month's totals, included on every page." },
  ),
  next: NextField,
});

export const StatementSchema = component(
  'Statement',
  "A store's payout statement for a month, in cents.",
  statementFields(Type.Partial(Type.Object(AddedFields)).properties),
);
export type Statement = Static<typeof StatementSchema>;

export const SharesSchema = component(
  'OwnerShares',
  'The amounts by owner: charges minus refunds.',
  fieldsOf(OWNER_COLUMNS),
);

export const OwnersStatementSchema = component(
  'OwnersStatement',
  'A payout statement with the shares of the five owners, in cents.',
  statementFields({ shares: SharesSchema }),
);
export type OwnersStatement = Static<typeof OwnersStatementSchema>;

const DriverSums = {
  deliveries: integer('The number of completed deliveries.'),
  tips: cents('The tips for these deliveries, including later tips. Excludes orders that were not charged here.'),
};

export const DriversSheetSchema = component(
  'DriversSheet',
  "The deliveries and tips of the store's own drivers, by day.",
  {
    ...StatementFields,
    drivers: Type.Array(
      Type.Object({
        name: Type.String(),
        phone: orNull(Type.Integer(), 'With the country code.'),
        ...DriverSums,
        days: Type.Array(Type.Object({ date: text('The day of the delivery.'), ...DriverSums })),
      }),
    ),
    is_complete: bool('`false` if the list is cut off after 5,000 driver days. The CSV file contains all of them.'),
  },
);
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

/** The common part of all lines' cells. */
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
