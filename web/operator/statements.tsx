import { AMOUNT_COLUMNS, AMOUNT_NAMES } from '../../src/ordering/statements/statement-columns.ts';
import { STATEMENT, STATEMENTS, TAXES, TIPS } from '../../src/surfaces/operator/tables.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import type { Column } from '../table.tsx';
import { addressOf, call, type OwnersStatement } from './api.ts';
import { useLoad } from './hooks.ts';
import { DialogButton, Facts, List, Pill, ReasonField, Section, textIn } from './parts.tsx';
import { Pager, SearchForm } from './search-form.tsx';
import { centsInWords } from './words.ts';

/* Statements of all stores, and of one. */

const runningMonth = () => new Date().toISOString().slice(0, 7);

/** Links of a month: choosing another, its CSV and its print. */
function MonthForm({ tab, month, csv }: { tab: string; month: string; csv: string }) {
  const links = (
    <>
      <a href={addressOf(csv)} download>
        Download CSV
      </a>
      <Button onPress={() => window.print()} text="Print" />
    </>
  );
  return (
    <SearchForm tab={tab} query={new URLSearchParams({ month })} verb="Show" links={links}>
      <Field
        label="Month"
        name="month"
        required
        inputmode="numeric"
        pattern="[1-9][0-9]{3}-(0[1-9]|1[0-2])"
        placeholder="2026-11"
        defaultValue={month}
      />
    </SearchForm>
  );
}

const Closed = ({ isClosed }: { isClosed: boolean }) =>
  isClosed ? <Pill tone="good">closed</Pill> : <Pill tone="plain">open</Pill>;

/** Each store's payout for a month. */
export function StatementsView({ query }: { query: URLSearchParams }) {
  const month = query.get('month') ?? runningMonth();
  const { data, error, reload } = useLoad('GET /operator/statements', {
    query: { ...Object.fromEntries(query), month },
  });
  return (
    <>
      <h1>Statements {data && <Closed isClosed={data.is_closed} />}</h1>
      <p class="links">
        <a href={`#/taxes?month=${month}`}>Taxes to remit</a> <a href="#/tips">Tips owed to drivers</a>
      </p>
      <MonthForm tab="statements" month={month} csv={`/operator/statements.csv?month=${month}`} />
      <List
        title={`What stores are owed for ${month}`}
        actions={
          data?.is_closed === false && (
            <DialogButton
              to="admin"
              label="Close month…"
              title={`Close ${month}?`}
              verb={`Close ${month}`}
              tone="bad"
              send={async (form) => {
                await call('POST /operator/statements/close', { body: { month, reason: textIn(form, 'reason') } });
                reload();
              }}
            >
              <p>
                The statements of {month}, and of every month before it, are final for all stores. What comes later is a
                correction in the open month. You can’t undo this.
              </p>
              <ReasonField />
            </DialogButton>
          )
        }
        rows={data?.statements.map((statement) => ({ ...statement, month }))}
        fault={error}
        empty="No live orders in this month."
        keyOf={({ store_id }) => store_id}
        table={STATEMENTS}
      />
      <Pager tab="statements" query={query} next={data?.next ?? null} name="after" />
    </>
  );
}

/** Named taxes, each alongside the sum of all that is in the table. */
const taxColumns = (
  taxNames: readonly string[],
): Column<OwnersStatement['lines'][number] | OwnersStatement['days'][number]>[] =>
  taxNames.map((tax) => ({
    head: tax,
    class: 'figure right',
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
      {data && data.tax_ids.length > 0 && <p>Tax registration: {data.tax_ids.join(', ')}</p>}
      {data && <Totals totals={data.totals} />}
      <List
        title="Days"
        rows={data?.days}
        fault={error}
        empty="No live orders in this month."
        keyOf={({ date }) => date}
        table={STATEMENT}
        columns={taxColumns(taxNames)}
      />
      <List
        title="Lines"
        rows={data?.lines ?? []}
        keyOf={({ order_id, timestamp, kind, payout }) => `${order_id} ${timestamp} ${kind} ${payout}`}
        table={STATEMENT}
        columns={taxColumns(taxNames)}
      />
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
    <div class="halves">
      <Section title="Payout">
        <Facts
          facts={[
            ['Orders', totals.orders.toLocaleString('en-US')],
            ...AMOUNT_NAMES.flatMap((name) => {
              const cents = totals[name];
              return cents === undefined ? [] : [[AMOUNT_COLUMNS[name][2], centsInWords(cents)] as const];
            }),
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

/** Raised tips that are owed to drivers until they are marked paid. */
export function TipsView({ query }: { query: URLSearchParams }) {
  const { data, error, reload } = useLoad('GET /operator/tips', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Tips owed to drivers</h1>
      <p class="links">
        <a href="#/statements">Statements</a>
      </p>
      <List
        title="Raised too late for the courier company"
        rows={data?.tips}
        fault={error}
        empty="No tips are owed."
        keyOf={({ order_id }) => order_id}
        table={TIPS}
        act={({ order_id, order_number, driver_name, amount }) => (
          <DialogButton
            to="support"
            label="Mark as paid…"
            title={`Was ${driver_name ?? 'the driver'} paid?`}
            verb="Mark as paid"
            send={async (form) => {
              const body = { amount, reason: textIn(form, 'reason') };
              await call('POST /operator/orders/:order_id/tip_paid', { path: { order_id }, body });
              reload();
            }}
          >
            <p>
              The {centsInWords(amount)} of order {order_number} leave this list. Doorstep pays nothing out itself.
            </p>
            <ReasonField />
          </DialogButton>
        )}
      />
      <Pager tab="tips" query={query} next={data?.next ?? null} name="after" />
    </>
  );
}

/** The taxes of a month, by state or province, tax, class and remitter. */
export function TaxesView({ query }: { query: URLSearchParams }) {
  const month = query.get('month') ?? runningMonth();
  const { data, error } = useLoad('GET /operator/taxes', { query: { month } });
  return (
    <>
      <h1>Taxes {data && <Closed isClosed={data.is_closed} />}</h1>
      <p class="links">
        <a href={`#/statements?month=${month}`}>Statements</a>
      </p>
      <MonthForm tab="taxes" month={month} csv={`/operator/taxes.csv?month=${month}`} />
      <List
        title="Totals"
        rows={data?.totals ?? []}
        keyOf={({ currency, remitter }) => `${currency} ${remitter}`}
        table={TAXES}
      />
      <List
        title={`Charges less refunds of ${month}`}
        rows={data?.taxes}
        fault={error}
        empty="No taxes in this month."
        keyOf={({ country, state, name, tax_class: tax, remitter }) => [country, state, name, tax, remitter].join(' ')}
        table={TAXES}
      />
    </>
  );
}
