import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DriversSheet, Statement } from '../../src/ordering/statements/present-statement.ts';
import { AMOUNT_NAMES, type AmountName } from '../../src/ordering/statements/statement-columns.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Select } from '../field.tsx';
import { type Column, Table } from '../table.tsx';
import { usePages, useRead } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';
import { Tiles } from './sales-view.tsx';
import type { Desk } from './use-step.ts';

/* Monthly statements: sales, deductions, refunds and payout, on screen, on paper and as CSV. */

const { statements: say } = words;

/** Months that can be chosen, the running one first. */
const MONTHS = 24;

/** The store's payout for a month, for the screen, for a printer and as CSV. */
export function StatementsView({ desk: { context } }: { desk: Desk }) {
  const running = context.clock.date(context.now()).slice(0, 7);
  const [month, setMonth] = useState(running);
  const { statement, drivers, error, isLoading, more } = useStatement(context, month);
  const pathOf = (path: string) => `${context.base}/store/statements${path}?month=${month}`;
  return (
    <div class="page statement">
      <div class="view-head">
        <h1>{say.title}</h1>
        <Select
          class="month"
          label={<span class="unseen">{say.month}</span>}
          value={month}
          set={setMonth}
          options={monthsUntil(running).map((one) => [one, context.format.month(one)] as const)}
        />
        <a class="button" href={pathOf('.csv')} download>
          {words.sales.download}
        </a>
        <Button onPress={() => window.print()} text={say.print} />
      </div>
      <p class="printed">{say.printed({ store: context.storeName, month: context.format.month(month) })}</p>
      <Alert text={error} />
      {statement ? (
        <>
          <p class="hint standing">{statement.is_closed ? say.closed : say.open}</p>
          {statement.tax_ids.length > 0 && (
            <p class="hint standing">{say.taxIds({ numbers: statement.tax_ids.join(', ') })}</p>
          )}
          <Totals totals={statement.totals} format={context.format} />
          <Days statement={statement} format={context.format} />
          <Lines statement={statement} format={context.format} />
          {more && (
            <p class="press-row">
              <Button isBusy={isLoading} onPress={more} text={say.more} />
            </p>
          )}
        </>
      ) : (
        !error && <p class="empty">{say.loading}</p>
      )}
      {drivers && drivers.drivers.length > 0 && (
        <Drivers sheet={drivers} format={context.format} csvPath={pathOf('/drivers.csv')} />
      )}
    </div>
  );
}

/** Months such as 2026-11, newest first. */
function monthsUntil(last: string): string[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, back) => {
    const count = year * 12 + month - 1 - back;
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
  });
}

/** The statement of a month with its loaded pages, and the drivers' sheet. */
function useStatement({ api }: ConsoleContext, month: string) {
  const path = (folder: string) => `/store/statements${folder}?month=${month}`;
  const { data: drivers, error: undriven } = useRead(month, () => api.get<DriversSheet>(path('/drivers')));
  const read = async (after = '') => {
    const page = await api.get<Statement>(path('') + (after && `&after=${encodeURIComponent(after)}`));
    return { items: [page], next: page.next };
  };
  const { items: pages = [], error, isLoading, more } = usePages([month], { read });
  const [first] = pages;
  const statement = first?.month === month ? { ...first, lines: pages.flatMap(({ lines }) => lines) } : undefined;
  return { statement, drivers, error: error || undriven, isLoading, more };
}

type Amounts = Statement['totals'];

function Totals({ totals, format }: { totals: Amounts; format: Format }) {
  const tiles = [
    { words: say.payout, cents: totals.payout, more: say.payoutHint },
    { words: words.sales.title, cents: totals.sales, more: say.orderCount({ count: totals.orders }) },
    { words: say.discounts, cents: totals.discounts, more: say.discountsHint },
    { words: say.commission, cents: -totals.commission, more: say.commissionHint },
    { words: say.elsewhere, cents: totals.collected_elsewhere || undefined, more: say.elsewhereHint },
    { words: say.collected, cents: totals.collected || undefined, more: say.collectedHint },
  ];
  const shown = tiles.flatMap(({ cents, ...tile }) =>
    cents === undefined ? [] : { ...tile, value: format.money(cents) },
  );
  return <Tiles tiles={shown} />;
}

type Row = Omit<Amounts, 'orders'>;

const taxOf = (row: Row, tax: string) => row.tax_lines.find(({ name }) => name === tax)?.amount ?? 0;

const HEADS: Readonly<Record<AmountName, string>> = {
  sales: words.sales.title,
  discounts: say.discounts,
  taxes: words.sales.taxes,
  delivery_fees: say.deliveryFees,
  service_fees: say.serviceFees,
  tip: words.sales.tips,
  tips_to_pass_on: say.tipsToPassOn,
  commission: say.commission,
  collected_elsewhere: say.elsewhere,
  collected: say.collected,
  payout: say.payout,
};

/** Amounts taken off the payout, and amounts that most months lack. */
const TAKEN_OFF: readonly AmountName[] = ['commission', 'collected'];
const RARE: readonly AmountName[] = ['discounts', 'tips_to_pass_on', 'collected_elsewhere', 'collected'];

/** Whether a month has any; tips only if some are of deliveries by others. */
function isShown(name: AmountName, totals: Omit<Amounts, 'tax_lines'>): boolean {
  if (name === 'tip') return totals.tip !== totals.tips_to_pass_on;
  return !RARE.includes(name) || (totals[name] ?? 0) !== 0;
}

/** The columns of the amounts that a month has, with one for each tax of several. */
function amountColumns({ tax_lines: taxLines, ...totals }: Amounts, format: Format): Column<Row>[] {
  const column = (name: string, head: string, centsOf: (row: Row) => number | undefined) => {
    return { head, class: name, cell: (row: Row) => format.money(centsOf(row) ?? 0) };
  };
  const taxes = taxLines.map(({ name: tax }) => column('tax', tax, (row) => taxOf(row, tax)));
  const amounts = AMOUNT_NAMES.filter((name) => isShown(name, totals)).flatMap((name) => {
    const sign = TAKEN_OFF.includes(name) ? -1 : 1;
    if (name === 'taxes' && taxes.length > 1) return taxes;
    return [column(name, HEADS[name], (row) => sign * (row[name] ?? 0))];
  });
  // Only where the operator shows stores the accounts' additions.
  if (totals.customer_total === undefined) return amounts;
  const { discounts_by_others: others } = totals;
  return [
    ...amounts,
    column('customer_total', say.customerTotal, (row) => row.customer_total),
    column('added', say.added, (row) => row.added),
    ...(others === undefined ? [] : [column('others', say.discountsByOthers, (row) => row.discounts_by_others)]),
  ];
}

type WideProps = { id: string; title: string; children: ComponentChildren };

function Wide({ id, title, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by the keyboard too
    <section class="panel scroll" tabIndex={0} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

type TableProps = { statement: Statement; format: Format };

/** For a day, or for all days. */
type DayRow = Row & { date?: string; orders: number };

function Days({ statement: { days, totals }, format }: TableProps) {
  const columns: Column<DayRow>[] = [
    { head: say.day, cell: ({ date }) => (date === undefined ? say.total : dayInWords(format, date)) },
    { head: words.sales.orders, cell: ({ orders }) => format.number(orders) },
    ...amountColumns(totals, format),
  ];
  if (days.length === 0) return <p class="empty">{say.none}</p>;
  return (
    <Wide id="days" title={say.byDay}>
      <Table<DayRow> rows={days} keyOf={({ date = '' }) => date} columns={columns} total={totals} />
    </Wide>
  );
}

const dayInWords = (format: Format, date: string) =>
  format.day({ epochMilliseconds: Date.parse(`${date}T12:00:00Z`) }, 'UTC');

const KINDS: Readonly<Record<string, string>> = say.kinds;

function Lines({ statement: { lines, totals }, format }: TableProps) {
  if (lines.length === 0) return null;
  return (
    <Wide id="lines" title={say.lines}>
      <Table
        rows={lines}
        keyOf={({ order_id, timestamp, kind, payout }) => `${order_id} ${timestamp} ${kind} ${payout}`}
        columns={[
          { head: say.order, cell: ({ order_number }) => order_number },
          { head: say.kind, class: 'text', cell: ({ kind }) => KINDS[kind] },
          { head: say.day, class: 'text', cell: ({ date }) => dayInWords(format, date) },
          ...amountColumns(totals, format),
        ]}
      />
    </Wide>
  );
}

/** Deliveries and tips of the store's own drivers. */
function Drivers({ sheet, format, csvPath }: { sheet: DriversSheet; format: Format; csvPath: string }) {
  return (
    <Wide id="drivers" title={say.drivers}>
      <Table
        rows={sheet.drivers}
        keyOf={({ name, phone }) => `${name} ${phone}`}
        columns={[
          { head: say.driver, cell: ({ name }) => name },
          { head: say.deliveries, cell: ({ deliveries }) => format.number(deliveries) },
          { head: words.sales.tips, cell: ({ tips }) => format.money(tips) },
        ]}
      />
      <p class="press-row">
        <a class="button" href={csvPath} download>
          {say.driversByDay}
        </a>
      </p>
    </Wide>
  );
}
