import { useEffect, useState } from 'preact/hooks';
import type { DriversSheet, Statement } from '../../src/ordering/statements/present-statement.ts';
import { AMOUNT_NAMES, type AmountName } from '../../src/ordering/statements/statement-columns.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';
import { Tiles } from './sales-view.tsx';
import type { Desk } from './use-step.ts';

/* Monthly statements: what was sold, kept, refunded and is owed, on screen, on paper and as CSV. */

const { statements: say } = words;

/** Months that can be chosen, the running one first. */
const MONTHS = 24;

/** What the store is owed for a month, for the screen, for a printer and as CSV. */
export function StatementsView({ desk: { context } }: { desk: Desk }) {
  const running = context.clock.date(context.now()).slice(0, 7);
  const [month, setMonth] = useState(running);
  const { statement, drivers, error, isBusy, readMore } = useStatement(context, month);
  const pathOf = (path: string) => `${context.base}/store/statements${path}?month=${month}`;
  return (
    <div class="page statement">
      <div class="view-head">
        <h1>{say.title}</h1>
        <label class="month">
          <span class="unseen">{say.month}</span>
          <select value={month} onChange={({ currentTarget }) => setMonth(currentTarget.value)}>
            {monthsUntil(running).map((one) => (
              <option key={one} value={one}>
                {context.format.month(one)}
              </option>
            ))}
          </select>
        </label>
        <a class="button" href={pathOf('.csv')} download>
          {words.sales.download}
        </a>
        <button type="button" class="button" onClick={() => window.print()}>
          {say.print}
        </button>
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
          <Lines statement={statement} context={context} />
          {statement.next !== null && (
            <p class="press-row">
              <Button isBusy={isBusy} onPress={readMore}>
                {say.more}
              </Button>
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

/** The statement of a month with the pages that were read, and the drivers' sheet. */
function useStatement({ api }: ConsoleContext, month: string) {
  const [read, setRead] = useState<{ month: string; statement: Statement; drivers: DriversSheet }>();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    setError('');
    let isCurrent = true;
    Promise.all([
      api.get<Statement>(`/store/statements?month=${month}`),
      api.get<DriversSheet>(`/store/statements/drivers?month=${month}`),
    ]).then(
      ([statement, drivers]) => isCurrent && setRead({ month, statement, drivers }),
      (failure) => isCurrent && setError(messageOf(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [month]);

  function readMore(): void {
    if (!read) return;
    setBusy(true);
    api
      .get<Statement>(`/store/statements?month=${month}&after=${encodeURIComponent(read.statement.next ?? '')}`)
      .then(
        (page) => setRead({ ...read, statement: { ...page, lines: [...read.statement.lines, ...page.lines] } }),
        (failure) => setError(messageOf(failure)),
      )
      .finally(() => setBusy(false));
  }

  const isRead = read?.month === month;
  return {
    statement: isRead ? read.statement : undefined,
    drivers: isRead ? read.drivers : undefined,
    ...{ error, isBusy, readMore },
  };
}

type Amounts = Statement['totals'];

function Totals({ totals, format }: { totals: Amounts; format: Format }) {
  const tiles = [
    { words: say.payout, cents: totals.payout, more: say.payoutHint },
    { words: words.sales.title, cents: totals.sales, more: say.orderCount({ count: totals.orders }) },
    { words: say.commission, cents: -totals.commission, more: say.commissionHint },
    ...(totals.collected_elsewhere === 0
      ? []
      : [{ words: say.elsewhere, cents: totals.collected_elsewhere, more: say.elsewhereHint }]),
    ...(totals.collected === 0 ? [] : [{ words: say.collected, cents: totals.collected, more: say.collectedHint }]),
  ];
  return <Tiles tiles={tiles.map(({ cents, ...tile }) => ({ ...tile, value: format.money(cents) }))} />;
}

type Row = Omit<Amounts, 'orders'>;
type Column = { name: string; head: string; cents(row: Row): number };

const taxOf = (row: Row, tax: string) => row.tax_lines.find(({ name }) => name === tax)?.amount ?? 0;

const HEADS: Readonly<Record<AmountName, string>> = {
  sales: words.sales.title,
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

/** Amounts that are taken off the payout, and those that most months have none of. */
const TAKEN_OFF: readonly AmountName[] = ['commission', 'collected'];
const RARE: readonly AmountName[] = ['tips_to_pass_on', 'collected_elsewhere', 'collected'];

/** Whether a month has any; tips only if some are of deliveries by others. */
function isShown(name: AmountName, totals: Amounts): boolean {
  if (name === 'tip') return totals.tip !== totals.tips_to_pass_on;
  return !RARE.includes(name) || totals[name] !== 0;
}

/** The columns that a month has, with one for each tax of several. */
function columnsOf(totals: Amounts): Column[] {
  const taxes = totals.tax_lines.map(({ name: tax }): Column => {
    return { name: `tax ${tax}`, head: tax, cents: (row) => taxOf(row, tax) };
  });
  const amounts = AMOUNT_NAMES.filter((name) => isShown(name, totals)).flatMap((name) => {
    const sign = TAKEN_OFF.includes(name) ? -1 : 1;
    const column: Column = { name, head: HEADS[name], cents: (row) => sign * row[name] };
    return name === 'taxes' && taxes.length > 1 ? taxes : [column];
  });
  // Only where the operator shows stores what accounts added.
  if (totals.customer_total === undefined) return amounts;
  return [
    ...amounts,
    { name: 'customer_total', head: say.customerTotal, cents: (row) => row.customer_total ?? 0 },
    { name: 'added', head: say.added, cents: (row) => row.added ?? 0 },
  ];
}

function AmountCells({ row, columns, format }: { row: Row; columns: readonly Column[]; format: Format }) {
  return (
    <>
      {columns.map(({ name, cents }) => (
        <td key={name} class={name}>
          {format.money(cents(row))}
        </td>
      ))}
    </>
  );
}

function Days({ statement: { days, totals }, format }: { statement: Statement; format: Format }) {
  const columns = columnsOf(totals);
  if (days.length === 0) return <p class="empty">{say.none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by the keyboard too
    <section class="panel wide" tabIndex={0} aria-labelledby="days">
      <h2 id="days">{say.byDay}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{say.day}</th>
            <th scope="col">{words.sales.orders}</th>
            <AmountHeads columns={columns} />
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{dayInWords(format, day.date)}</th>
              <td>{format.number(day.orders)}</td>
              <AmountCells row={day} columns={columns} format={format} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say.total}</th>
            <td>{format.number(totals.orders)}</td>
            <AmountCells row={totals} columns={columns} format={format} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const dayInWords = (format: Format, date: string) =>
  format.day({ epochMilliseconds: Date.parse(`${date}T12:00:00Z`) }, 'UTC');

function AmountHeads({ columns }: { columns: readonly Column[] }) {
  return (
    <>
      {columns.map(({ name, head }) => (
        <th key={name} scope="col">
          {head}
        </th>
      ))}
    </>
  );
}

const KINDS: Readonly<Record<string, string>> = say.kinds;

function Lines({ statement: { lines, totals }, context }: { statement: Statement; context: ConsoleContext }) {
  const columns = columnsOf(totals);
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by the keyboard too
    <section class="panel wide" tabIndex={0} aria-labelledby="lines">
      <h2 id="lines">{say.lines}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{say.order}</th>
            <th scope="col" class="text">
              {say.kind}
            </th>
            <th scope="col" class="text">
              {say.day}
            </th>
            <AmountHeads columns={columns} />
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.order_id} ${line.timestamp} ${line.kind} ${line.payout}`}>
              <th scope="row">{line.order_number}</th>
              <td class="text">{KINDS[line.kind]}</td>
              <td class="text">{dayInWords(context.format, line.date)}</td>
              <AmountCells row={line} columns={columns} format={context.format} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Deliveries and tips of the store's own drivers. */
function Drivers({ sheet, format, csvPath }: { sheet: DriversSheet; format: Format; csvPath: string }) {
  return (
    <section class="panel wide" aria-labelledby="drivers">
      <h2 id="drivers">{say.drivers}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{say.driver}</th>
            <th scope="col">{say.deliveries}</th>
            <th scope="col">{words.sales.tips}</th>
          </tr>
        </thead>
        <tbody>
          {sheet.drivers.map(({ name, phone, deliveries, tips }) => (
            <tr key={`${name} ${phone}`}>
              <th scope="row">{name}</th>
              <td>{format.number(deliveries)}</td>
              <td>{format.money(tips)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="press-row">
        <a class="button" href={csvPath} download>
          {say.driversByDay}
        </a>
      </p>
    </section>
  );
}
