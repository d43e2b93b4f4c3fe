import { setTimeout as pause } from 'node:timers/promises';
import type { Sample } from '../../faults/service-process.ts';
import { until } from '../../until.ts';
import { type createSummary, quantile, tell } from './figures.ts';
import type { Soak } from './given-soak.ts';

const PROBE_EVERY_MS = 250;
const ORDER = '/order/order/v2';
const SEARCH = '/search/store/v3';
/** A connection times out after 10 s, a statement after 16 s. */
const LONGEST_ANSWER_MS = 30_000;
const LONGEST_PROBE_MS = 5000;
const RECOVERED_MS = 30_000;
/** Maximum log bytes a minute at warn and above. */
const LOG_BYTES_A_MINUTE = 200_000;

type Summary = ReturnType<typeof createSummary>;
export type Outage = { name: string; seconds: number; begin(): Promise<void>; end(): Promise<void> };

/**
 * Runs ordering clients and probes from here to `end`, against one process. A forbidden answer ends the program with a
 * broken promise.
 */
export function startClients(soak: Soak, summary: Summary): { end(): Promise<void> } {
  const started = soak.world.service;
  const running = Promise.all([soak.startClients(), probe(soak)]);
  running.catch((error) => {
    summary.promise(`clients see answers or 503: ${error.stack}`, false);
    summary.print();
    process.exit(1);
  });
  return {
    async end() {
      soak.world.isEnding = true;
      await running;
      summary.promise('the service was never started again', soak.world.service === started);
    },
  };
}

/** Queries the probes and search repeatedly until the run ends. */
async function probe({ world, samples }: Soak): Promise<void> {
  const ask = async (path: string, query = '') => {
    const at = performance.now();
    const signal = AbortSignal.timeout(2 * LONGEST_ANSWER_MS);
    const reply = await fetch(`${world.service?.url}${path}${query}`, { signal }).catch(() => undefined);
    await reply?.arrayBuffer().catch(() => {});
    const retryAfter = reply?.headers.get('retry-after') ?? null;
    samples.push({ at, ms: performance.now() - at, path, status: reply?.status ?? 0, retryAfter });
  };
  const again = async (look: () => Promise<unknown>) => {
    while (!world.isEnding) {
      if (world.service) await look();
      await pause(PROBE_EVERY_MS);
    }
  };
  const search = () => world.call.get(SEARCH, { latitude: '40.744', longitude: '-73.988' }).catch(() => {});
  await Promise.all([again(() => ask('/healthz')), again(() => ask('/readyz')), again(search)]);
}

/** Checks the responses to clients and probes during an outage, and how soon orders are accepted again. */
export async function throughOutage(soak: Soak, outage: Outage, summary: Summary): Promise<void> {
  const { world, samples } = soak;
  const ordersAfter = (at: number) =>
    samples.filter((one) => one.path === ORDER && one.status === 200 && one.at + one.ms > at);
  await until('orders are taken', () => ordersAfter(performance.now() - 2000).length > 0);
  samples.splice(0);
  const bytes = world.service?.complainedBytes() ?? 0;
  const beganAt = performance.now();
  await outage.begin();
  await pause(outage.seconds * 1000);
  await outage.end();
  const endedAt = performance.now();
  await until('orders are taken again', () => ordersAfter(endedAt).length > 0);
  const recoveredMs = Math.min(...ordersAfter(endedAt).map((one) => one.at + one.ms)) - endedAt;
  await until('the service is ready', () =>
    samples.some(({ path, status, at }) => path === '/readyz' && status === 200 && at > endedAt),
  );
  // The start of an outage is logged at once, so a short one counts as a minute.
  const minutes = Math.max(1, (performance.now() - beganAt) / 60_000);
  const logged = ((world.service?.complainedBytes() ?? 0) - bytes) / minutes;
  await pause(1000);
  const seen = samples.filter(({ at }) => at >= beganAt);
  const clients = seen.filter(({ path }) => path !== '/healthz' && path !== '/readyz');
  const of = (path: string) => seen.filter((one) => one.path === path);
  const { name } = outage;
  tell(`${name} for ${outage.seconds} s: ${statuses(clients)}; orders again after ${Math.round(recoveredMs)} ms`);
  const away = seen.filter(({ at }) => at > beganAt + 1000 && at < endedAt - 1000);
  summary.note(`${name}: search while it lasts ${statuses(away.filter(({ path }) => path === SEARCH))}`);
  summary.note(`${name}: orders while it lasts ${statuses(away.filter(({ path }) => path === ORDER))}`);
  const wrong = clients.filter(({ status }) => status === 0 || (status >= 500 && status !== 503));
  summary.promise(`${name}: clients see no error but 503 (${clients.length} answers)`, wrong.length === 0);
  const silent = clients.filter(({ status, retryAfter }) => status === 503 && retryAfter === null);
  summary.promise(`${name}: every 503 has Retry-After`, silent.length === 0);
  const isAlive = of('/healthz').length > 0 && of('/healthz').every(({ status }) => status === 200);
  summary.promise(`${name}: /healthz is 200 throughout`, isAlive);
  summary.limit(`${name}: slowest answer to a client in ms`, slowest(clients), LONGEST_ANSWER_MS);
  summary.limit(
    `${name}: slowest answer of a probe in ms`,
    slowest([...of('/healthz'), ...of('/readyz')]),
    LONGEST_PROBE_MS,
  );
  summary.limit(`${name}: orders are taken again, ms after its end`, recoveredMs, RECOVERED_MS);
  summary.limit(`${name}: log of warnings in bytes a minute`, logged, LOG_BYTES_A_MINUTE);
}

const slowest = (samples: readonly Sample[]) =>
  quantile(
    samples.map(({ ms }) => ms),
    1,
  );

/** `200: 31, 503: 12 (up to 16021 ms)` */
function statuses(samples: readonly Sample[]): string {
  const byStatus = Map.groupBy(samples, ({ status }) => status);
  const counts = [...byStatus].sort(([a], [b]) => a - b).map(([status, found]) => `${status}: ${found.length}`);
  return `${counts.join(', ') || 'none'} (up to ${Math.round(slowest(samples))} ms)`;
}
