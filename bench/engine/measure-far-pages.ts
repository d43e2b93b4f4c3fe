import { parseArgs } from 'node:util';
import { COMPACTION_LIMITS } from '../../src/search/engine/compaction.ts';
import { finish } from '../../src/search/engine/seal.ts';
import { Searcher } from '../../src/search/engine/searcher.ts';
import { SegmentMemory } from '../../src/search/engine/segment-memory.ts';
import { findSnapshot, readSnapshot } from '../../src/search/engine/snapshot-files.cache.ts';
import { Writer } from '../../src/search/engine/writer.ts';
import { storeQueryOf } from '../../src/search/stores/search-request.ts';
import { engineQueryOf } from '../../src/search/stores/store-query.ts';
import { createHoursEvaluator } from '../../src/search/stores/store-row.ts';
import { openingAt } from '../../src/supply/stores/open-state.ts';
import { travelMinutes } from '../../src/supply/stores/time-estimate.ts';
import { zoneClock } from '../../src/supply/stores/zone-clock.ts';

/**
 * Deep cold pages, total time and longest slice: node bench/engine/measure-far-pages.ts --stores N --snapshot FOLDER
 */
const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '300000' },
    snapshot: { type: 'string', default: '/tmp/engine-snapshot' },
  },
});
const memory = new SegmentMemory(0);
const writer = new Writer(memory, COMPACTION_LIMITS);
const searcher = new Searcher({
  travelMinutes,
  hours: createHoursEvaluator((schedule, zone) => {
    const clock = zoneClock(zone);
    return (epochS) => openingAt(schedule, clock, epochS);
  }),
});
const found = await findSnapshot(values.snapshot);
const read = found && (await readSnapshot(values.snapshot, found, memory));
if (read === null) throw new Error('No snapshot: run bench/engine/compaction.ts first.');
finish(searcher.show(writer.restore(read)));
const nowS = Math.floor(Date.now() / 1000);
const last = Math.floor(Number(values.stores) / 100);
for (const filters of [
  {},
  { pickup: true },
  { sort: 'rating' },
  { store_type: 'restaurant' },
  { open: true },
  { cuisine: 'pizza' },
] as const) {
  const [all, held, cpu]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < 20; n += 1) {
    const query = storeQueryOf({ latitude: 30 + n, longitude: -120 + 2 * n, ...filters }, null);
    const rank = Math.floor((last * (n + 1)) / 25) * 100 - 1;
    const steps = searcher.seek(engineQueryOf(query), rank, nowS);
    const [startMs, startCpu] = [performance.now(), process.cpuUsage().user];
    let longest = 0;
    for (let done = false; !done; ) {
      const stepMs = performance.now();
      done = steps.next().done === true;
      longest = Math.max(longest, performance.now() - stepMs);
    }
    all.push(performance.now() - startMs);
    held.push(longest);
    cpu.push((process.cpuUsage().user - startCpu) / 1000);
  }
  const median = (list: number[]): string => (list.sort((a, b) => a - b)[list.length >> 1] as number).toFixed(1);
  process.stdout.write(
    `${JSON.stringify(filters)} in all ${median(all)} ms, processor ${median(cpu)} ms, longest slice ${median(held)} ms\n`,
  );
}
