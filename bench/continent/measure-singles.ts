import type { Report } from '../report.ts';
import type { ContinentStore } from './continent-stores.ts';
import { type LoadClient, quantile } from './load.ts';
import { coldPage, FAR_WORDS, NO_MATCH, pathOf, queriesOf } from './workloads.ts';

/** The measured service and its load client. */
export type MeasuredService = {
  url: string;
  keys: readonly string[];
  client: LoadClient;
  sample: readonly ContinentStore[];
  stores: number;
  /** The longest event-loop block since the previous call. */
  heldMs(): Promise<number>;
};

const ROUNDS = 400;
const COLD_ROUNDS = 40;

/** Latency and event-loop time of the hardest searches, which one client sends one at a time. */
export async function measureSingles(service: MeasuredService, report: Report): Promise<void> {
  const { client, url, keys, sample } = service;
  for (const { single, share, max } of [
    { single: NO_MATCH, share: 0.5, max: 1 },
    { single: FAR_WORDS, share: 0.99, max: 5 },
  ]) {
    const paths = queriesOf(single, sample).map(pathOf);
    await client.run({ url, keys, paths, rounds: ROUNDS / 4 });
    const { latenciesMs } = await client.run({ url, keys, paths: paths.toReversed(), rounds: ROUNDS });
    addQuantile(report, { what: single.name, latenciesMs, share, max });
  }
  const [whole, held]: [number[], number[]] = [[], []];
  for (const query of queriesOf(coldPage(service.stores), sample).slice(0, COLD_ROUNDS)) {
    await service.heldMs();
    whole.push(...(await client.run({ url, keys, paths: [pathOf(query)], rounds: 1 })).latenciesMs);
    held.push(await service.heldMs());
  }
  addQuantile(report, { what: 'a cold page from 1,000 on holds the loop', latenciesMs: held, share: 0.95, max: 10 });
  addQuantile(report, { what: 'a cold page from 1,000 on, in all', latenciesMs: whole, share: 0.95, max: 50 });
}

type Limit = { what: string; latenciesMs: readonly number[]; share: number; max: number; details?: string };

/** A quantile of latencies alongside its limit. */
export function addQuantile(report: Report, { what, latenciesMs, share, max, details = '' }: Limit): void {
  const at = (part: number) => quantile(latenciesMs, part).toFixed(1);
  report.add({
    what: `${what}, p${share * 100}`,
    value: quantile(latenciesMs, share),
    unit: 'ms',
    limit: { max },
    details: `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)} ms${details}`,
  });
}
