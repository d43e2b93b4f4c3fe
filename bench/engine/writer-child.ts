import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { COMPACTION_LIMITS } from '../../src/search/engine/compaction.ts';
import { SegmentMemory } from '../../src/search/engine/segment-memory.ts';
import { findSnapshot, readSnapshot, writeSnapshot } from '../../src/search/engine/snapshot-files.cache.ts';
import { type Publication, Writer } from '../../src/search/engine/writer.ts';
import { WriterLoop } from '../../src/search/engine/writer-loop.flow.ts';
import { engineRow } from '../../src/search/stores/store-row.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { loadAll } from '../../test/given/search-index.ts';
import { continentStoreBy, continentStores } from '../continent/continent-stores.ts';
import { createStoreForm, SOURCE } from '../continent/forms.ts';

/** The writer thread: loads a continent, then changes this many stores per second. */
const { stores, changesASecond, snapshot } = workerData as { stores: number; changesASecond: number; snapshot: string };
const form = createStoreForm();
const memory = new SegmentMemory(2 ** 25);
const writer = new Writer(memory, COMPACTION_LIMITS);

function* rows() {
  for (const store of continentStores(stores, 0)) yield engineRow(form(store));
}

let waiting: number[] = [];
parentPort?.postMessage({ publication: await fill(), sentAt: [] });

/** Segments outside the current version are garbage only if no other reference keeps them. */
async function fill(): Promise<Publication> {
  const startMs = performance.now();
  const found = await findSnapshot(snapshot);
  const restored = found && (await readSnapshot(snapshot, found, memory));
  const publication = restored ? writer.restore(restored) : loadAll(writer, rows());
  process.stdout.write(`${restored ? 'read' : 'loaded'} in ${Math.round(performance.now() - startMs)} ms\n`);
  if (restored === null) {
    const writeMs = performance.now();
    await writeSnapshot(snapshot, { name: 'bench', facts: null, nowMs: 0 }, writer.snapshot());
    process.stdout.write(`written in ${Math.round(performance.now() - writeMs)} ms\n`);
  }
  return publication;
}

parentPort?.on('message', (message: { released?: number; begin?: true; end?: true }) => {
  if (message.released !== undefined) writer.release(message.released);
  if (message.begin) begin();
  if (message.end) process.exit(0);
});

function begin(): void {
  const storeBy = continentStoreBy(stores, 0);
  const loop = new WriterLoop(writer, (publication) => {
    parentPort?.postMessage({
      publication,
      sentAt: waiting,
      spare: memory.spareBytes,
      heap: getHeapStatistics().total_heap_size,
      cpu: process.threadCpuUsage(),
    });
    waiting = [];
  });
  const everyMs = 20;
  setInterval(() => {
    for (let n = 0; n < (changesASecond * everyMs) / 1000; n += 1) change(loop, storeBy);
  }, everyMs);
}

function change(loop: WriterLoop, storeBy: ReturnType<typeof continentStoreBy>): void {
  const number = Math.floor(Math.random() * stores);
  waiting.push(performance.timeOrigin + performance.now());
  if (Math.random() < 0.05) {
    loop.change(storeIdOf(SOURCE, `store-${number}`), null);
    return;
  }
  const store = form(storeBy(number));
  const paused = Math.random() < 0.3 ? Temporal.Now.instant().add({ minutes: Math.ceil(Math.random() * 300) }) : null;
  const rating = Math.random() < 0.5 ? { value: Math.round(Math.random() * 40) / 10 + 1, count: 3 } : store.rating;
  loop.change(store.storeId, engineRow({ ...store, pausedUntil: paused, rating }));
}
