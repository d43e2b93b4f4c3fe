import { parseArgs } from 'node:util';
import { COMPACTION_LIMITS } from '../../src/search/engine/compaction.ts';
import { Searcher } from '../../src/search/engine/searcher.ts';
import { SegmentMemory } from '../../src/search/engine/segment-memory.ts';
import { readSnapshot, writeSnapshot } from '../../src/search/engine/snapshot-files.cache.ts';
import { Writer } from '../../src/search/engine/writer.ts';
import { engineQueryOf } from '../../src/search/stores/engine-query.ts';
import { hoursRules, rowOf } from '../../src/search/stores/store-row.ts';
import { openingAt } from '../../src/stores/open-state.ts';
import { storeQueryOf } from '../../src/stores/search/search-request.ts';
import { createStoreIndex } from '../../src/stores/search/store.index.ts';
import { pageSizeOf } from '../../src/stores/search/store-query.ts';
import { travelMinutes } from '../../src/stores/time-estimate.ts';
import { zoneClock } from '../../src/stores/zone-clock.ts';
import { type ContinentStore, continentStoreBy, continentStores } from '../continent/continent-stores.ts';
import { createStoreForm } from '../continent/forms.ts';
import { FAR_WORDS, NO_MATCH, queriesOf, SAMPLED_STORES, WORKLOADS } from '../continent/workloads.ts';

const print = (...parts: unknown[]): void => void process.stdout.write(`${parts.join(' ')}\n`);

const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '300000' },
    old: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    snapshot: { type: 'string' },
    range: { type: 'string', default: String(COMPACTION_LIMITS.range) },
  },
});
const count = Number(values.stores);
const openAtOf = (schedule: Parameters<typeof openingAt>[0], zone: string) => {
  const clock = zoneClock(zone);
  return (epochS: number) => openingAt(schedule, clock, epochS);
};
const form = createStoreForm();
const sample: ContinentStore[] = [];
const every = Math.max(1, Math.floor(count / SAMPLED_STORES));
const old = values.old ? createStoreIndex({ openAtOf }) : null;
function* rows() {
  for (const store of continentStores(count, 0)) {
    if (store.number % every === 0) sample.push(store);
    const whole = form(store);
    old?.upsert(whole);
    yield rowOf(whole);
  }
}
const writer = new Writer(new SegmentMemory(2 ** 27), { ...COMPACTION_LIMITS, range: Number(values.range) });
const searcher = new Searcher({ hours: hoursRules(openAtOf), travelMinutes });
let at = performance.now();
const memory = new SegmentMemory(2 ** 26);
const restoring = new Writer(memory, COMPACTION_LIMITS);
const read = values.snapshot === undefined ? null : await readSnapshot(values.snapshot, restoring, memory);
if (read !== null) {
  searcher.show(read.publication);
  print('read', Math.round(performance.now() - at), 'ms');
  const storeBy = continentStoreBy(count, 0);
  for (let n = 0; n < SAMPLED_STORES; n += 1) sample.push(storeBy(Math.floor((n * count) / SAMPLED_STORES)));
} else {
  const steps = writer.load(rows(), count);
  let step = steps.next();
  print('rows', Math.round(performance.now() - at), 'ms');
  at = performance.now();
  while (!step.done) step = steps.next();
  searcher.show(step.value);
  if (values.snapshot !== undefined) await writeSnapshot(values.snapshot, writer, 1);
  print('sealed', Math.round(performance.now() - at), 'ms', searcher.view.segments.length, 'segments');
}
let bytes = 0;
const byColumn = new Map<string, number>();
for (const { data, columns } of searcher.view.segments) {
  bytes += data.memory.byteLength;
  for (const [name, column] of Object.entries(columns))
    byColumn.set(name, (byColumn.get(name) ?? 0) + column.byteLength);
}
print(
  'MB',
  (bytes / 2 ** 20).toFixed(0),
  [...byColumn]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 14)
    .map(([n, b]) => `${n} ${(b / 2 ** 20).toFixed(1)}`)
    .join(', '),
);
print('rss', Math.round(process.memoryUsage().rss / 2 ** 20));
const nowS = Math.floor(Date.now() / 1000);
old?.search(storeQueryOf({ latitude: 40, longitude: -74 }, null), nowS);
const quantile = (list: number[], share: number) => list.sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;
const median = (list: number[]) => quantile(list, 0.5);
const p99 = (list: number[]) => quantile(list, 0.99);
for (const workload of [...WORKLOADS, FAR_WORDS, NO_MATCH].filter(({ name }) => name.includes(values.only))) {
  const queries = queriesOf(workload as never, sample).map((q) => storeQueryOf(q, null));
  const [first, firstOld]: [number[], number[]] = [[], []];
  const times: number[] = [];
  const oldTimes: number[] = [];
  let hits = 0,
    differ = 0;
  for (let round = 0; round < 2; round += 1)
    for (const query of queries) {
      const size = pageSizeOf(query.text);
      const engine = engineQueryOf(query);
      let start = performance.now();
      const page = searcher.search(engine, null, size, nowS);
      const took = performance.now() - start;
      if (round === 0) first.push(took * 1000);
      if (round > 0) {
        times.push(took * 1000);
        hits += page.hits.length;
      }
      if (old) {
        start = performance.now();
        const theirs = old.search(query, nowS);
        const tookOld = performance.now() - start;
        if (round === 0) firstOld.push(tookOld * 1000);
        if (round > 0) {
          oldTimes.push(tookOld * 1000);
          const same =
            theirs.ordinals.length === page.hits.length &&
            page.hits.every(
              ({ segment, slot }, nth) => old.storeIdAt(theirs.ordinals[nth] ?? -1) === segment.ids.at(slot),
            );
          if (!same) {
            differ += 1;
            if (differ <= 2) print('differs', JSON.stringify(query), theirs.ordinals.length, page.hits.length);
          }
        }
      }
    }
  print(
    workload.name.padEnd(40),
    'first round',
    median(first).toFixed(0),
    old ? `old ${median(firstOld).toFixed(0)}` : '',
    'again',
    median(times).toFixed(0),
    'p99',
    p99(times).toFixed(0),
    'hits',
    (hits / queries.length).toFixed(1),
    old ? `old ${median(oldTimes).toFixed(0)} p99 ${p99(oldTimes).toFixed(0)} differ ${differ}` : '',
  );
}
