import { Field, Select } from '../field.tsx';
import type { OrderDay } from './api.ts';
import { useLoad } from './hooks.ts';
import { ModeField, OtherMode, useByMode } from './mode.tsx';
import { Empty, Fault, List, Section } from './parts.tsx';
import { SearchForm } from './search-form.tsx';
import { centsInWords, countInWords, type DayRow, dayInWords, durationInWords, foldDays } from './words.ts';

/* Figures by day, as charts and as a table. */

const RANGES = ['7', '30', '90'];

type Measure = {
  title: string;
  /** Null where the day has no value. */
  readValue(day: OrderDay): number | null;
  inWords(value: number): string;
  /** The range in one figure. */
  summaryOf(days: readonly OrderDay[]): string;
};

const sumOf = (days: readonly OrderDay[], readValue: (day: OrderDay) => number) =>
  days.reduce((sum, day) => sum + readValue(day), 0);
const count = (value: number) => value.toLocaleString('en-US');

const sumMeasure = (title: string, readValue: (day: OrderDay) => number, inWords: Measure['inWords']): Measure => {
  return { title, readValue, inWords, summaryOf: (days) => inWords(sumOf(days, readValue)) };
};

const MEASURES: readonly Measure[] = [
  sumMeasure('Orders', ({ orders }) => orders, count),
  sumMeasure('Sales', ({ sales }) => sales, centsInWords),
  {
    title: 'Acceptance time',
    readValue: ({ confirm_seconds: seconds }) => seconds,
    inWords: durationInWords,
    summaryOf: (days) => {
      const known = days.flatMap(({ confirm_seconds: seconds }) => seconds ?? []);
      return known.length === 0 ? '–' : `${durationInWords(Math.max(...known))} at most`;
    },
  },
  {
    title: 'Cancelations',
    readValue: ({ canceled }) => canceled,
    inWords: count,
    summaryOf: (days) => {
      const [canceled, orders] = [sumOf(days, (day) => day.canceled), sumOf(days, (day) => day.orders)];
      return orders === 0 ? '0' : `${count(canceled)} (${((canceled / orders) * 100).toFixed(1)}%)`;
    },
  },
];

/** Orders, sales, acceptance time and cancelations per day, as charts and as a table. */
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
          <div class="charts">
            {MEASURES.map((measure) => (
              <Section key={measure.title} title={`${measure.title} · ${measure.summaryOf(data.days)}`}>
                <Chart measure={measure} days={data.days} />
              </Section>
            ))}
          </div>
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

const BAR = 10;
const GAP = 2;
const HEIGHT = 100;

function Chart({ measure: { title, readValue, inWords }, days }: { measure: Measure; days: readonly OrderDay[] }) {
  const values = days.map(readValue);
  const max = Math.max(0, ...values.map((value) => value ?? 0));
  const [first, last] = [days[0], days.at(-1)];
  const peak = days[values.indexOf(max)];
  const label =
    max === 0
      ? `${title} per day: none`
      : `${title} per day: at most ${inWords(max)}, on ${peak && dayInWords(peak.day)}. Table below.`;
  return (
    <figure class="chart">
      <p class="soft figure">{max === 0 ? 'None' : inWords(max)}</p>
      <svg
        viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        focusable="false"
      >
        {days.map((day, index) => {
          const value = values[index] ?? 0;
          const height = max === 0 ? 0 : (Math.max(0, value) / max) * HEIGHT;
          return (
            <rect key={day.day} x={index * BAR + GAP / 2} y={HEIGHT - height} width={BAR - GAP} height={height}>
              <title>{`${dayInWords(day.day)}: ${inWords(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="soft">
        <span>{first && dayInWords(first.day)}</span>
        <span>{last && dayInWords(last.day)}</span>
      </figcaption>
    </figure>
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
