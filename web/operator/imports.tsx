import type { ImportRun, KeptImportFault } from './api.ts';
import { useLoad } from './hooks.ts';
import { type Column, Empty, Facts, Fault, List, Moment, Pill, Section } from './parts.tsx';
import { Pager } from './search-form.tsx';
import { durationInWords } from './words.ts';

const REFRESH_INTERVAL_MS = 10_000;
const COUNTS = ['read', 'created', 'updated', 'unchanged', 'rejected', 'pruned'];

function State({ run }: { run: ImportRun }) {
  if (run.finished_at === null) return <Pill tone="warn">not finished</Pill>;
  return run.error_count > 0 ? <Pill tone="bad">errors</Pill> : <Pill tone="good">complete</Pill>;
}

const countOf = ({ counts }: ImportRun, name: string) => {
  const count = counts[name];
  return typeof count === 'number' ? count.toLocaleString('en-US') : '–';
};

const COLUMNS: readonly Column<ImportRun>[] = [
  { head: 'Started', class: 'number', cell: ({ started_at }) => <Moment at={started_at} /> },
  { head: 'Feed', cell: ({ run_no, source }) => <a href={`#/imports/${run_no}`}>{source}</a> },
  { head: 'Format', cell: ({ format }) => format },
  { head: 'State', cell: (run) => <State run={run} /> },
  {
    head: 'Took',
    class: 'number',
    cell: ({ started_at, finished_at }) => (finished_at === null ? '–' : durationInWords(finished_at - started_at)),
  },
  ...COUNTS.map((name) => ({ head: name, class: 'number right', cell: (run: ImportRun) => countOf(run, name) })),
  { head: 'errors', class: 'number right', cell: ({ error_count }) => error_count.toLocaleString('en-US') },
];

/** The reports of feed imports. */
export function ImportsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/imports', { query: Object.fromEntries(query) }, REFRESH_INTERVAL_MS);
  return (
    <>
      <h1>Imports</h1>
      <Fault>{error}</Fault>
      <List
        title="Imports, newest first"
        rows={data?.imports}
        loading="Loading imports…"
        empty="No imports yet."
        columns={COLUMNS}
        keyOf={({ run_no }) => String(run_no)}
      />
      <Pager tab="imports" query={query} next={data?.next ?? null} />
    </>
  );
}

export function ImportView({ id }: { id: string }) {
  const { data: run, error } = useLoad(
    'GET /operator/imports/:run_no',
    { path: { run_no: Number(id) } },
    REFRESH_INTERVAL_MS,
  );
  if (!run) return error ? <Fault>{error}</Fault> : <Empty>Loading the import…</Empty>;
  return (
    <>
      <h1>
        Import of {run.source} <State run={run} />
      </h1>
      <Fault>{error}</Fault>
      <Section title="Report">
        <Facts
          facts={[
            ['Started', <Moment at={run.started_at} />],
            ['Finished', <Moment at={run.finished_at} />],
            ['Format', run.format],
            ...Object.entries(run.counts).map(
              ([name, value]) =>
                [
                  name.replaceAll('_', ' '),
                  typeof value === 'number' ? value.toLocaleString('en-US') : JSON.stringify(value),
                ] as const,
            ),
          ]}
        />
      </Section>
      <Faults kind="Errors" faults={run.errors} count={run.error_count} />
      <Faults kind="Warnings" faults={run.warnings} count={run.warning_count} />
    </>
  );
}

function Faults({ kind, faults, count }: { kind: string; faults: readonly KeptImportFault[]; count: number }) {
  return (
    <List
      title={`${kind} · ${count.toLocaleString('en-US')}${count > faults.length ? `, the first ${faults.length}` : ''}`}
      rows={faults.map((fault, index) => ({ ...fault, index }))}
      empty="None."
      keyOf={({ index }) => String(index)}
      columns={[
        { head: 'File', cell: ({ file }) => file ?? '–' },
        { head: 'Line', class: 'number', cell: ({ line }) => line },
        { head: 'Path', cell: ({ path }) => <span class="mono">{path}</span> },
        { head: 'What', cell: ({ message }) => message },
      ]}
    />
  );
}
