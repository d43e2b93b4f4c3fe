import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The setting of a run that counts what its test files cost; in the processes of the run, where each writes its counts. */
export const TEST_COSTS = 'DOORSTEP_TEST_COSTS';

/** Linux counts the processor time of a process in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time since the start of a process: its own, and of those of its processes that have ended. */
export type Cost = { ownS: number; childrenS: number };

/** What one file took of its process; `name` is the group's or the file's. */
export type FileCost = Cost & { name: string; wallS: number };

/** What this process had taken when it last wrote a cost down. */
let written = { ownS: 0, childrenS: 0, wallS: 0 };

/** Where the run counts costs, writes down what this process took since it last did, under this name. */
export function writeCost(name: string): void {
  const file = process.env[TEST_COSTS];
  if (!file) return;
  const now = { ...costOf('self'), wallS: performance.now() / 1000 };
  const ownS = now.ownS - written.ownS;
  const cost: FileCost = { name, ownS, childrenS: now.childrenS - written.childrenS, wallS: now.wallS - written.wallS };
  written = now;
  appendFileSync(file, `${JSON.stringify(cost)}\n`);
}

// In a process of the run, which has this module preloaded: its last line is what no file of the process wrote down.
const program = process.argv[1] ?? '';
if (program.endsWith('.test.ts')) {
  process.on('exit', () => writeCost(relative(join(import.meta.dirname, '..'), program)));
}

/** The cost of a process, with that of its ended processes; 0 where the system has no `/proc`. */
export function costOf(pid: number | 'self'): Cost {
  const fields = statOf(pid);
  const seconds = (...at: number[]) => at.reduce((sum, n) => sum + Number(fields[n] ?? 0), 0) / TICKS_PER_SECOND;
  return { ownS: seconds(STAT.userTime, STAT.systemTime), childrenS: seconds(STAT.childrenUser, STAT.childrenSystem) };
}

/** The cost of a process and of its processes, ended or alive. */
export function costOfTree(pid: number): number {
  const { ownS, childrenS } = costOf(pid);
  const alive = processes().filter((each) => statOf(each)[STAT.parent] === String(pid));
  return alive.reduce((sum, each) => sum + costOfTree(each), ownS + childrenS);
}

/** The lines of a table, the dearest first, and their sums. */
export function costTable(costs: readonly FileCost[]): string {
  const total = (cost: Cost) => cost.ownS + cost.childrenS;
  const sum = { ownS: 0, childrenS: 0, wallS: 0 };
  for (const cost of costs) for (const key of ['ownS', 'childrenS', 'wallS'] as const) sum[key] += cost[key];
  const line = (cost: FileCost) =>
    [total(cost), cost.ownS, cost.childrenS, cost.wallS].map((s) => s.toFixed(1).padStart(9)).join('') +
    `  ${cost.name}`;
  const dearest = costs.toSorted((one, other) => total(other) - total(one));
  return [
    'seconds of processor: all, its process, processes that it started; seconds that passed',
    ...dearest.map(line),
    line({ ...sum, name: 'all files' }),
  ].join('\n');
}

/** Positions in `/proc/PID/stat`, counted after the name of the program, which may hold spaces. */
const STAT = { parent: 1, userTime: 11, systemTime: 12, childrenUser: 13, childrenSystem: 14 };

function statOf(pid: number | 'self'): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
