import type { SearchParameters } from '../../src/stores/search/search-request.ts';
import type { Report } from '../report.ts';
import { startChild } from '../setup.ts';
import type { ContinentStore } from './continent-stores.ts';
import { type LoadClient, quantile } from './load.ts';
import { coldPage, FAR_WORDS, NO_MATCH, pathOf, queriesOf, WORKLOADS, type Workload } from './workloads.ts';

/** The service that is measured, and the client that measures. */
export type Measured = {
  url: string;
  keys: readonly string[];
  client: LoadClient;
  sample: readonly ContinentStore[];
  stores: number;
  /** Processor time of the service. */
  cpuMs(): Promise<number>;
  /** The longest time that the event loop of the service was held since the call before. */
  heldMs(): Promise<number>;
};

export type Turns = { turns: number; turnMs: number };

const CONNECTIONS = 8;
const WARM_UP_MS = 400;

/** `perSecond` answers, each for so much of the service's processor; `clientShare` is the client's part of a core. */
export type Turn = { perSecond: number; cpuMicros: number; p99: number; clientShare: number };

/** The workloads of the table by turns with a bare route that answers as many bytes; the median of the turns counts. */
export async function measureWorkloads(service: Measured, only: string, turns: Turns, report: Report): Promise<void> {
  for (const workload of WORKLOADS) {
    if (workload.name.includes(only)) await measureWorkload(service, workload, turns, report);
  }
}

async function measureWorkload(service: Measured, workload: Workload, turns: Turns, report: Report): Promise<void> {
  const { client, url, keys } = service;
  const paths = queriesOf(workload, service.sample).map(pathOf);
  // Each connection asks its own part of the paths, one after the other: the lengths come in the sequence of the paths.
  const rounds = paths.length / CONNECTIONS;
  const { lengths } = await client.run({ url, keys, paths, connections: CONNECTIONS, rounds, wantsLengths: true });
  const bare = await startChild<{ url: string }>('bytes-child.ts', [], { first: lengths });
  const turnOf = (at: { url: string; cpuMs(): Promise<number> }, ms: number) =>
    loadFor(client, { ...at, keys, paths }, ms);
  await turnOf(service, WARM_UP_MS);
  await turnOf(bare, WARM_UP_MS);
  const measured: { ratio: number; ours: Turn; limit: Turn }[] = [];
  for (let turn = 0; turn < turns.turns; turn += 1) {
    const limit = await turnOf(bare, turns.turnMs);
    const ours = await turnOf(service, turns.turnMs);
    measured.push({ ratio: ours.perSecond / limit.perSecond, ours, limit });
  }
  await bare.close();
  measured.sort((a, b) => a.ratio - b.ratio);
  const { ratio, ours, limit } = measured[measured.length >> 1] as (typeof measured)[number];
  const kib = (lengths.reduce((sum, length) => sum + length, 0) / lengths.length / 1024).toFixed(0);
  const rates = `${Math.round(ours.perSecond)}/s of ${Math.round(limit.perSecond)}/s`;
  const cpu = `${Math.round(ours.cpuMicros)} of ${Math.round(limit.cpuMicros)} µs of processor`;
  report.add({
    what: `${workload.name}, ${kib} KiB`,
    value: ratio,
    unit: 'of bare',
    limit: { min: workload.minRatio },
    details: `${rates}, ${cpu}, p99 ${ours.p99.toFixed(1)} ms, client ${Math.round(ours.clientShare * 100)} % of a core`,
  });
}

export type Target = { url: string; keys: readonly string[]; paths: readonly string[]; cpuMs(): Promise<number> };

/** Asks one query after the other on 8 connections for so many milliseconds. */
export async function loadFor(client: LoadClient, { url, keys, paths, cpuMs }: Target, ms: number): Promise<Turn> {
  const beforeMs = await cpuMs();
  const {
    latenciesMs,
    seconds,
    cpuMs: clientMs,
  } = await client.run({ url, keys, paths, connections: CONNECTIONS, ms });
  const usedMs = (await cpuMs()) - beforeMs;
  const count = latenciesMs.length;
  return {
    perSecond: count / seconds,
    cpuMicros: (usedMs * 1000) / count,
    p99: quantile(latenciesMs, 0.99),
    clientShare: clientMs / (seconds * 1000),
  };
}

const ONCE_ROUNDS = 400;
const COLD_ROUNDS = 40;

/** Searches that one client asks one by one: how long each takes, and how long each holds the event loop. */
export async function measureSingles(service: Measured, only: string, report: Report): Promise<void> {
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

async function measureSingle(service: Measured, single: Single, report: Report): Promise<void> {
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

async function measureCold(service: Measured, queries: readonly SearchParameters[], report: Report): Promise<void> {
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
