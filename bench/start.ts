import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { importContinent } from './continent/given-continent.ts';
import { writeNodeSnapshot } from './continent/node-snapshot.ts';
import { createReport } from './report.ts';
import { type BenchDatabase, givenDatabase, startBenchService } from './setup.ts';

/**
 * Seconds from the start of a node's process until it answers searches, and its memory: from PostgreSQL, and from the
 * snapshot that it writes. The limits are those of 1.5 million stores.
 *
 *   npm run bench -- start [--quick] [--stores N,N…] [--data FOLDER]
 *
 * `--quick` is 20,000 stores. `--data` keeps the imported databases in a folder for the next run.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    stores: { type: 'string' },
    data: { type: 'string' },
  },
});
const STORES = '200000';
const QUICK_STORES = '20000';
const READY_FROM_POSTGRESQL_S = 40;
const READY_FROM_SNAPSHOT_S = 8;
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-start-'));
const report = createReport('start');
const counts = (values.stores ?? (values.quick ? QUICK_STORES : STORES)).split(',').map(Number);
for (const stores of counts) await measure(stores, join(folder, String(stores)));
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ counts })) process.exitCode = 1;

async function measure(stores: number, kept: string): Promise<void> {
  mkdirSync(kept, { recursive: true });
  const database = await givenDatabase({ folder: join(kept, 'database'), schema: 'bench_start' });
  await importContinent(database, { stores, menus: 0, folder: kept }, report);
  await sql`vacuum analyze`.execute(database.db);
  const of = `${stores.toLocaleString('en-US')} stores`;
  await measureStart(database, { what: `${of} from PostgreSQL`, maxS: READY_FROM_POSTGRESQL_S, settings: {} });
  const { settings, seconds, bytes } = await writeNodeSnapshot(database, kept);
  const details = `${Math.round(bytes / MIB)} MB`;
  report.add({ what: `a snapshot of ${of} is written`, value: seconds, unit: 's', limit: null, details });
  await measureStart(database, { what: `${of} from the snapshot`, maxS: READY_FROM_SNAPSHOT_S, settings });
  await database.close();
}

type Start = { what: string; maxS: number; settings: Record<string, string> };

async function measureStart(database: BenchDatabase, { what, maxS, settings }: Start): Promise<void> {
  const startMs = performance.now();
  const service = await startBenchService(database, { LOG_LEVEL: 'info', ...settings });
  const value = (performance.now() - startMs) / 1000;
  const cpuS = ((await service.cpuMs()) / 1000).toFixed(2);
  const details = `the stores alone ${(service.loadMs / 1000).toFixed(2)} s; ${cpuS} s of processor`;
  report.add({ what, value, unit: 's', limit: { max: maxS }, details });
  const rssMb = service.rssBytes / MIB;
  report.add({ what: `${what}, memory`, value: rssMb, unit: 'MB', limit: { max: MAX_RSS_MB }, details: 'resident' });
  await service.close();
}
