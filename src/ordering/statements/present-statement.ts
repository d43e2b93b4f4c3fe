import { type Static, type TProperties, Type } from 'typebox';
import { named, orNull } from '../../platform/http/api-components.ts';
import type { CsvCell } from '../../platform/lib/csv.ts';
import { epochSeconds, isoSeconds } from '../../platform/lib/time.ts';
import { AMOUNTS, type Amounts } from './ledger-entry.ts';
import { MONTH_PATTERN } from './month.ts';
import type { DriverDay, StatementDay, StatementLine } from './statements.db.ts';
import type { TaxLine } from './tax-lines.ts';

/** Statements on the wire (docs/statements.md). Only operators see the five owners: an account's profit is its own. */

const cents = (description: string) => Type.Integer({ description });

const AmountFields = {
  sales: cents('The items at the prices of the store.'),
  taxes: cents('All taxes of the order.'),
  tax_lines: Type.Array(Type.Object({ name: Type.String(), amount: Type.Integer() }), {
    description: 'The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.',
  }),
  delivery_fees: cents('Delivery fees.'),
  service_fees: cents("Service and small-order fees, which are the operator's."),
  tip: cents('All tips, also of deliveries by others.'),
  commission: cents('From the store to the operator: of the sales, and the fee per order.'),
  payout: cents('What the store is paid; negative where it owes.'),
  collected_elsewhere: cents(
    'The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.',
  ),
  tips_to_pass_on: cents("Tips of the store's own drivers, which the payout has for them; without commission."),
  collected: cents(
    'What was collected of these amounts at the handover, less what was handed back: the payout is less by what the store or its own driver collected.',
  ),
};

/** Of lines, days and totals, where `SHOW_STORES_ADDED_FEES` lets stores see it. */
const AddedFields = {
  customer_total: cents('What the customer paid or got back. Absent without `SHOW_STORES_ADDED_FEES`.'),
  added: cents(
    'What of it the account added to the prices of the store: markup and fees. Absent without `SHOW_STORES_ADDED_FEES`.',
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

export const StatementSchema = Type.Object(
  statementFields(Type.Partial(Type.Object(AddedFields)).properties),
  named('Statement', 'What a store is owed for a month, in cents.'),
);
export type Statement = Static<typeof StatementSchema>;

export const SharesSchema = Type.Object(
  {
    store: cents('Sales, and the fees that are its own, less commission.'),
    driver: cents('Tips; also those that refunds gave back, which the operator bears.'),
    tax: cents('Taxes, also those that the store remits.'),
    operator: cents('Commission, and the fees that are its own, less refunded tips.'),
    account: cents('Markup and the fees that the account adds.'),
  },
  named('OwnerShares', 'Whose the cents are: together, charges less refunds.'),
);

export const OwnersStatementSchema = Type.Object(
  statementFields({ shares: SharesSchema }),
  named('OwnersStatement', 'A statement with the shares of the five owners, in cents.'),
);
export type OwnersStatement = Static<typeof OwnersStatementSchema>;

const DriverSums = {
  deliveries: Type.Integer({ description: 'Completed deliveries.' }),
  tips: cents('Tips of these deliveries, later tips included; none of orders that were not charged here.'),
};

export const DriversSheetSchema = Type.Object(
  {
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
  },
  named('DriversSheet', "Deliveries and tips of the store's own drivers, by day."),
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

function taxesByName(lines: readonly TaxLine[]) {
  return [...Map.groupBy(lines, ({ name }) => name)].map(([name, same]) => ({
    name,
    amount: same.reduce((sum, { cents: one }) => sum + one, 0),
  }));
}

export function presentAmounts(amounts: Amounts) {
  return {
    sales: amounts.salesCents,
    taxes: amounts.taxesCents,
    tax_lines: taxesByName(amounts.taxLines).filter(({ amount }) => amount !== 0),
    delivery_fees: amounts.deliveryFeesCents,
    service_fees: amounts.serviceFeesCents,
    tip: amounts.tipCents,
    commission: amounts.commissionCents,
    payout: amounts.payoutCents,
    collected_elsewhere: amounts.collectedElsewhereCents,
    tips_to_pass_on: amounts.tipsToPassOnCents ?? 0,
    collected: amounts.collectedCents ?? 0,
  };
}

export function presentShares({ storeCents, driverCents, taxesCents, operatorCents, accountCents }: Amounts) {
  return {
    shares: {
      store: storeCents,
      driver: driverCents,
      tax: taxesCents,
      operator: operatorCents,
      account: accountCents,
    },
  };
}

export function presentLine(line: StatementLine) {
  return {
    order_id: line.orderId,
    order_number: line.orderNumber,
    date: line.date,
    timestamp: epochSeconds(line.at),
    kind: line.isCorrection ? ('correction' as const) : line.kind,
    ...presentAmounts(line),
  };
}

export const presentAdded = (amounts: Amounts) => ({
  customer_total: customerTotalOf(amounts),
  added: amounts.accountCents,
});

const customerTotalOf = (line: Amounts) =>
  line.salesCents +
  line.deliveryFeesCents +
  line.serviceFeesCents +
  line.taxesCents +
  line.tipCents +
  line.accountCents +
  line.collectedElsewhereCents;

export const presentDay = (day: StatementDay) => ({ date: day.date, orders: day.orders, ...presentAmounts(day) });

const NOTHING: Amounts & { orders: number } = {
  salesCents: 0,
  deliveryFeesCents: 0,
  serviceFeesCents: 0,
  taxesCents: 0,
  taxLines: [],
  tipCents: 0,
  accountCents: 0,
  storeCents: 0,
  driverCents: 0,
  operatorCents: 0,
  commissionCents: 0,
  tipsToPassOnCents: 0,
  payoutCents: 0,
  collectedElsewhereCents: 0,
  collectedCents: 0,
  orders: 0,
};

export function totalOf(days: readonly (Amounts & { orders: number })[]): Amounts & { orders: number } {
  const total = { ...NOTHING };
  for (const day of days) for (const name of [...AMOUNTS, 'orders'] as const) total[name] += day[name];
  return { ...total, taxLines: days.flatMap(({ taxLines }) => taxLines) };
}

const LINE_HEADS = ['date', 'timestamp', 'order_id', 'order_number', 'kind', 'currency'];
const AMOUNT_HEADS = Object.keys(AmountFields).filter((name) => name !== 'tax_lines');
const SHARE_HEADS = Object.keys(SharesSchema.properties).map((name) => `${name}_share`);

/** Each tax has a column of its own, after the others. */
const taxHeads = (names: readonly string[]) => names.map((name) => `tax: ${name}`);
const taxCells = ({ taxLines }: StatementLine, { taxNames }: TableOfLines): CsvCell[] =>
  taxNames.map((tax) => ({ cents: taxesByName(taxLines).find(({ name }) => name === tax)?.amount ?? 0 }));
const idsCell = ({ storeTaxIds }: StatementLine, { operatorTaxIds }: TableOfLines): CsvCell =>
  (storeTaxIds ?? operatorTaxIds).join(', ');

/** What the cells of all lines have in common. */
type TableOfLines = { currency: string; taxNames: readonly string[]; operatorTaxIds: readonly string[] };

/** The heads of a store's statement as CSV. */
export const statementHeads = (taxNames: readonly string[], showsAdded: boolean) => [
  ...[...LINE_HEADS, ...AMOUNT_HEADS],
  ...taxHeads(taxNames),
  ...(showsAdded ? Object.keys(AddedFields) : []),
  'tax_ids',
];
/** The heads for an operator, with the store and the shares of the owners. */
export const ownersHeads = (taxNames: readonly string[]) => [
  ...['store_id', ...LINE_HEADS, ...AMOUNT_HEADS, ...SHARE_HEADS],
  ...taxHeads(taxNames),
  'tax_ids',
];

function plainCells(line: StatementLine, currency: string): CsvCell[] {
  const { date, order_id, order_number, kind } = presentLine(line);
  const { tax_lines: _, ...amounts } = presentAmounts(line);
  return [date, isoSeconds(line.at), order_id, order_number, kind, currency, ...amountCells(amounts)];
}

/** A line as a record of a store's statement. */
export const lineCells = (
  line: StatementLine,
  { showsAdded, ...table }: TableOfLines & { showsAdded: boolean },
): CsvCell[] => [
  ...plainCells(line, table.currency),
  ...taxCells(line, table),
  ...(showsAdded ? amountCells(presentAdded(line)) : []),
  idsCell(line, table),
];

/** A line as a record of an operator's statement. */
export const ownersCells = (
  line: StatementLine,
  { storeId, ...table }: TableOfLines & { storeId: string },
): CsvCell[] => [
  storeId,
  ...plainCells(line, table.currency),
  ...amountCells(presentShares(line).shares),
  ...taxCells(line, table),
  idsCell(line, table),
];

const amountCells = (amounts: Readonly<Record<string, number>>): CsvCell[] =>
  Object.values(amounts).map((cents) => ({ cents }));

export const DRIVER_HEADS = ['driver', 'phone', 'date', 'currency', 'deliveries', 'tips'];

/** A driver's day as a record of CSV. */
export const driverCells = (
  { driverName, driverPhone, deliveredOn, deliveries, tipCents }: DriverDay,
  currency: string,
): CsvCell[] => [driverName, driverPhone, deliveredOn, currency, deliveries, { cents: tipCents }];
