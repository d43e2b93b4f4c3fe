import { Field, Select } from '../field.tsx';
import type { OrderDay } from './api.ts';
import { useLoad } from './hooks.ts';
import { ModeField, OtherMode, useByMode } from './mode.tsx';
import { Empty, Fault, List } from './parts.tsx';
import { SearchForm } from './search-form.tsx';
import { centsInWords, countInWords, type DayRow, dayInWords, durationInWords, foldDays } from './words.ts';

const RANGES = ['7', '30', '90'];

const count = (value: number) => value.toLocaleString('en-US');

/** The range in one line. */
function totalsInWords(days: readonly OrderDay[]): string {
  const total = (name: 'orders' | 'sales' | 'canceled') => days.reduce((sum, day) => sum + day[name], 0);
  const [orders, canceled] = [total('orders'), total('canceled')];
  const share = orders === 0 ? '' : ` (${((canceled / orders) * 100).toFixed(1)}%)`;
  return `${countInWords(orders, 'order')}, ${centsInWords(total('sales'))} in sales, ${count(canceled)} canceled${share}.`;
}

/** Orders, sales, acceptance time and cancelations per day. */
export function TrendsView({ query }: { query: URLSearchParams }) {
  const { data, error, mode, others } = useByMode(query, (input) => useLoad('GET /operator/trends', { query: input }));
  const range = query.get('days') ?? '30';
  return (
    <>
      <h1>Trends</h1>
      <SearchForm tab="trends" query={query} verb="Show">
        <Select
          label="Days"
          name="days"
          value={range}
          options={RANGES.map((days) => [days, `last ${days}`] as const)}
        />
        <ModeField mode={mode} />
        <Field label="Store ID" name="store_id" maxLength={64} defaultValue={query.get('store_id') ?? ''} />
        <Field label="Account ID" name="account_id" maxLength={64} defaultValue={query.get('account_id') ?? ''} />
      </SearchForm>
      <Fault>{error}</Fault>
      {!data && !error && <Empty>Loading the trends…</Empty>}
      {data && (
        <>
          <OtherMode tab="trends" query={query} mode={mode} others={others} />
          <p>{totalsInWords(data.days)}</p>
          <p class="remark">
            Orders count on the day they were placed, in the store's time zone. Sales are totals with tips, less
            refunds. Acceptance time runs from the offer to the confirmation.
          </p>
          <DaysTable days={data.days} query={query} mode={mode} />
        </>
      )}
    </>
  );
}

function DaysTable({ days, query, mode }: { days: readonly OrderDay[]; query: URLSearchParams; mode: string }) {
  const filter = [...query].filter(([name]) => name !== 'days' && name !== 'mode');
  const linkOf = (day: string) => `#/orders?${new URLSearchParams([...filter, ['mode', mode], ['day', day]])}`;
  const figure = (inWords: (day: OrderDay) => string) => ({
    class: 'right',
    cell: ({ first }: DayRow) => (first.orders === 0 ? '–' : inWords(first)),
  });
  return (
    <List
      title={`Every day of ${countInWords(days.length, 'day')}`}
      rows={foldDays(days).reverse()}
      keyOf={({ first }) => first.day}
      columns={[
        {
          head: 'Day',
          class: 'figure',
          cell: ({ first, last }) =>
            first === last ? (
              <a href={linkOf(first.day)}>{dayInWords(first.day)}</a>
            ) : (
              `${dayInWords(first.day)} – ${dayInWords(last.day)}`
            ),
        },
        { head: 'Orders', class: 'right', cell: ({ first }) => count(first.orders) },
        { head: 'Sales', ...figure(({ sales }) => centsInWords(sales)) },
        { head: 'Refunded', ...figure(({ refunded }) => centsInWords(refunded)) },
        {
          head: 'Acceptance time',
          ...figure(({ confirm_seconds: seconds }) => (seconds === null ? '–' : durationInWords(seconds))),
        },
        { head: 'Canceled', ...figure(({ canceled }) => count(canceled)) },
      ]}
    />
  );
}
