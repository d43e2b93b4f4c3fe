import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../src/db/connect.ts';
import { writeFeed } from './continent/feed-file.ts';
import type { Imported } from './continent/given-continent.ts';
import { createReport } from './report.ts';
import { givenDatabase, startChild } from './setup.ts';

/**
 * How fast the stores of the continent are imported, for the first time and again unchanged.
 *
 *   node bench/import-stores.ts [--stores N]
 *
 * The rate is by the clock; beside it stand the processor time of the import and of PostgreSQL, which other work of the
 * machine changes little, and the bytes that PostgreSQL logs. DATABASE_URL names another PostgreSQL of this machine than the
 * embedded one.
 */
const { values } = parseArgs({ options: { stores: { type: 'string', default: '100000' } } });
const IMPORTED_PER_SECOND = 15_000;
const CLOCK_TICKS_PER_S = 100;
const ENDING_MS = 500;

const stores = Number(values.stores);
const folder = mkdtempSync(join(tmpdir(), 'doorstep-import-'));
const report = createReport('import-stores');
const file = join(folder, 'continent.ndjson');
await writeFeed(file, stores, 0);
const { db, connectionString, schema, close } = await givenDatabase();
await measure('first import', { created: stores, limit: { min: IMPORTED_PER_SECOND } });
await measure('import of unchanged stores', { created: 0, limit: null });
await close();
rmSync(folder, { recursive: true, force: true });
if (!report.finish({ stores })) process.exitCode = 1;

async function measure(
  what: string,
  { created, limit }: { created: number; limit: { min: number } | null },
): Promise<void> {
  const before = await databaseUse(db);
  const child = await startChild<Imported>('continent/import-child.ts', [connectionString, schema, file]);
  const { result, cpuS, peakMb } = child;
  await child.close();
  // The processes of the connections that the import had end a moment after it.
  await delay(ENDING_MS);
  const after = await databaseUse(db);
  if (result.created !== created || result.rejected > 0) throw new Error(JSON.stringify(result).slice(0, 500));
  const perStore = (seconds: number) => `${((seconds / stores) * 1e6).toFixed(0)} µs`;
  const database = `${perStore(after.cpuS - before.cpuS)} of PostgreSQL`;
  const logged = `${Math.round((after.walBytes - before.walBytes) / stores)} bytes logged`;
  report.add({
    what,
    value: stores / result.seconds,
    unit: 'stores/s',
    limit,
    details: `a store: ${perStore(cpuS)} of its own processor, ${database}, ${logged}; peak ${Math.round(peakMb)} MB`,
  });
}

/** Processor time of all processes of PostgreSQL so far, those included that have ended, and bytes of its log. */
async function databaseUse(sqlDb: Db): Promise<{ cpuS: number; walBytes: number }> {
  const { rows } = await sql<{ pid: number; walBytes: string }>`
    select pg_backend_pid() as pid, (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as wal_bytes`.execute(sqlDb);
  const [{ pid, walBytes } = { pid: 0, walBytes: '0' }] = rows;
  const postmaster = statOf(String(pid)).parent;
  const { ticks, ended } = statOf(postmaster);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChildOf(name, postmaster));
  const running = children.reduce((sum, child) => sum + statOf(child).ticks, 0);
  return { cpuS: (ticks + ended + running) / CLOCK_TICKS_PER_S, walBytes: Number(walBytes) };
}

function isChildOf(pid: string, parent: string): boolean {
  try {
    return statOf(pid).parent === parent;
  } catch {
    return false;
  }
}

/** Of a process: its parent, its own ticks, and the ticks of its children that have ended. */
function statOf(pid: string): { parent: string; ticks: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksAt = (at: number) => Number(fields[at]);
  return { parent: fields[1] ?? '', ticks: ticksAt(11) + ticksAt(12), ended: ticksAt(13) + ticksAt(14) };
}
