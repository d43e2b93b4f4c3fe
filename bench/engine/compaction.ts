import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { finish } from '../../src/search/engine/seal.ts';
import { Searcher } from '../../src/search/engine/searcher.ts';
import type { Publication } from '../../src/search/engine/writer.ts';
import { storeQueryOf } from '../../src/search/stores/search-request.ts';
import { engineQueryOf, pageSizeOf } from '../../src/search/stores/store-query.ts';
import { createHoursEvaluator } from '../../src/search/stores/store-row.ts';
import { openingAt } from '../../src/supply/stores/open-state.ts';
import { travelMinutes } from '../../src/supply/stores/time-estimate.ts';
import { zoneClock } from '../../src/supply/stores/zone-clock.ts';
import { type ContinentStore, continentStoreBy } from '../continent/continent-stores.ts';
import { queriesOf, SAMPLED_STORES, WORKLOADS } from '../continent/workloads.ts';

/**
 * Searches under change, in one process: one thread writes, this one searches. Watches resident memory, the latency of
 * searches and how stale they are.
 *
 *   node bench/engine/compaction.ts [--stores N] [--seconds S] [--changes PER_SECOND] [--snapshot FOLDER] [--out FILE]
 *
 * Starts from the snapshot in the folder; without one it loads the stores, and writes it.
 */
const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '300000' },
    seconds: { type: 'string', default: '120' },
    changes: { type: 'string', default: '200' },
    out: { type: 'string' },
    snapshot: { type: 'string', default: '/tmp/engine-snapshot' },
  },
});
const [stores, seconds, changesASecond] = [Number(values.stores), Number(values.seconds), Number(values.changes)];
const REST_SECONDS = 15;
const MIB = 2 ** 20;

const searcher = new Searcher({
  travelMinutes,
  hours: createHoursEvaluator((schedule, zone) => {
    const clock = zoneClock(zone);
    return (epochS) => openingAt(schedule, clock, epochS);
  }),
});
const storeBy = continentStoreBy(stores, 0);
const sample: ContinentStore[] = Array.from({ length: SAMPLED_STORES }, (_, n) =>
  storeBy(Math.floor((n * stores) / SAMPLED_STORES)),
);
const queries = WORKLOADS.flatMap((workload) => queriesOf(workload, sample).slice(0, 400)).map((query) =>
  storeQueryOf(query, null),
);

type Message = {
  publication: Publication;
  sentAt: number[];
  spare: number;
  heap: number;
  cpu: { user: number; system: number };
};
const worker = new Worker(new URL('writer-child.ts', import.meta.url), {
  workerData: { stores, changesASecond, snapshot: values.snapshot },
  resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: existsSync(values.snapshot) ? 192 : 4096 },
});
const staleMs: number[] = [];
let [versions, writerCpu, spare, writerHeap, isChanging] = [0, 0, 0, 0, false];
await new Promise<void>((resolve) => {
  worker.on('message', ({ publication, sentAt, spare: spareBytes, heap, cpu }: Message) => {
    finish(searcher.show(publication));
    versions += 1;
    if (isChanging) for (const at of sentAt) staleMs.push(performance.timeOrigin + performance.now() - at);
    worker.postMessage({ released: publication.version });
    if (cpu) writerCpu = (cpu.user + cpu.system) / 1e6;
    spare = spareBytes ?? 0;
    writerHeap = heap ?? 0;
    resolve();
  });
});
process.stdout.write(`${searcher.view.segments.length} segments loaded\n`);

const out = Buffer.alloc(4 * MIB);
let query = 0;
/** Runs one search and serializes its page as a request does; returns the bytes. */
function searchOnce(): number {
  const asked = queries[(query * 7919) % queries.length] as (typeof queries)[number];
  query += 1;
  const startMs = performance.now();
  const { hits } = searcher.search(engineQueryOf(asked), null, pageSizeOf(asked.text), Math.floor(Date.now() / 1000));
  let at = 0;
  for (const { segment, slot } of hits) at = segment.documents.copyTo(slot, out, at);
  return performance.now() - startMs;
}

type Second = {
  rssMb: number;
  heapMb: number;
  externalMb: number;
  writerHeapMb: number;
  p50: number;
  p99: number;
  segments: number;
  segmentMb: number;
  spareMb: number;
};
/** Searches at a steady 100 per second and records the figures of each second. */
async function watch(lengthS: number): Promise<{ seconds: Second[]; times: number[] }> {
  const noted: Second[] = [];
  const all: number[] = [];
  for (let second = 0; second < lengthS; second += 1) {
    const times: number[] = [];
    for (let nth = 0; nth < 100; nth += 1) {
      times.push(searchOnce());
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    all.push(...times);
    times.sort((a, b) => a - b);
    const bytes = searcher.view.segments.reduce((sum, { data }) => sum + data.memory.byteLength, 0);
    noted.push({
      rssMb: rssMb(),
      heapMb: process.memoryUsage().heapTotal / MIB,
      externalMb: process.memoryUsage().external / MIB,
      writerHeapMb: writerHeap / MIB,
      p50: times[50] ?? 0,
      p99: times[99] ?? 0,
      segments: searcher.view.segments.length,
      segmentMb: bytes / MIB,
      spareMb: spare / MIB,
    });
  }
  return { seconds: noted, times: all.sort((a, b) => a - b) };
}

function rssMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

for (let n = 0; n < 2000; n += 1) searchOnce();
await watch(10);
const rest = await watch(REST_SECONDS);
isChanging = true;
worker.postMessage({ begin: true });
const startCpu = writerCpu;
const busy = await watch(seconds);
const quantile = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const restRss = Math.max(...rest.seconds.map((one) => one.rssMb));
const peak = Math.max(...busy.seconds.map((one) => one.rssMb));
staleMs.sort((a, b) => a - b);
const summary = {
  stores,
  seconds,
  changes: staleMs.length,
  versions,
  segments: [rest.seconds[0]?.segments ?? 0, Math.max(...busy.seconds.map((one) => one.segments))],
  segmentMb: [rest.seconds[0]?.segmentMb ?? 0, Math.max(...busy.seconds.map((one) => one.segmentMb))].map(Math.round),
  spareMb: Math.round(Math.max(...busy.seconds.map((one) => one.spareMb))),
  rssAtRestMb: Math.round(restRss),
  peakRssMb: Math.round(peak),
  ratio: (peak / restRss).toFixed(3),
  p50: [quantile(rest.times, 0.5), quantile(busy.times, 0.5)].map((ms) => ms.toFixed(3)),
  p99: [quantile(rest.times, 0.99), quantile(busy.times, 0.99)].map((ms) => ms.toFixed(3)),
  p99Ratio: (quantile(busy.times, 0.99) / quantile(rest.times, 0.99)).toFixed(2),
  staleMs: {
    p50: quantile(staleMs, 0.5).toFixed(0),
    p99: quantile(staleMs, 0.99).toFixed(0),
    max: quantile(staleMs, 1).toFixed(0),
  },
  writerCpuShare: ((writerCpu - startCpu) / seconds).toFixed(3),
};
process.stdout.write(`${JSON.stringify(summary, null, 1)}\n`);
if (values.out) writeFileSync(values.out, JSON.stringify({ summary, rest: rest.seconds, busy: busy.seconds }));
worker.postMessage({ end: true });
