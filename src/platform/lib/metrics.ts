import { isMainThread } from 'node:worker_threads';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';

/** Label values of a series: few and known. Never an id, a name or client text. */
type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** One series of a gauge. */
export type GaugeValue<Label extends string> = { labels: LabelValues<Label>; value: number };

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
  /** Buckets are upper bounds in the unit of the name. */
  histogram<Label extends string>(
    metric: MetricDescription<Label> & { buckets: readonly number[] },
  ): (labels: LabelValues<Label>, value: number) => void;
  gauge(name: string, help: string, read: () => number): void;
  /** Adds gauges that are read at each scrape; label sets without a value have no series. */
  gauges<Label extends string>(
    metric: MetricDescription<Label>,
    read: () => readonly GaugeValue<Label>[] | Promise<readonly GaugeValue<Label>[]>,
  ): void;
};

/** `labels` are added to every series of the process. */
export function createMetrics(labels: Readonly<Record<string, string>> = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  // Metrics of the process itself are reported only by its first thread.
  const ofProcess = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('process_'));
  if (!isMainThread) for (const { name } of ofProcess) registry.removeSingleMetric(name);
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

/** Counts an answered request by its duration in seconds. */
type ObserveRequest = (route: string, method: string, status: number, seconds: number) => void;

/** Upper bounds of the buckets in seconds; a last bucket counts slower requests. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const METRIC = {
  name: 'doorstep_http_request_duration_seconds',
  help: 'Duration of HTTP requests by route pattern, method and status.',
  type: 'histogram',
  aggregator: 'sum',
};

/** `counts`: one number per bound, and one for slower requests. */
type Series = { labels: Record<string, string | number>; counts: Float64Array; sum: number };

/**
 * A histogram of request durations. The package's own formats labels and bounds for each value (3 µs per request); this
 * one adds to two numbers per request and formats them at each scrape.
 */
function registerRequestDurations(registry: Registry): ObserveRequest {
  const all: Series[] = [];
  const ofRoute = new Map<string, Map<string, Map<number, Series>>>();

  function routeSeries(route: string, method: string, status: number): Series {
    const ofMethod = ofRoute.get(route) ?? new Map<string, Map<number, Series>>();
    const ofStatus = ofMethod.get(method) ?? new Map<number, Series>();
    const known = ofStatus.get(status);
    if (known !== undefined) return known;
    const series = { labels: { route, method, status }, counts: new Float64Array(BOUNDS.length + 1), sum: 0 };
    ofRoute.set(route, ofMethod.set(method, ofStatus.set(status, series)));
    all.push(series);
    return series;
  }

  const get = async () => ({ ...METRIC, values: all.flatMap(seriesValues) });
  registry.registerMetric({ ...METRIC, get } as unknown as Metric);
  return (route, method, status, seconds) => {
    const series = routeSeries(route, method, status);
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += seconds;
  };
}

type NamedValue = { metricName: string; labels: object; sharedLabels: Series['labels']; value: number };

/** The lines of a series; buckets are cumulative. */
function seriesValues({ labels, counts, sum }: Series): NamedValue[] {
  const bucketName = `${METRIC.name}_bucket`;
  let count = 0;
  const buckets = [...BOUNDS, '+Inf'].map((le, nth) => {
    count += counts[nth] as number;
    return { metricName: bucketName, labels: { le }, sharedLabels: labels, value: count };
  });
  return [
    ...buckets,
    { metricName: `${METRIC.name}_sum`, labels: {}, sharedLabels: labels, value: sum },
    { metricName: `${METRIC.name}_count`, labels: {}, sharedLabels: labels, value: count },
  ];
}
