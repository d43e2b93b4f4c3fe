import { parseArgs } from 'node:util';
import { COMPACTION_LIMITS } from '../../src/search/engine/compaction.ts';
import { finish } from '../../src/search/engine/seal.ts';
import { Searcher } from '../../src/search/engine/searcher.ts';
import { SegmentMemory } from '../../src/search/engine/segment-memory.ts';
import { findSnapshot, readSnapshot, writeSnapshot } from '../../src/search/engine/snapshot-files.cache.ts';
import { Writer } from '../../src/search/engine/writer.ts';
import { storeQueryOf } from '../../src/search/stores/search-request.ts';
import { engineQueryOf, pageSizeOf } from '../../src/search/stores/store-query.ts';
import { createHoursEvaluator, engineRow } from '../../src/search/stores/store-row.ts';
import { openingAt } from '../../src/supply/stores/open-state.ts';
import { travelMinutes } from '../../src/supply/stores/time-estimate.ts';
import { zoneClock } from '../../src/supply/stores/zone-clock.ts';
import { type ContinentStore, continentStoreBy, continentStores } from '../continent/continent-stores.ts';
import { createStoreForm } from '../continent/forms.ts';
import { FAR_WORDS, NO_MATCH, queriesOf, SAMPLED_STORES, WORKLOADS } from '../continent/workloads.ts';

const print = (...parts: unknown[]): void => void process.stdout.write(`${parts.join(' ')}\n`);

const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '300000' },
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
function* rows() {
  for (const store of continentStores(count, 0)) {
    if (store.number % every === 0) sample.push(store);
    yield engineRow(form(store));
  }
}
const writer = new Writer(new SegmentMemory(2 ** 27), { ...COMPACTION_LIMITS, range: Number(values.range) });
const searcher = new Searcher({ hours: createHoursEvaluator(openAtOf), travelMinutes });
let at = performance.now();
const memory = new SegmentMemory(2 ** 26);
const restoring = new Writer(memory, COMPACTION_LIMITS);
const found = values.snapshot === undefined ? null : await findSnapshot(values.snapshot);
const read = found && (await readSnapshot(values.snapshot ?? '', found, memory));
if (read !== null) {
  finish(searcher.show(restoring.restore(read)));
  print('read', Math.round(performance.now() - at), 'ms');
  const storeBy = continentStoreBy(count, 0);
  for (let n = 0; n < SAMPLED_STORES; n += 1) sample.push(storeBy(Math.floor((n * count) / SAMPLED_STORES)));
} else {
  const load = writer.startLoad();
  for (const row of rows()) load.add(row);
  print('rows', Math.round(performance.now() - at), 'ms');
  at = performance.now();
  finish(searcher.show(finish(writer.finishLoad(load))));
  if (values.snapshot !== undefined)
    await writeSnapshot(values.snapshot, { name: 'bench', facts: null, nowMs: 0 }, writer.snapshot());
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
const quantile = (list: number[], share: number) => list.sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;
const median = (list: number[]) => quantile(list, 0.5);
const p99 = (list: number[]) => quantile(list, 0.99);
for (const workload of [...WORKLOADS, FAR_WORDS, NO_MATCH].filter(({ name }) => name.includes(values.only))) {
  const queries = queriesOf(workload as never, sample).map((query) => storeQueryOf(query, null));
  const times: number[][] = Array.from({ length: Number(process.env.ROUNDS ?? 2) }, () => []);
  let hits = 0;
  for (const round of times) {
    for (const query of queries) {
      const start = performance.now();
      const page = searcher.search(engineQueryOf(query), null, pageSizeOf(query.text), nowS);
      round.push((performance.now() - start) * 1000);
      hits += page.hits.length;
    }
  }
  const [first, again] = [times[0], times.at(-1)] as [number[], number[]];
  const figures = [
    'first',
    median(first),
    'again',
    median(again),
    'mean',
    again.reduce((sum, one) => sum + one, 0) / again.length,
    'p99',
    p99(again),
    'hits',
    hits / queries.length / 2,
  ];
  print(workload.name.padEnd(40), ...figures.map((one) => (typeof one === 'number' ? one.toFixed(0) : one)));
}
