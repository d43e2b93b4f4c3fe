import { projectionsOf, storeQueryOf } from '../../src/stores/search/search-request.ts';
import { createStoreSequence } from '../../src/stores/search/snapshots/store-sequence.ts';
import { createStoreSearch, type StoreSearch } from '../../src/stores/search/store-search.index.ts';
import { compareWithScan, randomQueries } from './compare-with-scan.ts';
import { type ContinentStore, continentStores } from './continent-stores.ts';
import { createStoreForm } from './forms.ts';
import { createScan, type Scan } from './scan.ts';
import { coldPage, FAR_WORDS, NO_MATCH, queriesOf, SAMPLED_STORES, WORKLOADS } from './workloads.ts';

export type IndexOptions = {
  stores: number;
  /** Only figures whose name has this word. */
  only: string;
  /** Random queries that are compared with a scan. */
  compared: number;
  /** Stores come as a snapshot has them, neighbours beside each other; otherwise scattered, as an import brings them. */
  isFromSnapshot: boolean;
  print(line: string): void;
};

const WARM_UP = 300;
/** Room for a page, which a service takes from a pool. */
const PAGE = Buffer.allocUnsafeSlow(2 ** 20);

/** The continent straight in the index of this process: no PostgreSQL, no HTTP. Returns the differences from a scan. */
export async function measureIndex(options: IndexOptions): Promise<number> {
  const { stores, only, compared, print } = options;
  const { search, scan, sample } = loadIndex(options);
  const cold = { ...coldPage(stores), rounds: 60 };
  const others = [{ ...NO_MATCH, rounds: 400 }, { ...FAR_WORDS, rounds: 400 }, cold];
  for (const workload of [...WORKLOADS.map((one) => ({ ...one, rounds: 2400 })), ...others]) {
    if (!workload.name.includes(only)) continue;
    measure(workload.name, workload.rounds, queriesOf(workload, sample), search, print);
  }
  if (compared === 0) return 0;
  const found = await compareWithScan(scan, randomQueries(sample, compared), async (_, query) => {
    const { ordinals, miles } = search.stores.search(query, Math.floor(Date.now() / 1000));
    return ordinals.map((ordinal, nth) => ({ storeId: search.stores.storeIdAt(ordinal), miles: miles[nth] as number }));
  });
  print(
    `  ${found.compared} random queries beside a scan: ${found.differences.length} differ (${found.stores} stores)`,
  );
  for (const difference of found.differences.slice(0, 10)) print(`    ${difference}`);
  return found.differences.length;
}

type Loaded = { search: StoreSearch; scan: Scan; sample: ContinentStore[] };

function loadIndex({ stores: count, compared, isFromSnapshot, print }: IndexOptions): Loaded {
  const search = createStoreSearch();
  const scan = createScan();
  const sample: ContinentStore[] = [];
  const form = createStoreForm();
  let [addMs, worstMs] = [0, 0];
  const startMs = performance.now();
  const every = Math.max(1, Math.floor(count / SAMPLED_STORES));
  for (const made of isFromSnapshot ? neighbours(count) : continentStores(count)) {
    if (made.number % every === 0) sample.push(made);
    const store = form(made);
    const fromMs = performance.now();
    search.apply(store);
    const tookMs = performance.now() - fromMs;
    addMs += tookMs;
    worstMs = Math.max(worstMs, tookMs);
    if (compared > 0) scan.add(store);
  }
  sample.sort((a, b) => a.number - b.number);
  const { heapUsed, rss } = process.memoryUsage();
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const each = `${((addMs * 1000) / count).toFixed(1)} µs each to add, longest ${worstMs.toFixed(1)} ms`;
  print(`\n${count} stores of the continent in ${seconds} s, ${each}`);
  print(`  documents ${mib(search.stores.documentBytes)}, heap ${mib(heapUsed)}, resident ${mib(rss)} with the scan`);
  return { search, scan, sample };
}

function* neighbours(count: number): Generator<ContinentStore> {
  const made = [...continentStores(count)];
  const sequence = createStoreSequence();
  for (const [nth, { latitude, longitude }] of made.entries()) {
    sequence.add({ storeId: String(nth), latitude, longitude, bytes: 0 });
  }
  for (const batch of sequence.batches({ stores: 1000, bytes: 0 })) {
    for (const nth of batch) yield made[Number(nth)] as ContinentStore;
  }
}

function measure(
  name: string,
  rounds: number,
  queries: ReturnType<typeof queriesOf>,
  { stores }: StoreSearch,
  print: (line: string) => void,
): void {
  const now = Math.floor(Date.now() / 1000);
  const run = (round: number): number => {
    const parameters = queries[round % queries.length] as (typeof queries)[number];
    const page = stores.search(storeQueryOf(parameters, null), now);
    return stores.writePage(page, now, projectionsOf(parameters), () => PAGE).length;
  };
  for (let round = 0; round < Math.min(WARM_UP, rounds); round += 1) run(round);
  const times = new Float64Array(rounds);
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    bytes += run(round + WARM_UP);
    times[round] = (performance.now() - startMs) * 1000;
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / rounds;
  times.sort();
  const at = (share: number): string => (times[Math.floor((rounds - 1) * share)] as number).toFixed(0).padStart(7);
  const kib = (bytes / rounds / 1024).toFixed(1).padStart(6);
  print(
    `  ${name.padEnd(38)}${kib} KiB  mean ${mean.toFixed(0).padStart(7)} µs  p50 ${at(0.5)}  p99 ${at(0.99)}  max ${at(1)}`,
  );
}
