import { isMainThread } from 'node:worker_threads';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BUILD_COMMIT, VERSION } from './build-info.ts';
import { lostLogLines } from './log.ts';

/** Label values of a series: few and known. Never an id, a name or client text. */
type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** The series of a gauge, each the values of its labels and its own; or by the value of the only label. */
export type Series = Readonly<Record<string, number>> | readonly (readonly [...labels: string[], value: number])[];

/** A metric's name ends with its unit (`_seconds`, `_bytes`), or `_total` for counters. */
type MetricDescription<Label extends string> = { name: string; help: string; labels: readonly Label[] };

/** Prometheus metrics of one process or worker. Each name is registered once. */
export type Metrics = {
  contentType: string;
  text(): Promise<string>;
  observeRequest: ObserveRequest;
  /** Counts an answered problem. `keyMode` is `none` if no account key was read. */
  countProblem(code: string, keyMode: string): void;
  count(name: string, help: string): { inc(by?: number): void };
  countBy<Label extends string>(metric: MetricDescription<Label>): (labels: LabelValues<Label>, by?: number) => void;
  /** Buckets are upper limits in the unit of the name. */
  histogram<Label extends string>(
    metric: MetricDescription<Label> & { buckets: readonly number[] },
  ): (labels: LabelValues<Label>, value: number) => void;
  /** A gauge without labels; without a value it has no series. */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void;
  /** Adds gauges that are read at each scrape; label sets without a value have no series. */
  gauges(name: string, help: string, labels: readonly string[], read: () => Series | Promise<Series>): void;
};

/** `labels` are added to every series of the process. */
export function createMetrics(labels: Readonly<Record<string, string>> = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  // Metrics of the process itself are reported only by its first thread.
  const ofProcess = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('process_'));
  if (!isMainThread) for (const { name } of ofProcess) registry.removeSingleMetric(name);
  const build = { version: VERSION, commit: BUILD_COMMIT ?? '' };
  const names = Object.keys(build);
  const info = { name: 'doorstep_build_info', help: 'The version and the commit; always 1.', labelNames: names };
  if (isMainThread) new Gauge({ ...info, registers: [registry] }).set(build, 1);
  new Counter({
    name: 'doorstep_log_lines_lost_total',
    help: 'Log lines that could not be written to standard error.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
  const gauges: Metrics['gauges'] = (name, help, labelNames, read) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const measured = await read();
        const series = Array.isArray(measured) ? measured : Object.entries(measured);
        this.reset();
        if (labelNames.length === 0 && series.length === 0) this.remove();
        for (const row of series) {
          this.set(Object.fromEntries(labelNames.map((label, nth) => [label, row[nth]])), row.at(-1));
        }
      },
    });
  };
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    ...requestMetrics(registry),
    count: (name, help) => new Counter({ name, help, registers: [registry] }),
    countBy({ name, help, labels: labelNames }) {
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (values, by) => counter.inc(values as never, by);
    },
    histogram({ name, help, labels: labelNames, buckets }) {
      const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
      return (values, value) => histogram.observe(values as never, value);
    },
    gauge: (name, help, read) =>
      gauges(name, help, [], async () => {
        const value = await read();
        return value === undefined ? [] : [[value]];
      }),
    gauges,
  };
}

function requestMetrics(registry: Registry): Pick<Metrics, 'observeRequest' | 'countProblem'> {
  const registers = [registry];
  const durations = new Histogram({
    name: 'doorstep_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  const problems = new Counter({
    name: 'doorstep_http_problems_total',
    help: 'Requests answered with a problem, by code and key mode.',
    labelNames: ['code', 'key_mode'],
    registers,
  });
  return {
    observeRequest: (route, method, status, seconds) => durations.observe({ route, method, status }, seconds),
    countProblem: (code, keyMode) => problems.inc({ code, key_mode: keyMode }),
  };
}

/** Counts an answered request by its duration in seconds. */
type ObserveRequest = (route: string, method: string, status: number, seconds: number) => void;
