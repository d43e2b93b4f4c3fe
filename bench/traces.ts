import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inSpan, traceparentNow } from '../src/lib/tracing/span.ts';
import { traceWork } from '../src/lib/tracing/tracer.ts';
import { createReport } from './report.ts';

/**
 * What traces cost by processor time, without a database: a request through Fastify without the code of traces, with the
 * code switched off, and with a tracer whose spans are dropped, each kind in processes of its own; then the calls that
 * work makes without a trace, beside an empty call. `node bench/traces.ts [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 11);
const REQUESTS = 5000;
const CALLS = 500_000;
/** Nanoseconds that a call without a trace may take beyond an empty call: far below a thousandth of a request. */
const MAX_CALL_NS = 40;
/** With traces off a request runs the same code: what is above 1 is noise, as the second kind without the code shows. */
const MAX_OFF = 1.1;
const KINDS = {
  'a request without the code, again': 'bare',
  'a request, traces off': 'off',
  'a request, a twentieth of the traces': '0.05',
  'a request, traced': '1',
};

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function usOf(kind: string): number {
  const child = join(import.meta.dirname, 'traces-child.ts');
  return Number(execFileSync(process.execPath, [child, kind, String(REQUESTS)], { encoding: 'utf8' }));
}

const rounds = Array.from({ length: ROUNDS }, () => ({
  bare: usOf('bare'),
  of: Object.values(KINDS).map(usOf),
}));
const report = createReport('traces');
const bareUs = median(rounds.map(({ bare }) => bare));
Object.entries(KINDS).forEach(([what, kind], nth) => {
  const us = median(rounds.map(({ of }) => of[nth] ?? Number.NaN));
  const details = `${us.toFixed(1)} µs beside ${bareUs.toFixed(1)} µs without the code`;
  report.add({ what, value: us / bareUs, unit: '×', limit: kind === 'off' ? { max: MAX_OFF } : null, details });
});

const NOTHING = async () => undefined;
const calls: Record<string, () => unknown> = {
  'an empty call': () => undefined,
  'traceparentNow, no trace': () => traceparentNow(),
  'an awaited empty task': NOTHING,
  'inSpan, no trace': () => inSpan({ name: 'x', kind: 'client' }, NOTHING),
  'traceWork, no tracer': () => traceWork(undefined, { name: 'x', kind: 'client' }, NOTHING),
};
const BASELINES: Readonly<Record<string, string>> = {
  'traceparentNow, no trace': 'an empty call',
  'inSpan, no trace': 'an awaited empty task',
  'traceWork, no tracer': 'an awaited empty task',
};

function nsOf(task: () => unknown): number {
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n += 1) task();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / CALLS;
}

const took = Object.entries(calls).map(([name, task]) => {
  nsOf(task);
  return [name, median(Array.from({ length: 9 }, () => nsOf(task)))] as const;
});
const nsByName = new Map(took);
for (const [name, baseline] of Object.entries(BASELINES)) {
  const [ns = Number.NaN, empty = Number.NaN] = [nsByName.get(name), nsByName.get(baseline)];
  const details = `${ns.toFixed(1)} ns beside ${empty.toFixed(1)} ns of ${baseline}`;
  report.add({ what: name, value: Math.max(0, ns - empty), unit: 'ns', limit: { max: MAX_CALL_NS }, details });
}
process.exitCode = report.finish({ rounds: ROUNDS, requests: REQUESTS, calls: CALLS }) ? 0 : 1;
