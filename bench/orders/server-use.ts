import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect.ts';

/** What a PostgreSQL server has used so far: processor time of all its processes, and bytes of its log. */
export type ServerUse = { cpuMs: number; walBytes: number };

const TICK_MS = 10;

/**
 * Reads what the server of a connection has used; processor time is read from `/proc`, so the server runs on this machine.
 * Processes that have ended are counted with the server's first process.
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

/** Fields of `/proc/PID/stat` after the name: the parent is the 2nd, times begin at the 12th. Zeros for a process that has ended. */
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
