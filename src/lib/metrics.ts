import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type ObserveRequest, registerRequestDurations } from './request-durations.ts';

/** The values of a series' labels: few and known. No id, name or text of anybody is a label. */
export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** One series of a gauge. */
export type Measured<Label extends string> = { labels: LabelValues<Label>; value: number };

/** What a metric is called: names end with their unit (`_seconds`, `_bytes`), counters with `_total`. */
export type Described<Label extends string> = { name: string; help: string; labels: readonly Label[] };

/** Prometheus metrics of one process. A name is given once. */
export type Metrics = {
  contentType: string;
  text(): Promise<string>;
  observeRequest: ObserveRequest;
  /** Counts a problem that was answered. `keyMode` is `none` where no key of an account was read. */
  countProblem(code: string, keyMode: string): void;
  count(name: string, help: string): { inc(by?: number): void };
  countBy<Label extends string>(metric: Described<Label>): (labels: LabelValues<Label>) => void;
  /** Buckets are upper bounds in the unit of the name. */
  histogram<Label extends string>(
    metric: Described<Label> & { buckets: readonly number[] },
  ): (labels: LabelValues<Label>, value: number) => void;
  gauge(name: string, help: string, read: () => number): void;
  /** A gauge whose series are read at each scrape; a label set that is not read has no series. */
  gauges<Label extends string>(
    metric: Described<Label>,
    read: () => readonly Measured<Label>[] | Promise<readonly Measured<Label>[]>,
  ): void;
};

/** `labels` are those of every series of the process. */
export function createMetrics(labels: Readonly<Record<string, string>> = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    ...requestMetrics(registry),
    count: (name, help) => new Counter({ name, help, registers: [registry] }),
    countBy({ name, help, labels: labelNames }) {
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (values) => counter.inc(values as never);
    },
    histogram({ name, help, labels: labelNames, buckets }) {
      const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
      return (values, value) => histogram.observe(values as never, value);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    gauges({ name, help, labels: labelNames }, read) {
      new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const measured = await read();
          this.reset();
          if (labelNames.length === 0 && measured.length === 0) this.remove();
          for (const { labels: values, value } of measured) this.set(values as never, value);
        },
      });
    },
  };
}

function requestMetrics(registry: Registry): Pick<Metrics, 'observeRequest' | 'countProblem'> {
  const problems = new Counter({
    name: 'doorstep_http_problems_total',
    help: 'Requests answered with a problem, by its code and the mode of the key.',
    labelNames: ['code', 'key_mode'],
    registers: [registry],
  });
  return {
    observeRequest: registerRequestDurations(registry),
    countProblem: (code, keyMode) => problems.inc({ code, key_mode: keyMode }),
  };
}
