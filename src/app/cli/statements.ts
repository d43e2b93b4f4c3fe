import { Command, InvalidArgumentError } from 'commander';
import { MONTH_PATTERN } from '../../ordering/statements/month.ts';
import { presentAmounts, presentShares } from '../../ordering/statements/present-statement.ts';
import { ownersTable, pagesOfStores, readOwnersStatement } from '../../ordering/statements/read-statement.flow.ts';
import type { StatementWorld, StoreTotals } from '../../ordering/statements/statements.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { csvText } from '../../platform/lib/csv.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { currencyOf, type Store } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { closeStatementsProcedure } from '../../surfaces/operator/statements.route.ts';
import { requireAccount } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, writePart } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';
import { type ListForm, writePages } from './write-pages.ts';

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
      'print one JSON document: { month, store_id, currency, is_closed, lines, days, totals }; without --store { statements: [{ store_id, name, currency, totals }] }',
    )
    .action((options: StatementOptions) => withDatabase((context) => showStatements(context, options)));
}

function closeCommand(): Command {
  return new Command('close')
    .description(
      'Close a month that has ended, and every month before it, for all stores. What comes later is a correction in the open month.',
    )
    .requiredOption('--month <YYYY-MM>', 'the month', parseMonth)
    .option('--json', 'print one JSON document: { month, is_closed }')
    .action(async (options: OutputOptions & { month: string }) => {
      await withManagement((manage) => manage(closeStatementsProcedure, { body: { month: options.month } }));
      answer(options, { month: options.month, is_closed: true }, `The statements of ${options.month} are closed.`);
    });
}

function parseMonth(text: string): string {
  if (!new RegExp(MONTH_PATTERN).test(text)) throw new InvalidArgumentError('A month is YYYY-MM, such as 2026-11.');
  return text;
}

async function showStatements({ db, signal }: CommandContext, options: StatementOptions): Promise<void> {
  const { month, store: storeId, sandbox, csv } = options;
  if (sandbox !== undefined) await requireAccount(db, sandbox);
  const world: StatementWorld = { mode: sandbox === undefined ? 'live' : 'sandbox', accountId: sandbox ?? null };
  const store = storeId === undefined ? undefined : await storeOf(db, storeId);
  if (csv) {
    const table = await ownersTable(db, { ...world, month, storeId }, store?.address.country);
    for await (const part of csvText(table)) {
      signal.throwIfAborted();
      await writePart(part);
    }
    return;
  }
  if (store) return showStatement(db, store, { ...world, month }, options);
  await writePages(options, STATEMENTS, pagesOfStores(db, { ...world, month }), signal);
}

async function storeOf(sql: Sql, storeId: string): Promise<Store> {
  const store = await findStore(sql, storeId);
  if (!store) throw new CommandFailure(`No such store: ${storeId}.`);
  return store;
}

const HEADS = ['SALES', 'TAXES', 'DELIVERY', 'SERVICE', 'TIPS', 'COMMISSION', 'ELSEWHERE', 'PAYOUT'];

/** In the sequence of the headings. */
const cellsOf = (amounts: ReturnType<typeof presentAmounts>): string[] =>
  [
    ...[amounts.sales, amounts.taxes, amounts.delivery_fees, amounts.service_fees, amounts.tip],
    ...[amounts.commission, amounts.collected_elsewhere, amounts.payout],
  ].map(formatPrice);

const STATEMENTS: ListForm<StoreTotals> = {
  name: 'statements',
  document: (totals) => ({
    store_id: totals.storeId,
    name: totals.name,
    currency: currencyOf(totals.country),
    totals: { orders: totals.orders, ...presentAmounts(totals), ...presentShares(totals) },
  }),
  heads: ['STORE', 'NAME', 'CURRENCY', 'ORDERS', ...HEADS],
  cells: (totals) => [
    ...[totals.storeId, totals.name, currencyOf(totals.country), String(totals.orders)],
    ...cellsOf(presentAmounts(totals)),
  ],
};

/** Every line of the statement, in one document or table. */
async function showStatement(
  sql: Sql,
  { storeId, name, address: { country } }: Store,
  world: StatementWorld & { month: string },
  options: OutputOptions,
): Promise<void> {
  const query = { ...world, storeId };
  const statement = await readOwnersStatement(sql, query, { after: undefined, country, limit: MAX_LINES });
  const { next, ...document } = statement;
  if (next !== null) throw new CommandFailure(`The statement has more than ${MAX_LINES} lines: use --csv.`);
  const { month, is_closed, lines, totals, currency } = document;
  const rows = lines.map((line) => [line.date, line.order_number, line.kind, ...cellsOf(line)]);
  const table = alignedTable(['DATE', 'ORDER', 'KIND', ...HEADS], [...rows, ['', '', 'total', ...cellsOf(totals)]]);
  answer(options, document, `${name}, ${month} (${currency}${is_closed ? ', closed' : ''})\n${table}`);
}

/** Lines of one document; 300 bytes each. */
const MAX_LINES = 500_000;
