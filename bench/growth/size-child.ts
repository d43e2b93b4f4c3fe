import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrationNames } from '../../src/db/migrations.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { recordOf } from '../../src/lib/records.ts';
import { snapshotFormat } from '../../src/stores/search/snapshots/snapshot-format.ts';
import { writeSnapshot } from '../../src/stores/search/snapshots/write-snapshot.flow.ts';
import { snapshotFile } from '../../src/wiring/begin-node-snapshot.ts';
import { type ContinentStore, continentStores } from '../continent/continent-stores.ts';
import { importContinent, keysOf } from '../continent/given-continent.ts';
import { startLoadClient } from '../continent/load.ts';
import { loadFor, type Turn } from '../continent/measure-http.ts';
import { pathOf, queriesOf, SAMPLED_STORES, WORKLOADS } from '../continent/workloads.ts';
import { createReport } from '../report.ts';
import { type BenchDatabase, givenDatabase, startBenchService } from '../setup.ts';
import { SEARCHES, type SearchCost, type SearchName, type SizeFigures } from './figures.ts';

/** Measures one node with so many stores of the continent, and sends its figures; `import` alone fills the database. */
const [stores = Number.NaN, turnMs = 2000] = process.argv.slice(2, 4).map(Number);
const [folder = '', isImportOnly] = [process.argv[4], process.argv[5] === 'import'];
const KEYS = 8;
const TURNS = 3;
const WARM_UP_MS = 500;
const MIB = 2 ** 20;
const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000' };

mkdirSync(folder, { recursive: true });
const database = await givenDatabase({ folder: join(folder, 'database'), schema: 'bench_growth' });
await importContinent(database, { stores, menus: 0, folder }, createReport('growth-import'));
await sql`vacuum analyze`.execute(database.db);
const figures = isImportOnly ? {} : await measureNode(database);
await database.close();
process.send?.(figures, () => process.exit(0));

async function measureNode(at: BenchDatabase): Promise<SizeFigures> {
  const snapshots = join(folder, 'search');
  rmSync(snapshots, { recursive: true, force: true });
  const start = () => startBenchService(at, { ...SETTINGS, SEARCH_SNAPSHOT_DIR: snapshots });
  const { service: first, seconds: readyS } = await timed(start);
  await first.close();
  const format = snapshotFormat((await migrationNames()).at(-1) ?? '');
  const file = snapshotFile(snapshots, at.schema);
  await writeSnapshot(at.db, { file, format, at: systemClock.now() });
  const { service, seconds: readyFromSnapshotS } = await timed(start);
  const keys = await keysOf(at, KEYS);
  const searches = await measureSearches({ ...service, keys });
  const loadedMb = (await service.rssBytesNow()) / MIB;
  await service.close();
  const startedMb = first.rssBytes / MIB;
  const snapshotMb = statSync(file).size / MIB;
  return {
    ...{ stores, at: systemClock.now().toString({ smallestUnit: 'second' }), searches },
    ...{ readyS, readyFromSnapshotS, startedMb, loadedMb, snapshotMb },
  };
}

async function timed<Service>(start: () => Promise<Service>): Promise<{ service: Service; seconds: number }> {
  const startMs = performance.now();
  const service = await start();
  return { service, seconds: (performance.now() - startMs) / 1000 };
}

type Measured = { url: string; keys: readonly string[]; cpuMs(): Promise<number> };

async function measureSearches(service: Measured): Promise<Record<SearchName, SearchCost>> {
  const client = await startLoadClient();
  const sample = sampleOf();
  const costs = new Map<string, SearchCost>();
  for (const workload of WORKLOADS) {
    if (!SEARCHES.some((name) => name === workload.name)) continue;
    const paths = queriesOf(workload, sample).map(pathOf);
    await loadFor(client, { ...service, paths }, WARM_UP_MS);
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) turns.push(await loadFor(client, { ...service, paths }, turnMs));
    turns.sort((a, b) => a.cpuMicros - b.cpuMicros);
    const { cpuMicros, perSecond, p99 } = turns[TURNS >> 1] as Turn;
    costs.set(workload.name, { cpuMicros, perSecond, p99Ms: p99 });
  }
  await client.close();
  return recordOf(SEARCHES, (name) => {
    const cost = costs.get(name);
    if (!cost) throw new Error(`There is no workload "${name}".`);
    return cost;
  });
}

function sampleOf(): ContinentStore[] {
  const every = Math.max(1, Math.floor(stores / SAMPLED_STORES));
  const sample: ContinentStore[] = [];
  for (const store of continentStores(stores, 0)) if (store.number % every === 0) sample.push(store);
  return sample;
}
