import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';

const POLL_MS = 20;
const PS_TIMEOUT_MS = 5_000;

/**
 * Whether process `pid` is a PostgreSQL server of the cluster called `name`. A process number alone proves nothing: after
 * a crash the system gives it to another process. Every server process carries its cluster's name in its command line,
 * which any user may read (root may not read its directory in a container without CAP_SYS_PTRACE).
 */
export async function isClusterProcess(pid: number, name: string): Promise<boolean> {
  if (process.platform === 'linux') return carriesName(pid, name);
  const { output } = await runProgram('ps', ['-p', String(pid), '-o', 'command='], { timeoutMs: PS_TIMEOUT_MS });
  return output.includes('postgres') && output.includes(name);
}

function carriesName(pid: number, name: string): boolean {
  try {
    // A dead process that is not reaped yet has an empty command line: it counts as gone.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name)) return false;
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

/** Server processes of this cluster, independent of `postmaster.pid`. Empty where the system cannot list them (macOS). */
export function clusterProcesses(name: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => pid > 1 && carriesName(pid, name));
}

/**
 * Ends the backends of a killed postmaster. A backend notices the death by itself, but not within a long computation, and
 * two generations of servers on one cluster would destroy it.
 */
export async function endOrphans(name: string, graceMs: number): Promise<void> {
  const steps = [
    { signal: undefined, waitMs: graceMs },
    { signal: 'SIGQUIT', waitMs: graceMs },
    { signal: 'SIGKILL', waitMs: graceMs },
  ] as const;
  for (const { signal, waitMs } of steps) {
    if (signal) for (const pid of clusterProcesses(name)) sendSignal(pid, signal);
    if (await waitUntil(() => clusterProcesses(name).length === 0, performance.now() + waitMs)) return;
  }
  throw new EmbeddedPostgresError(
    `Old PostgreSQL processes (${clusterProcesses(name).join(', ')}) still use DATA_DIR and do not end: end them, or restart the machine.`,
  );
}

/** Whether a process with this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Sends a signal to a process that may have gone meanwhile. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Asks until the answer is yes, or until `deadline` (milliseconds of `performance.now()`). */
export async function waitUntil(isDone: () => boolean | Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await isDone()) return true;
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
}
