import { Command } from 'commander';
import type { Static } from 'typebox';
import { MONTH_PATTERN } from '../../ordering/statements/month.ts';
import type { presentAmounts } from '../../ordering/statements/present-statement.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import {
  closeStatementsProcedure,
  downloadStatementsProcedure,
  listStatementsProcedure,
  readAnyStatementProcedure,
} from '../../surfaces/operator/statements.route.ts';
import { readStoreSettingsProcedure } from '../../surfaces/operator/store-settings.route.ts';
import { parsed, REASON, requireReason } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { type Manage, withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, writePart } from './output.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

type StatementOptions = OutputOptions & { month: string; store?: string; sandbox?: string; csv?: boolean };

export function statementsCommand(): Command {
  return new Command('statements').addCommand(showCommand(), { isDefault: true }).addCommand(closeCommand());
}

/** `doorstep statements --month`: also without its name. */
function showCommand(): Command {
  return new Command('show')
    .description('Show what stores are owed for a month. This is what `statements` does without a command.')
    .requiredOption('--month <YYYY-MM>', 'the month, by the clock of each store', parseMonth)
    .option('--store <store_id>', 'the lines of this store; without it, the totals of every store')
    .option('--sandbox <account_id>', "this account's sandbox orders in place of live orders")
    .option('--csv', 'print every line as CSV, with amounts in dollars')
    .option(
      '--json',
      'print one JSON document: { month, store_id, currency, is_closed, tax_ids, lines, days, totals }; without --store { statements: [{ store_id, name, currency, totals }] }',
    )
    .action((options: StatementOptions) => withManagement((manage, signal) => showStatements(manage, signal, options)));
}

function closeCommand(): Command {
  return new Command('close')
    .description(
      'Close a month that has ended, and every month before it, for all stores. What comes later is a correction in the open month.',
    )
    .requiredOption('--month <YYYY-MM>', 'the month', parseMonth)
    .option(...REASON)
    .option('--json', 'print one JSON document: { month, is_closed }')
    .action(async (options: OutputOptions & { month: string; reason?: string }, command: Command) => {
      const { month } = options;
      const reason = requireReason(options, command);
      const closed = await withManagement((manage) => manage(closeStatementsProcedure, { body: { month, reason } }));
      answer(options, closed, `The statements of ${month} are closed.`);
    });
}

export const parseMonth = parsed(
  (text) => (new RegExp(MONTH_PATTERN).test(text) ? text : undefined),
  'a month such as 2026-11',
);

async function showStatements(manage: Manage, signal: AbortSignal, options: StatementOptions): Promise<void> {
  const { month, store: store_id, sandbox, csv } = options;
  const query = { month, ...(sandbox !== undefined && { sandbox_account_id: sandbox }) };
  if (csv) {
    const of = { ...query, ...(store_id !== undefined && { store_id }) };
    const { text } = await manage(downloadStatementsProcedure, { query: of });
    for await (const part of text) {
      signal.throwIfAborted();
      await writePart(part);
    }
    return;
  }
  if (store_id !== undefined) return showStatement(manage, { store_id }, query, options);
  const pages = followPages(
    (after: string | undefined) => manage(listStatementsProcedure, { query: { ...query, ...(after && { after }) } }),
    ({ statements }) => statements,
  );
  await writePages(options, STATEMENTS, pages, signal);
}

const HEADS = ['SALES', 'TAXES', 'DELIVERY', 'SERVICE', 'TIPS', 'COMMISSION', 'ELSEWHERE', 'COLLECTED', 'PAYOUT'];

/** In the sequence of the headings. */
const cellsOf = (amounts: ReturnType<typeof presentAmounts>): string[] =>
  [
    ...[amounts.sales, amounts.taxes, amounts.delivery_fees, amounts.service_fees, amounts.tip],
    ...[amounts.commission, amounts.collected_elsewhere, amounts.collected, amounts.payout],
  ].map(formatPrice);

const STATEMENTS: ListForm<Static<typeof listStatementsProcedure.answer>['statements'][number]> = {
  name: 'statements',
  document: (statement) => statement,
  heads: ['STORE', 'NAME', 'CURRENCY', 'ORDERS', ...HEADS],
  cells: ({ store_id, name, currency, totals }) => [
    ...[store_id, name, currency, String(totals.orders)],
    ...cellsOf(totals),
  ],
};

/** Every line of the statement, in one document or table. */
async function showStatement(
  manage: Manage,
  params: { store_id: string },
  query: { month: string; sandbox_account_id?: string },
  options: OutputOptions,
): Promise<void> {
  const read = (after: string | undefined) =>
    manage(readAnyStatementProcedure, { params, query: { ...query, ...(after && { after }) } });
  const { next: first, ...document } = await read(undefined);
  const { month, is_closed, lines, totals, currency } = document;
  for (let next = first; next !== null; ) {
    if (lines.length >= MAX_LINES)
      throw new CommandFailure(`The statement has more than ${MAX_LINES} lines: use --csv.`);
    const page = await read(next);
    lines.push(...page.lines);
    next = page.next;
  }
  const { name } = await manage(readStoreSettingsProcedure, { params });
  const rows = lines.map((line) => [line.date, line.order_number, line.kind, ...cellsOf(line)]);
  const table = alignedTable(['DATE', 'ORDER', 'KIND', ...HEADS], [...rows, ['', '', 'total', ...cellsOf(totals)]]);
  answer(options, document, `${name}, ${month} (${currency}${is_closed ? ', closed' : ''})\n${table}`);
}

/** Lines of one document; 300 bytes each. */
const MAX_LINES = 500_000;
