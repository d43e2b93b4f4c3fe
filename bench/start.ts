import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTINENT_STORES } from './continent/continent-stores.ts';
import { createReport } from './report.ts';
import { startChild } from './setup.ts';

/**
 * The load of the search index from a node's snapshot, without PostgreSQL: stores of the continent are written as a
 * snapshot, which a new process loads.
 *
 *   node bench/start.ts [--stores N,N…] [--data FOLDER]
 *
 * The limit is a whole start at 1.5 million stores, so that the rate is the one that the limit asks for. Processor time
 * counts, of all threads: other work of the machine does not change it by much. `--data` keeps the files for the next run.
 */
const { values } = parseArgs({ options: { stores: { type: 'string', default: '200000' }, data: { type: 'string' } } });
const READY_FROM_SNAPSHOT_S = 8;
const MAX_RSS_MB = 2048;
const MIB = 2 ** 20;

/** What a load has cost. */
export type LoadFigures = {
  stores: number;
  cpuS: number;
  wallS: number;
  rssBytes: number;
  heapBytes: number;
};

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-start-'));
mkdirSync(folder, { recursive: true });
const report = createReport('start');
const counts = values.stores.split(',').map(Number);
for (const stores of counts) {
  const file = join(folder, `${stores}.snapshot`);
  if (!existsSync(file)) await startChild('start/write-child.ts', [String(stores), file]);
  const { cpuS, wallS, rssBytes, heapBytes } = await startChild<LoadFigures>('start/load-child.ts', [file]);
  const of = `${stores.toLocaleString('en-US')} stores`;
  const asked = CONTINENT_STORES / READY_FROM_SNAPSHOT_S;
  const details = `${cpuS.toFixed(2)} s of processor, ${wallS.toFixed(2)} s; ${mib(statSync(file).size)} MB`;
  report.add({
    what: `${of} from the snapshot`,
    value: stores / cpuS,
    unit: 'stores/s',
    limit: { min: asked },
    details,
  });
  const heap = `resident; JavaScript heap ${mib(heapBytes)} MB`;
  report.add({ what: `${of}, memory`, value: rssBytes / MIB, unit: 'MB', limit: { max: MAX_RSS_MB }, details: heap });
}
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
if (!report.finish({ counts })) process.exitCode = 1;

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}
