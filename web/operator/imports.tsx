import { IMPORTS } from '../../src/surfaces/operator/tables.ts';
import type { ImportRun, KeptImportFault } from './api.ts';
import { useLoad } from './hooks.ts';
import { Empty, type Fact, Facts, Fault, List, Moment, Pill, Section } from './parts.tsx';
import { Pager } from './search-form.tsx';
import { wordsOf } from './words.ts';

const REFRESH_INTERVAL_MS = 10_000;

function State({ run }: { run: ImportRun }) {
  if (run.finished_at === null) return <Pill tone="warn">not finished</Pill>;
  return run.error_count > 0 ? <Pill tone="bad">errors</Pill> : <Pill tone="good">complete</Pill>;
}

/** The reports of feed imports. */
export function ImportsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/imports', { query: Object.fromEntries(query) }, REFRESH_INTERVAL_MS);
  return (
    <>
      <h1>Imports</h1>
      <List
        title="Imports, newest first"
        rows={data?.imports}
        fault={error}
        empty="No imports yet."
        table={IMPORTS}
        columns={[{ head: 'State', cell: (run) => <State run={run} /> }]}
        keyOf={({ run_no }) => String(run_no)}
      />
      <Pager tab="imports" query={query} next={data?.next ?? null} />
    </>
  );
}

export function ImportView({ id }: { id: string }) {
  const path = { run_no: Number(id) };
  const { data: run, error } = useLoad('GET /operator/imports/:run_no', { path }, REFRESH_INTERVAL_MS);
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
              ([name, value]): Fact => [
                wordsOf(name),
                typeof value === 'number' ? value.toLocaleString('en-US') : JSON.stringify(value),
              ],
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
      table={{ File: 'file', Line: 'line', Path: 'path', What: 'message' }}
    />
  );
}
