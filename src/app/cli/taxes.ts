import { Command } from 'commander';
import { formatPrice } from '../../platform/lib/money.ts';
import { downloadTaxesProcedure, listTaxesProcedure } from '../../surfaces/operator/taxes.route.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, writePart } from './output.ts';
import { parseMonth } from './statements.ts';

const HEADS = ['STATE', 'TAX', 'CLASS', 'REMITTER', 'CURRENCY', 'BASE', 'AMOUNT'];

/** `doorstep taxes --month`: what is to be remitted for a month. */
export function taxesCommand(): Command {
  return new Command('taxes')
    .description('Show the taxes of a month by state or province, tax, class and remitter: charges less refunds.')
    .requiredOption('--month <YYYY-MM>', 'the month, by the clock of each store', parseMonth)
    .option('--csv', 'print CSV, with amounts in dollars')
    .option('--json', 'print one JSON document: { month, is_closed, taxes, totals }')
    .action(async (options: OutputOptions & { month: string; csv?: boolean }) => {
      const { month, csv } = options;
      const input = { query: { month } };
      if (csv) {
        return withManagement(async (manage) => {
          const { text } = await manage(downloadTaxesProcedure, input);
          for await (const part of text) await writePart(part);
        });
      }
      const report = await withManagement((manage) => manage(listTaxesProcedure, input));
      const rows = report.taxes.map(({ country, state, name, tax_class, remitter, currency, base, tax }) => [
        ...[`${state}, ${country}`, name, tax_class, remitter, currency],
        ...[base === null ? '' : formatPrice(base), formatPrice(tax)],
      ]);
      const totals = report.totals.map(({ currency, remitter, tax }) => [
        ...['', '', 'total', remitter, currency, '', formatPrice(tax)],
      ]);
      const head = `${month} (${report.is_closed ? 'closed' : 'open'})`;
      answer(options, report, `${head}\n${alignedTable(HEADS, [...rows, ...totals])}`);
    });
}
