import { type Static, Type } from 'typebox';
import { bool, cents, component, text } from '../../platform/http/api-components.ts';
import type { CsvCell } from '../../platform/lib/csv.ts';
import { readRegion } from '../../supply/stores/region.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import type { TaxSum } from './statements.db.ts';

/*
 * The taxes of a month for who remits them (docs/statements.md#taxes). They are sums of the entries of statements,
 * so they add up to the ledger's taxes, to the cent.
 */

const REMITTER = Type.Enum(['operator', 'store'], {
  description: "Who remits the tax, according to the terms of each order's store.",
});
const CURRENCY = Type.Enum(['USD', 'CAD']);

const RowSchema = Type.Object({
  country: Type.Enum(['US', 'CA']),
  state: text("The code of the stores' state, territory or province."),
  name: text("The tax's name."),
  tax_class: Type.Enum([...TAX_CLASSES, 'fee'], { description: '`fee`: tax on delivery, service and added fees.' }),
  remitter: REMITTER,
  currency: CURRENCY,
  base: cents('The taxable amount.'),
  tax: cents('The amount to be remitted.'),
});
type TaxRow = Static<typeof RowSchema>;

export const TaxReportSchema = component('TaxReport', "A month's taxes on charges minus refunds, in cents.", {
  month: Type.String(),
  is_closed: bool('Whether the month is closed. A closed month never changes.'),
  taxes: Type.Array(RowSchema),
  totals: Type.Array(Type.Object({ currency: CURRENCY, remitter: REMITTER, tax: cents('The totals of all rows.') })),
});
export type TaxReport = Static<typeof TaxReportSchema>;

/**
 * Sums taxes by country, state, tax, class and remitter, and totals them by currency and remitter. The name and the code
 * of a state are the same state.
 */
export function taxReport(sums: readonly TaxSum[]): Pick<TaxReport, 'taxes' | 'totals'> {
  const rows = sums.map(
    ({ country, state, name, taxClass, remitter, baseCents, cents }): TaxRow => ({
      country,
      state: readRegion(state, country) ?? state,
      name,
      tax_class: taxClass,
      remitter,
      currency: currencyOf(country),
      base: baseCents,
      tax: cents,
    }),
  );
  const taxes = grouped(rows, ({ country, state, name, tax_class, remitter }) =>
    [country, state, name, tax_class, remitter].join('\n'),
  );
  const totals = grouped(rows, ({ currency, remitter }) => `${currency} ${remitter}`);
  return { taxes, totals: totals.map(({ currency, remitter, tax }) => ({ currency, remitter, tax })) };
}

/** Adds up base and tax of rows with the same key, sorted by it. */
function grouped(rows: readonly TaxRow[], keyOf: (row: TaxRow) => string): TaxRow[] {
  const sums = new Map<string, TaxRow>();
  for (const row of rows) {
    const { base, tax } = sums.get(keyOf(row)) ?? { base: 0, tax: 0 };
    sums.set(keyOf(row), { ...row, base: base + row.base, tax: tax + row.tax });
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

export const TAX_HEADS = Object.keys(RowSchema.properties);

export const taxCells = ({ base, tax, ...row }: TaxRow): CsvCell[] => [
  ...[row.country, row.state, row.name, row.tax_class, row.remitter, row.currency],
  ...[{ cents: base }, { cents: tax }],
];
