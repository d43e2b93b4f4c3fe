import type { AnswerOf } from './api.ts';
import { useLoad } from './hooks.ts';
import { type Column, Empty, Fault, List } from './parts.tsx';
import { amount, Closed, MonthForm, runningMonth } from './statements.tsx';
import { centsInWords } from './words.ts';

type Report = AnswerOf<'GET /operator/taxes'>;
type Tax = Report['taxes'][number];

const COLUMNS: readonly Column<Tax>[] = [
  { head: 'State', cell: ({ state, country }) => `${state}, ${country}` },
  { head: 'Tax', cell: ({ name }) => name },
  { head: 'Class', cell: ({ tax_class }) => tax_class.replaceAll('_', ' ') },
  { head: 'Remitted by', cell: ({ remitter }) => remitter },
  { head: 'Currency', cell: ({ currency }) => currency },
  { head: 'Base', class: 'number right', cell: ({ base }) => (base === null ? '' : centsInWords(base)) },
  amount('Amount', ({ tax }) => tax),
];

const TOTALS: readonly Column<Report['totals'][number]>[] = [
  { head: 'Remitted by', cell: ({ remitter }) => remitter },
  { head: 'Currency', cell: ({ currency }) => currency },
  amount('Amount', ({ tax }) => tax),
];

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
      <Fault>{error}</Fault>
      {data === undefined && !error && <Empty>Loading taxes…</Empty>}
      {data?.taxes.length === 0 && <Empty>No taxes in this month.</Empty>}
      {data && data.taxes.length > 0 && (
        <>
          <List
            title="Totals"
            rows={data.totals}
            keyOf={({ currency, remitter }) => `${currency} ${remitter}`}
            columns={TOTALS}
          />
          <List
            title={`Charges less refunds of ${month}`}
            rows={data.taxes}
            keyOf={({ country, state, name, tax_class: tax, remitter }) =>
              [country, state, name, tax, remitter].join(' ')
            }
            columns={COLUMNS}
          />
        </>
      )}
    </>
  );
}
