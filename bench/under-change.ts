import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ContinentStore, continentStores, menusOf } from './continent/continent-stores.ts';
import { importContinent, keysOf } from './continent/given-continent.ts';
import { type LoadClient, quantile, startLoadClient } from './continent/load.ts';
import { pathOf, queriesOf, SAMPLED_STORES, WORKLOADS } from './continent/workloads.ts';
import { createReport, type Report } from './report.ts';
import { givenDatabase, startBenchService } from './setup.ts';
import { eachSecond, mainThreadOf, type ThreadTimes, UNKNOWN_TIMES } from './under-change/main-thread.ts';
import { startChanges } from './under-change/start-changes.ts';
import { type Lag, type Node, shownVersion, watchChange } from './under-change/watch-changes.ts';

/**
 * Two nodes on one PostgreSQL, which answer searches while 200 stores a second change: how late each node shows a change,
 * what searches take beside a time without changes, and whether the memory of the nodes grows.
 *
 *   node bench/under-change.ts [--minutes N] [--stores N] [--per-second N] [--data FOLDER]
 *
 * A change is an import of a line with another name, rating and week. Ten changed stores of each second are looked at on
 * both nodes until they are shown, and every store that changed last is looked at once more at the end. The searches are
 * those of `bench/continent.ts`, from 8 connections a node that rest between two requests. Times without changes stand
 * before and after. The main thread of a node waits for a processor where other processes have all of them.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    stores: { type: 'string', default: '200000' },
    'per-second': { type: 'string', default: '200' },
    data: { type: 'string' },
  },
});
const MINUTE_MS = 60_000;
const MAX_STALE_MS = 2000;
const MAX_P99_RATIO = 2;
const MAX_MEMORY_RATIO = 1.05;
/** Of the asked rate: a second that ends between two batches counts. */
const MIN_RATE_SHARE = 0.98;
const WATCHED_OF_BATCH = 10;
const LOOKED_AT_LAST = 1000;
const CONNECTIONS = 8;
const PAUSE_MS = 25;
const MEMORY_EVERY_MS = 2000;
const MIB = 2 ** 20;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000', SEARCH_SNAPSHOT_DIR: 'off' };

const stores = Number(values.stores);
const menus = menusOf(stores);
const perSecond = Number(values['per-second']);
const changeMs = Number(values.minutes) * MINUTE_MS;
const quietMs = Math.min(MINUTE_MS, Math.max(15_000, changeMs / 6));
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-under-change-'));
mkdirSync(folder, { recursive: true });

const report = createReport('under-change');
process.stdout.write(
  `${perSecond} of ${stores.toLocaleString('en-US')} stores a second change for ${values.minutes} minutes\n`,
);
const database = await givenDatabase({ folder: join(folder, 'database'), schema: 'bench_under_change' });
await importContinent(database, { stores, menus, folder }, report);
const keys = await keysOf(database, CONNECTIONS);
const services = [await startBenchService(database, SETTINGS), await startBenchService(database, SETTINGS)];
const nodes: Node[] = services.map(({ url }) => ({ url, key: keys[0] ?? '' }));
const clients = await Promise.all(services.map(() => startLoadClient()));
const changes = await startChanges(database, { stores, menus });
const paths = pathsOf();
await measure(report);
await Promise.all([...services, ...clients, changes].map((each) => each.close()));
await database.close();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores, minutes: Number(values.minutes), perSecond })) process.exitCode = 1;

/** The workloads of the continent, each with as many queries as the others. */
function pathsOf(): string[] {
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  const sample: ContinentStore[] = [...continentStores(stores, menus)].filter(({ number }) => number % every === 0);
  const lists = WORKLOADS.map((workload) => queriesOf(workload, sample).map(pathOf));
  return (lists[0] ?? []).flatMap((_, nth) => lists.map((list) => list[nth] ?? ''));
}

/** By node: latencies, samples of memory, and what the main thread ran and waited for a processor in each second. */
type Phase = { latenciesMs: number[][]; rssMb: number[][]; threads: ThreadTimes[] };

/** Load on both nodes for so long. */
async function phaseOf(ms: number): Promise<Phase> {
  const sampling = { isOver: false };
  const memory = Promise.all(services.map((service) => memoryOf(service, sampling)));
  const beganMs = performance.now();
  const from = services.map(({ pid }) => mainThreadOf(pid));
  const runs = clients.map((client: LoadClient, nth) =>
    client.run({ url: nodes[nth]?.url ?? '', keys, paths, connections: CONNECTIONS, ms, pauseMs: PAUSE_MS }),
  );
  const loaded = await Promise.all(runs);
  sampling.isOver = true;
  const tookMs = performance.now() - beganMs;
  const threads = services.map(({ pid }, nth) => eachSecond(from[nth] ?? UNKNOWN_TIMES, mainThreadOf(pid), tookMs));
  return { latenciesMs: loaded.map(({ latenciesMs }) => latenciesMs), rssMb: await memory, threads };
}

async function memoryOf(service: (typeof services)[number], sampling: { isOver: boolean }): Promise<number[]> {
  const samples: number[] = [];
  while (!sampling.isOver) {
    samples.push((await service.rssBytesNow()) / MIB);
    await pause(MEMORY_EVERY_MS);
  }
  return samples;
}

async function measure(to: Report): Promise<void> {
  await phaseOf(quietMs / 3);
  const before = await phaseOf(quietMs);
  const watches: Promise<Lag[]>[] = [];
  const last = new Map<string, { version: number; store: Parameters<typeof shownVersion>[1] }>();
  const changing = changes.run({ perSecond, ms: changeMs }, (changed) => {
    for (const store of changed.stores.slice(0, WATCHED_OF_BATCH)) watches.push(watchChange(nodes, changed, store));
    for (const store of changed.stores) last.set(store.storeId, { version: changed.version, store });
  });
  const during = await phaseOf(changeMs);
  const done = await changing;
  const lags = (await Promise.all(watches)).flat();
  await pause(MAX_STALE_MS);
  const left = await staleAtEnd([...last.values()].slice(-LOOKED_AT_LAST));
  const after = await phaseOf(quietMs);
  to.add({
    what: 'stores changed',
    value: done.stores / (changeMs / 1000),
    unit: 'a second',
    limit: { min: MIN_RATE_SHARE * perSecond },
    details: `${done.stores} in ${done.batches} imports, ${done.rejected} rejected, the latest import began ${done.lateMs} ms late`,
  });
  addFreshness(lags, left, to);
  for (const nth of nodes.keys()) addNode(nth, [before, after], during, to);
}

/** Stores whose last change a node does not show. */
async function staleAtEnd(
  all: readonly { version: number; store: Parameters<typeof shownVersion>[1] }[],
): Promise<number> {
  let stale = 0;
  for (const { version, store } of all) {
    for (const node of nodes) if ((await shownVersion(node, store)) < version) stale += 1;
  }
  return stale;
}

function addFreshness(lags: readonly Lag[], left: number, to: Report): void {
  const sinceCommit = lags.map(({ sinceCommitMs }) => sinceCommitMs);
  const at = (share: number, of = sinceCommit) => Math.round(quantile(of, share));
  const whole = lags.map(({ sinceBeginMs }) => sinceBeginMs);
  to.add({
    what: 'changes that a node showed later than 2 s',
    value: sinceCommit.filter((ms) => ms > MAX_STALE_MS).length,
    unit: `of ${lags.length}`,
    limit: { max: 0 },
    details: `after the commit p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms; after the import began p99 ${at(0.99, whole)} ms`,
  });
  to.add({
    what: 'last changes that a node does not show',
    value: left,
    unit: `of ${LOOKED_AT_LAST * nodes.length}`,
    limit: { max: 0 },
    details: '2 s after the end',
  });
}

function addNode(nth: number, quiet: readonly Phase[], during: Phase, to: Report): void {
  const still = quiet.flatMap(({ latenciesMs }) => latenciesMs[nth] ?? []);
  const busy = during.latenciesMs[nth] ?? [];
  const shown = (of: readonly number[], share: number) => quantile(of, share).toFixed(1);
  to.add({
    what: `p99 of searches under change, node ${nth + 1}`,
    value: quantile(busy, 0.99) / quantile(still, 0.99),
    unit: '×',
    limit: { max: MAX_P99_RATIO },
    details: `p50 ${shown(busy, 0.5)} and ${shown(still, 0.5)}, p99 ${shown(busy, 0.99)} and ${shown(still, 0.99)} ms of ${busy.length} and ${still.length} searches`,
  });
  const threadIn = (phase: Phase | undefined) => phase?.threads[nth] ?? UNKNOWN_TIMES;
  const [thread, threadBefore] = [threadIn(during), threadIn(quiet[0])];
  to.add({
    what: `main thread waited for a processor, node ${nth + 1}`,
    value: thread.waitedMs,
    unit: 'ms a second',
    limit: null,
    details: `ran ${Math.round(thread.ranMs)}; before the changes waited ${Math.round(threadBefore.waitedMs)}, ran ${Math.round(threadBefore.ranMs)}`,
  });
  const memory = during.rssMb[nth] ?? [];
  const part = (from: number, until: number) =>
    quantile(memory.slice(Math.floor(memory.length * from), Math.ceil(memory.length * until)), 0.5);
  to.add({
    what: `memory, last quarter by second, node ${nth + 1}`,
    value: part(0.75, 1) / part(0.25, 0.5),
    unit: '×',
    limit: { max: MAX_MEMORY_RATIO },
    details: `medians of the quarters ${[0, 1, 2, 3].map((n) => Math.round(part(n / 4, (n + 1) / 4))).join(', ')} MB`,
  });
}
