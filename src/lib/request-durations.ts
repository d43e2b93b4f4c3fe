import type { Metric, Registry } from 'prom-client';

/** Counts a request that was answered after so many seconds. */
export type ObserveRequest = (route: string, method: string, status: number, seconds: number) => void;

/** Upper bounds in seconds; a last bucket has what took longer. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const METRIC = {
  name: 'doorstep_http_request_duration_seconds',
  help: 'Duration of HTTP requests by route pattern, method and status.',
  type: 'histogram',
  aggregator: 'sum',
};

/** `counts` has a number for each bound, and one for what took longer. */
type Series = { labels: Record<string, string | number>; counts: Float64Array; sum: number };

/**
 * A histogram of requests. The package's own histogram makes texts of the labels and of the bucket's bound for each value,
 * 3 µs a request; here a request adds to two numbers, and a scrape makes the texts.
 */
export function registerRequestDurations(registry: Registry): ObserveRequest {
  const all: Series[] = [];
  const ofRoute = new Map<string, Map<string, Map<number, Series>>>();

  function seriesOf(route: string, method: string, status: number): Series {
    const ofMethod = ofRoute.get(route) ?? new Map<string, Map<number, Series>>();
    const ofStatus = ofMethod.get(method) ?? new Map<number, Series>();
    const known = ofStatus.get(status);
    if (known !== undefined) return known;
    const series = { labels: { route, method, status }, counts: new Float64Array(BOUNDS.length + 1), sum: 0 };
    ofRoute.set(route, ofMethod.set(method, ofStatus.set(status, series)));
    all.push(series);
    return series;
  }

  const get = async () => ({ ...METRIC, values: all.flatMap(valuesOf) });
  registry.registerMetric({ ...METRIC, get } as unknown as Metric);
  return (route, method, status, seconds) => {
    const series = seriesOf(route, method, status);
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += seconds;
  };
}

type NamedValue = { metricName: string; labels: object; sharedLabels: Series['labels']; value: number };

/** The lines of a series: each bucket counts the requests of the buckets before too. */
function valuesOf({ labels, counts, sum }: Series): NamedValue[] {
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
