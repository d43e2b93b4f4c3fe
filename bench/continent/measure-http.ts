import type { LocatedSearch } from '../../src/search/stores/search-request.ts';
import { compareProcessor, compareWithBare, type Rival, type Turns } from '../compare.ts';
import type { Report } from '../report.ts';
import type { ContinentStore } from './continent-stores.ts';
import { type LoadClient, quantile } from './load.ts';
import { coldPage, FAR_WORDS, NO_MATCH, pathOf, queriesOf, WORKLOADS, type Workload } from './workloads.ts';

/** The measured service and its load client. */
export type MeasuredService = {
  url: string;
  keys: readonly string[];
  client: LoadClient;
  sample: readonly ContinentStore[];
  stores: number;
  /** Processor time of the service. */
  cpuMs(): Promise<number>;
  /** The longest event-loop block since the previous call. */
  heldMs(): Promise<number>;
};

/** Measures the table's workloads, alternating with a bare route that sends the same number of bytes. */
export async function measureWorkloads(
  service: MeasuredService,
  only: string,
  turns: Turns,
  report: Report,
): Promise<void> {
  for (const workload of WORKLOADS) {
    if (!workload.name.includes(only)) continue;
    const paths = queriesOf(workload, service.sample).map(pathOf);
    await compareWithBare({ ...service, paths }, { ...workload, what: workload.name }, turns, report);
  }
}

/** Measures processor time per answer of the table's workloads, alternating with a rival. */
export async function measureBeside(
  service: MeasuredService,
  rival: Rival,
  only: string,
  turns: Turns,
  report: Report,
): Promise<void> {
  for (const workload of WORKLOADS.filter(({ name }) => name.includes(only))) {
    const paths = queriesOf(workload, service.sample).map(pathOf);
    await compareProcessor({ ...service, paths }, rival, workload.name, turns, report);
  }
}

const ONCE_ROUNDS = 400;
const COLD_ROUNDS = 40;

/** Latency and event-loop time of searches that one client sends one at a time. */
export async function measureSingles(service: MeasuredService, only: string, report: Report): Promise<void> {
  const wanted = (name: string) => name.includes(only);
  if (wanted(NO_MATCH.name)) {
    await measureSingle(service, { ...NO_MATCH, rounds: ONCE_ROUNDS, share: 0.5, maxMs: 1 }, report);
  }
  if (wanted(FAR_WORDS.name)) {
    await measureSingle(service, { ...FAR_WORDS, rounds: ONCE_ROUNDS, share: 0.99, maxMs: 5 }, report);
  }
  const cold = coldPage(service.stores);
  if (wanted(cold.name)) await measureCold(service, queriesOf(cold, service.sample).slice(0, COLD_ROUNDS), report);
}

type Single = Pick<Workload, 'name' | 'queryOf'> & { rounds: number; share: number; maxMs: number };

async function measureSingle(service: MeasuredService, single: Single, report: Report): Promise<void> {
  const { name, rounds, share, maxMs } = single;
  const paths = queriesOf(single, service.sample).map(pathOf);
  const { client, url, keys } = service;
  await client.run({ url, keys, paths, rounds: rounds / 4 });
  const { latenciesMs } = await client.run({ url, keys, paths: paths.toReversed(), rounds });
  const at = (part: number) => quantile(latenciesMs, part).toFixed(2);
  report.add({
    what: `${name}, p${share * 100}`,
    value: quantile(latenciesMs, share),
    unit: 'ms',
    limit: { max: maxMs },
    details: `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)} ms`,
  });
}

const HELD_MS = 10;
const WHOLE_MS = 50;

async function measureCold(service: MeasuredService, queries: readonly LocatedSearch[], report: Report): Promise<void> {
  const { client, url, keys } = service;
  const [whole, held]: [number[], number[]] = [[], []];
  for (const query of queries) {
    await service.heldMs();
    const { latenciesMs } = await client.run({ url, keys, paths: [pathOf(query)], rounds: 1 });
    whole.push(...latenciesMs);
    held.push(await service.heldMs());
  }
  const figures = [
    { what: 'a cold page from 1,000 on holds the loop, p95', numbers: held, max: HELD_MS },
    { what: 'a cold page from 1,000 on, in all, p95', numbers: whole, max: WHOLE_MS },
  ];
  for (const { what, numbers, max } of figures) {
    const details = `p50 ${quantile(numbers, 0.5).toFixed(1)}, longest ${Math.max(...numbers).toFixed(1)} ms`;
    report.add({ what, value: quantile(numbers, 0.95), unit: 'ms', limit: { max }, details });
  }
}
