import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { CONTINENT_STORES } from './continent/continent-stores.ts';
import { importContinent } from './continent/given-continent.ts';
import { createReport } from './report.ts';
import { givenDatabase, startBenchService, startChild } from './setup.ts';

/**
 * How fast a node takes in the stores of the continent when it starts.
 *
 *   node bench/start.ts [--stores N,N…] [--from snapshot|postgresql] [--data FOLDER]
 *
 * From the snapshot: the load of the index alone, in a process of its own, of a file that is written without PostgreSQL.
 * There processor time counts, of all threads of the process: other work of the machine does not change it by much.
 * From PostgreSQL: a whole start of the service, after a real import. There the clock counts, of the load of the stores: a
 * thread of the service and PostgreSQL work side by side, so that the figure needs a machine without other work. The limits
 * are whole starts at 1.5 million stores, so that the rates are those that the limits ask for. `--data` keeps files and
 * databases for the next run.
 */
const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: '200000' },
    from: { type: 'string' },
    data: { type: 'string' },
  },
});
const READY_FROM_SNAPSHOT_S = 8;
const READY_FROM_POSTGRESQL_S = 40;
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;

/** What a load has cost. */
export type LoadFigures = { stores: number; cpuS: number; wallS: number; rssBytes: number; heapBytes: number };

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-start-'));
mkdirSync(folder, { recursive: true });
const report = createReport('start');
const counts = values.stores.split(',').map(Number);
for (const stores of counts) {
  if (values.from !== 'postgresql') await measureSnapshot(stores);
  if (values.from !== 'snapshot') await measureDatabase(stores);
}
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ counts })) process.exitCode = 1;

async function measureSnapshot(stores: number): Promise<void> {
  const file = join(folder, `${stores}.snapshot`);
  if (!existsSync(file)) await startChild('start/write-child.ts', [String(stores), file]);
  const { cpuS, wallS, rssBytes, heapBytes } = await startChild<LoadFigures>('start/load-child.ts', [file]);
  const details = `${seconds(cpuS, wallS)}; a file of ${mib(statSync(file).size)} MB`;
  addRate('from the snapshot', { stores, takenS: cpuS, limitS: READY_FROM_SNAPSHOT_S, details });
  const heap = `resident; JavaScript heap ${mib(heapBytes)} MB`;
  addMemory('from the snapshot', { stores, bytes: rssBytes, details: heap });
}

async function measureDatabase(stores: number): Promise<void> {
  const database = await givenDatabase({ folder: join(folder, `database-${stores}`), schema: 'bench_start' });
  await importContinent(database, { stores, menus: 0, folder, minPerSecond: null }, report);
  await sql`vacuum analyze`.execute(database.db);
  const service = await startBenchService(database, { LOG_LEVEL: 'info' });
  const cpuS = (await service.cpuMs()) / 1000;
  const loadS = service.loadMs / 1000;
  const details = `the stores alone ${loadS.toFixed(2)} s; the service ${seconds(cpuS, service.startMs / 1000)}`;
  addRate('from PostgreSQL', { stores, takenS: loadS, limitS: READY_FROM_POSTGRESQL_S, details });
  addMemory('from PostgreSQL', { stores, bytes: service.rssBytes, details: 'resident' });
  await service.close();
  await database.close();
}

type Rate = { stores: number; takenS: number; limitS: number; details: string };

function addRate(what: string, { stores, takenS, limitS, details }: Rate): void {
  const limit = { min: CONTINENT_STORES / limitS };
  report.add({ what: `${of(stores)} ${what}`, value: stores / takenS, unit: 'stores/s', limit, details });
}

function addMemory(what: string, { stores, bytes, details }: { stores: number; bytes: number; details: string }): void {
  const limit = { max: MAX_RSS_MB };
  report.add({ what: `${of(stores)} ${what}, memory`, value: bytes / MIB, unit: 'MB', limit, details });
}

function of(stores: number): string {
  return `${stores.toLocaleString('en-US')} stores`;
}

function seconds(cpuS: number, wallS: number): string {
  return `${cpuS.toFixed(2)} s of processor, ${wallS.toFixed(2)} s in all`;
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}
