import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. */
export type Metrics = {
  contentType: string;
  text(): Promise<string>;
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  count(name: string, help: string): { inc(by?: number): void };
  gauge(name: string, help: string, read: () => number): void;
};

/** `labels` are those of every series of the process. */
export function createMetrics(labels: Readonly<Record<string, string>> = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'doorstep_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  const series = new Map<string, ReturnType<typeof requests.labels>>();
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest(route, method, status, seconds) {
      const key = `${method} ${status} ${route}`;
      const known = series.get(key) ?? requests.labels({ route, method, status });
      series.set(key, known);
      known.observe(seconds);
    },
    count: (name, help) => new Counter({ name, help, registers: [registry] }),
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
  };
}
