import { TAXES } from '../../src/surfaces/operator/tables.ts';
import { useLoad } from './hooks.ts';
import { Empty, Fault, List } from './parts.tsx';
import { Closed, MonthForm, runningMonth } from './statements.tsx';

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
            table={TAXES}
          />
          <List
            title={`Charges less refunds of ${month}`}
            rows={data.taxes}
            keyOf={({ country, state, name, tax_class: tax, remitter }) =>
              [country, state, name, tax, remitter].join(' ')
            }
            table={TAXES}
          />
        </>
      )}
    </>
  );
}
