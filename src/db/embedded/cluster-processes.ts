import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';

const POLL_MS = 20;
const PS_TIMEOUT_MS = 5_000;

/**
 * Whether process `pid` is a PostgreSQL server of this very cluster. A process number alone proves nothing, it is
 * given to another process after a crash; but every server process of a cluster stands in the cluster's directory.
 */
export async function isClusterProcess(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') return standsIn(pid, clusterDir);
  const { output } = await runProgram('ps', ['-p', String(pid), '-o', 'command='], { timeoutMs: PS_TIMEOUT_MS });
  return output.includes('postgres') && output.includes(clusterDir);
}

function standsIn(pid: number | string, clusterDir: string): boolean {
  try {
    // A dead process that nobody has reaped yet has a name but no directory: it counts as gone.
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    const [here, there] = [statSync(`/proc/${pid}/cwd`), statSync(clusterDir)];
    return here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}

/** Server processes of this cluster, whatever `postmaster.pid` says. Empty where the system cannot tell (macOS). */
export function clusterProcesses(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => standsIn(pid, clusterDir)).map(Number);
}

/**
 * Ends what a killed postmaster left behind: backends notice its death by themselves, one in a long computation
 * does not, and two generations of servers on one cluster would destroy it.
 */
export async function endOrphans(clusterDir: string, graceMs: number): Promise<void> {
  const steps = [
    { signal: undefined, waitMs: graceMs },
    { signal: 'SIGQUIT', waitMs: graceMs },
    { signal: 'SIGKILL', waitMs: 10 * graceMs },
  ] as const;
  for (const { signal, waitMs } of steps) {
    if (signal) for (const pid of clusterProcesses(clusterDir)) sendSignal(pid, signal);
    if (await waitUntil(() => clusterProcesses(clusterDir).length === 0, Date.now() + waitMs)) return;
  }
  throw new EmbeddedPostgresError(
    `Old PostgreSQL processes (${clusterProcesses(clusterDir).join(', ')}) still use DATA_DIR and do not end: end them, or restart the machine.`,
  );
}

/** Whether any process at all has this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Sends a signal to a process that may have gone meanwhile. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

/** Asks until the answer is yes, or until `deadline` (milliseconds of `Date.now()`). */
export async function waitUntil(isDone: () => boolean | Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await isDone()) return true;
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
}
