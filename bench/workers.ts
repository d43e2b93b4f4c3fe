import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ContinentStore, continentStores } from './continent/continent-stores.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { type LoadClient, quantile, startLoadClient } from './continent/load.ts';
import { pathOf, queriesOf, SAMPLED_STORES, WORKLOADS } from './continent/workloads.ts';
import { createReport, type Report } from './report.ts';
import { givenDatabase } from './setup.ts';
import { type Served, startServe } from './workers/served.ts';

/**
 * `doorstep serve --workers N`: what 2 workers answer beside 1, and what 1, 2 and 4 take of memory.
 *
 *   node bench/workers.ts [--stores N] [--data FOLDER] [--turn-ms N]
 *
 * A machine of few cores has no room for the client beside two busy workers, so that throughput is told by processor
 * accounting: N workers on cores of their own answer N times what one answers in a second of its processor. Every cost of
 * having peers is in that second. Both services run all the time, and are asked by turns.
 */
const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '100000' },
    data: { type: 'string' },
    'turn-ms': { type: 'string', default: '3000' },
  },
});
const MIN_CAPACITY = 1.8;
const MAX_MEMORY = 1.3;
const MAX_BUSIEST = 1.1;
const TURNS = 5;
const WARM_UP_TURNS = 2;
const CONNECTIONS = 16;
const MIB = 2 ** 20;
const stores = Number(values.stores);
const turnMs = Number(values['turn-ms']);
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-workers-'));
mkdirSync(folder, { recursive: true });

const report = createReport('workers');
process.stdout.write(`Workers of one port, ${stores.toLocaleString('en-US')} stores\n`);
const dataDir = join(folder, 'database');
const database = await givenDatabase({ folder: dataDir, schema: 'doorstep' });
await importContinent(database, { stores, menus: 0, folder }, report);
const keys = await keysOf(database, CONNECTIONS);
const paths = pathsOf();
const client = await startLoadClient();
// The snapshot is written in the background, a process of its own: no part of what is measured.
const env = { DATA_DIR: dataDir, SEARCH_SNAPSHOT_DIR: 'off', RATE_LIMIT_PER_MINUTE: '10000000' };
await measureThroughput(client, report);
await measureMemory(client, report);
await client.close();
await database.close();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores, turnMs, connections: CONNECTIONS })) process.exitCode = 1;

/** Every workload of the continent, each with as many queries as the others. */
function pathsOf(): string[] {
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  const sample: ContinentStore[] = [...continentStores(stores, 0)].filter(({ number }) => number % every === 0);
  const lists = WORKLOADS.map((workload) => queriesOf(workload, sample).map(pathOf));
  return (lists[0] ?? []).flatMap((_, nth) => lists.map((list) => list[nth] ?? ''));
}

type Turn = { perSecond: number; perCpuSecond: number; firstShare: number; busiest: number };

async function turnOf(service: Served, by: LoadClient, connections = CONNECTIONS): Promise<Turn> {
  const before = await service.used();
  const { latenciesMs, seconds } = await by.run({
    url: service.url,
    keys,
    paths,
    connections,
    ms: turnMs,
  });
  const after = await service.used();
  const deltas = after.workers.map((worker, nth) => ({
    cpuSeconds: worker.cpuSeconds - (before.workers[nth]?.cpuSeconds ?? 0),
    requests: worker.requests - (before.workers[nth]?.requests ?? 0),
  }));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const cpuSeconds = sum(deltas.map((worker) => worker.cpuSeconds));
  const requests = deltas.map((worker) => worker.requests);
  return {
    perSecond: latenciesMs.length / seconds,
    perCpuSecond: latenciesMs.length / cpuSeconds,
    firstShare: (after.first.cpuSeconds - before.first.cpuSeconds) / cpuSeconds,
    busiest: (Math.max(...requests) * requests.length) / sum(requests),
  };
}

type Turns = { one: Turn; two: Turn; pair: Turn };

async function measureThroughput(by: LoadClient, to: Report): Promise<void> {
  const services = [await startServe(1, env), await startServe(1, env), await startServe(2, env)] as const;
  const other = await startLoadClient();
  const turns: Turns[] = [];
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn += 1) {
    const measured = await askByTurns(services, by, other);
    if (turn >= 0) turns.push(measured);
  }
  addThroughput(turns, to);
  await Promise.all([...services, other].map((each) => each.close()));
}

/** One process, two workers, and two processes that know nothing of each other, which share the machine as two workers do. */
async function askByTurns(
  [lone, stranger, both]: readonly [Served, Served, Served],
  by: LoadClient,
  other: LoadClient,
): Promise<Turns> {
  const one = await turnOf(lone, by);
  const two = await turnOf(both, by);
  const half = CONNECTIONS / 2;
  const [a, b] = await Promise.all([turnOf(lone, by, half), turnOf(stranger, other, half)]);
  const pair = { ...a, perSecond: a.perSecond + b.perSecond, perCpuSecond: (a.perCpuSecond + b.perCpuSecond) / 2 };
  return { one, two, pair };
}

function addThroughput(turns: readonly Turns[], to: Report): void {
  const median = (figureOf: (each: Turns) => number) => quantile(turns.map(figureOf), 0.5);
  const whole = (figureOf: (each: Turns) => number) => Math.round(median(figureOf));
  const rates = `${whole(({ one }) => one.perSecond)}/s and ${whole(({ two }) => two.perSecond)}/s here`;
  to.add({
    what: '2 workers, of the throughput of 1',
    value: median(({ one, two }) => (2 * two.perCpuSecond) / one.perCpuSecond),
    unit: '×',
    limit: { min: MIN_CAPACITY },
    details: `${whole(({ one }) => one.perCpuSecond)} searches in a second of the processor of 1, ${whole(({ two }) => two.perCpuSecond)} of each of 2; ${rates}`,
  });
  to.add({
    what: '2 processes that know nothing of each other',
    value: median(({ one, pair }) => (2 * pair.perCpuSecond) / one.perCpuSecond),
    unit: '×',
    limit: null,
    details: `${whole(({ pair }) => pair.perCpuSecond)} searches in a second of the processor of each: what this machine allows`,
  });
  to.add({
    what: 'the first process beside its 2 workers',
    value: 100 * median(({ two }) => two.firstShare),
    unit: '% of their processor',
    limit: null,
    details: 'numbers that workers tell each other, connections, metrics',
  });
  to.add({
    what: 'the busier of 2 workers',
    value: median(({ two }) => two.busiest),
    unit: 'of the mean',
    limit: { max: MAX_BUSIEST },
    details: `${CONNECTIONS} connections kept alive`,
  });
}

/** Resident memory, each process after as much load. */
async function measureMemory(by: LoadClient, to: Report): Promise<void> {
  const sizes = new Map<number, number>();
  for (const workers of [1, 2, 4]) {
    const service = await startServe(workers, env);
    await turnOf(service, by);
    const { workers: each, first } = await service.used();
    await service.close();
    const megabytes = each.map(({ rssBytes }) => Math.round(rssBytes / MIB));
    const [{ heapBytes, bufferBytes } = first] = each;
    const parts = `${Math.round(heapBytes / MIB)} MB of the first worker are JavaScript's heap, ${Math.round(bufferBytes / MIB)} MB buffers`;
    sizes.set(
      workers,
      each.reduce((sum, { rssBytes }) => sum + rssBytes, first.rssBytes),
    );
    to.add({
      what: `memory of ${workers}`,
      value: (sizes.get(workers) ?? 0) / (sizes.get(1) ?? 1),
      unit: 'of 1',
      limit: workers === 4 ? { max: MAX_MEMORY } : null,
      details: `${megabytes.join(' + ')} MB resident, the first process ${Math.round(first.rssBytes / MIB)} MB; ${parts}`,
    });
  }
}
