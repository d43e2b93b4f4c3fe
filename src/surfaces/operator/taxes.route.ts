import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { MonthParameter } from '../../ordering/statements/present-statement.ts';
import { isClosed } from '../../ordering/statements/read-statement.flow.ts';
import { listTaxSums } from '../../ordering/statements/statements.db.ts';
import {
  TAX_HEADS,
  type TaxReport,
  TaxReportSchema,
  taxCells,
  taxReport,
} from '../../ordering/statements/tax-report.ts';
import type { Context } from '../../platform/db/context.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { csvFile, csvFileAnswer } from '../../platform/http/send-csv.ts';
import { runningMonth } from './statements.route.ts';
import { TAXES } from './tables.ts';

/** The taxes of a month for who remits them (docs/statements.md#taxes). */

/** Sums of taxes that one report is made of: far more than places, classes and the names of taxes. */
const MAX_SUMS = 50_000;

const query = Type.Object({ month: Type.Optional(MonthParameter) });
const summary = 'The taxes of a month by state or province, tax, class and remitter';

async function readTaxes({ db, clock }: Context, month = runningMonth(clock)): Promise<TaxReport> {
  const [sums, closed] = await Promise.all([
    listTaxSums(db, { mode: 'live', accountId: null, month }, MAX_SUMS + 1),
    isClosed(db, month),
  ]);
  if (sums.length > MAX_SUMS) {
    throw invalidField('query', 'month', `has more than ${MAX_SUMS} different taxes`);
  }
  return { month, is_closed: closed, ...taxReport(sums) };
}

export const listTaxesOperation = operation({
  endpoint: 'GET /taxes',
  summary,
  description: "Live orders' charges minus refunds, based on statement entries. Defaults to the current month in UTC.",
  query,
  answer: TaxReportSchema,
  largePages: 'statements',
  on: { operator: { command: 'taxes', table: TAXES, role: 'viewer' } },
}).run((deps: Context, { query: { month }, inTurn }) => inTurn(() => readTaxes(deps, month)));

export const downloadTaxesOperation = operation({
  endpoint: 'GET /taxes.csv',
  summary: `Export ${summary} as CSV`,
  description: "Returns the report's rows, with amounts in dollars.",
  query,
  answer: csvFileAnswer('The taxes, below a header line.'),
  largePages: 'statements',
  on: { operator: { command: 'taxes', role: 'viewer' } },
}).run(async (deps: Context, { query: { month }, inTurn }) => {
  const report = await inTurn(() => readTaxes(deps, month));
  async function* batches() {
    yield report.taxes.map(taxCells);
  }
  return csvFile(`taxes-${report.month}.csv`, { head: TAX_HEADS, batches: batches() });
});
