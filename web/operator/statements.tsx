import { useState } from 'preact/hooks';
import { AMOUNT_COLUMNS, AMOUNT_NAMES } from '../../src/ordering/statements/statement-columns.ts';
import { STATEMENT, STATEMENTS } from '../../src/surfaces/operator/tables.ts';
import { addressOf, call, type OwnersStatement } from './api.ts';
import { useLoad } from './hooks.ts';
import { ActionDialog, type Column, Empty, Facts, Fault, List, Pill, ReasonField, Section, textIn } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';
import { centsInWords } from './words.ts';

/* Statements of all stores, and of one. */

export const runningMonth = () => new Date().toISOString().slice(0, 7);

/** Links of a month: choosing another, its CSV and its print. */
export function MonthForm({ tab, month, csv }: { tab: string; month: string; csv: string }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLFormElement)) return;
    location.hash = `#/${tab}?month=${new FormData(currentTarget).get('month')}`;
  };
  return (
    <form class="search" key={month} onSubmit={submit}>
      <label>
        Month
        <input
          type="text"
          name="month"
          required
          inputMode="numeric"
          pattern="[1-9][0-9]{3}-(0[1-9]|1[0-2])"
          placeholder="2026-11"
          defaultValue={month}
        />
      </label>
      <button type="submit" class="main">
        Show
      </button>
      <a href={addressOf(csv)} download>
        Download CSV
      </a>
      <button type="button" onClick={() => window.print()}>
        Print
      </button>
    </form>
  );
}

export const Closed = ({ isClosed }: { isClosed: boolean }) =>
  isClosed ? <Pill tone="good">closed</Pill> : <Pill tone="plain">open</Pill>;

/** What each store is owed for a month. */
export function StatementsView({ query }: { query: URLSearchParams }) {
  const month = query.get('month') ?? runningMonth();
  const { data, error, reload } = useLoad('GET /operator/statements', {
    query: { ...Object.fromEntries(query), month },
  });
  const [isClosing, setClosing] = useState(false);
  return (
    <>
      <h1>Statements {data && <Closed isClosed={data.is_closed} />}</h1>
      <p class="links">
        <a href={`#/taxes?month=${month}`}>Taxes to remit</a> <a href="#/tips">Tips owed to drivers</a>
      </p>
      <MonthForm tab="statements" month={month} csv={`/operator/statements.csv?month=${month}`} />
      <Fault>{error}</Fault>
      <List
        title={`What stores are owed for ${month}`}
        actions={
          data?.is_closed === false && (
            <Only to="admin">
              <button type="button" onClick={() => setClosing(true)}>
                Close month…
              </button>
            </Only>
          )
        }
        rows={data?.statements.map((statement) => ({ ...statement, month }))}
        loading={!error && 'Loading statements…'}
        empty="No live orders in this month."
        keyOf={({ store_id }) => store_id}
        table={STATEMENTS}
      />
      <Pager tab="statements" query={query} next={data?.next ?? null} name="after" />
      {isClosing && <CloseDialog month={month} onClose={() => setClosing(false)} onDone={reload} />}
    </>
  );
}

function CloseDialog({ month, onClose, onDone }: { month: string; onClose(): void; onDone(): void }) {
  const close = async (form: FormData) => {
    await call('POST /operator/statements/close', { body: { month, reason: textIn(form, 'reason') } });
    onDone();
    onClose();
  };
  return (
    <ActionDialog title={`Close ${month}?`} verb={`Close ${month}`} tone="bad" onClose={onClose} send={close}>
      <p>
        The statements of {month}, and of every month before it, are final for all stores. What comes later is a
        correction in the open month. You can’t undo this.
      </p>
      <ReasonField />
    </ActionDialog>
  );
}

/** Named taxes, each beside the sum of all that is in the table. */
const taxColumns = (
  taxNames: readonly string[],
): Column<OwnersStatement['lines'][number] | OwnersStatement['days'][number]>[] =>
  taxNames.map((tax) => ({
    head: tax,
    class: 'number right',
    cell: ({ tax_lines: lines }) => centsInWords(lines.find(({ name }) => name === tax)?.amount ?? 0),
  }));

/** A store's statement: totals with their owners, days and lines. */
export function StatementView({ id, query }: { id: string; query: URLSearchParams }) {
  const month = query.get('month') ?? runningMonth();
  const path = { store_id: id };
  const { data, error } = useLoad('GET /operator/stores/:store_id/statement', {
    path,
    query: { ...Object.fromEntries(query), month },
  });
  const { data: store } = useLoad('GET /operator/stores/:store_id', { path });
  const tab = `statements/${encodeURIComponent(id)}`;
  const taxNames = data?.totals.tax_lines.map(({ name }) => name) ?? [];
  return (
    <>
      <h1>
        {store?.name ?? 'Statement'} · {month} {data && <Closed isClosed={data.is_closed} />}
      </h1>
      <p class="links">
        <a href={`#/statements?month=${month}`}>All stores</a>
        <a href={`#/stores/${id}`}>Store</a>
      </p>
      <MonthForm
        tab={tab}
        month={month}
        csv={`/operator/statements.csv?month=${month}&store_id=${encodeURIComponent(id)}`}
      />
      <Fault>{error}</Fault>
      {data === undefined && !error && <Empty>Loading the statement…</Empty>}
      {data && data.tax_ids.length > 0 && <p>Tax registration: {data.tax_ids.join(', ')}</p>}
      {data && <Totals totals={data.totals} />}
      {data && (
        <>
          <List
            title="Days"
            rows={data.days}
            empty="No live orders in this month."
            keyOf={({ date }) => date}
            table={STATEMENT}
            columns={taxColumns(taxNames)}
          />
          <List
            title="Lines"
            rows={data.lines}
            keyOf={({ order_id, timestamp, kind, payout }) => `${order_id} ${timestamp} ${kind} ${payout}`}
            table={STATEMENT}
            columns={taxColumns(taxNames)}
          />
        </>
      )}
      <Pager
        tab={tab}
        query={new URLSearchParams({ ...Object.fromEntries(query), month })}
        next={data?.next ?? null}
        name="after"
      />
    </>
  );
}

function Totals({ totals }: { totals: OwnersStatement['totals'] }) {
  const { shares } = totals;
  const sum = Object.values(shares).reduce((total, cents) => total + cents, 0);
  return (
    <div class="columns">
      <Section title="Payout">
        <Facts
          facts={[
            ['Orders', totals.orders.toLocaleString('en-US')],
            ...AMOUNT_NAMES.map((name) => [AMOUNT_COLUMNS[name][2], centsInWords(totals[name])] as const),
          ]}
        />
      </Section>
      <Section title="Owners">
        <Facts
          facts={[
            ['Store', centsInWords(shares.store)],
            ['Driver', centsInWords(shares.driver)],
            ['Tax', centsInWords(shares.tax)],
            ['Operator', centsInWords(shares.operator)],
            ['Account', centsInWords(shares.account)],
            ['Charges less refunds', <b>{centsInWords(sum)}</b>],
          ]}
        />
      </Section>
    </div>
  );
}
