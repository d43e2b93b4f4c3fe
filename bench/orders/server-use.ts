import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect.ts';

/** Usage of a PostgreSQL server so far: processor time of all its processes, and bytes of its write-ahead log. */
export type ServerUse = { cpuMs: number; walBytes: number };

const TICK_MS = 10;

/**
 * Reads the usage of a connection's server. Processor time comes from `/proc`, so the server must run on this machine.
 * Ended processes count toward the server's first process.
 */
export async function readServerUse(db: Db): Promise<ServerUse> {
  const { rows } = await sql<{ pid: number; walBytes: number }>`
    select pg_backend_pid() as pid, pg_current_wal_lsn() - '0/0'::pg_lsn as wal_bytes`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has not answered.');
  const first = statOf(row.pid).parent;
  const children = pidsNow().filter((pid) => statOf(pid).parent === first);
  const ownMs = [first, ...children].reduce((sum, pid) => sum + statOf(pid).cpuMs, 0);
  return { cpuMs: ownMs + statOf(first).endedChildrenMs, walBytes: row.walBytes };
}

function pidsNow(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Fields of `/proc/PID/stat` after the name: the 2nd is the parent, times start at the 12th. Zeros for an ended
 * process.
 */
function statOf(pid: number): { parent: number; cpuMs: number; endedChildrenMs: number } {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return { parent: 0, cpuMs: 0, endedChildrenMs: 0 };
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parent, cpuMs: (user + system) * TICK_MS, endedChildrenMs: (endedUser + endedSystem) * TICK_MS };
}
