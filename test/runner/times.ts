import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A test file's wall time and its process's processor time in seconds, and the things it started. */
export type FileTimes = { file: string; wallS: number; cpuS: number } & typeof started;

const started = { services: 0, browsers: 0, processes: 0 };
const children = new Set<ChildProcess>();
subscribe('child_process', (message) => {
  const child = (message as { process: ChildProcess }).process;
  started.processes += 1;
  children.add(child);
  child.once('exit', () => children.delete(child));
});
// A failed test may leave processes behind, which would keep the output of the run open.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Counts a service or browser that the current test file starts. */
export function note(what: 'services' | 'browsers'): void {
  started[what] += 1;
}

/** Appends what `work`, the run of a test file, took to the file at `path`. */
export async function measure(path: string, file: string, work: () => Promise<unknown>): Promise<void> {
  const before = { ...started };
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const times: FileTimes = {
    file,
    wallS: Math.round((performance.now() - startMs) / 10) / 100,
    cpuS: Math.round((user + system) / 10_000) / 100,
    services: started.services - before.services,
    browsers: started.browsers - before.browsers,
    processes: started.processes - before.processes,
  };
  appendFileSync(path, `${JSON.stringify(times)}\n`);
}

export function readTimes(path: string): FileTimes[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A table, the longest first, and its sums. */
export function tableOf(files: readonly FileTimes[]): string {
  const names = ['wallS', 'cpuS', 'services', 'browsers', 'processes'] as const;
  const rowOf = (cells: readonly unknown[]) => cells.map((cell) => String(cell).padStart(10)).join('');
  const rows = files
    .toSorted((a, b) => b.wallS - a.wallS)
    .map((one) => `${rowOf(names.map((name) => one[name]))}  ${one.file}`);
  const sums = names.map((name) => Math.round(files.reduce((sum, one) => sum + one[name], 0)));
  const counts = names.map((name) => files.filter((one) => one[name] > 0).length);
  return [rowOf(names), ...rows, `${rowOf(sums)}  in all`, `${rowOf(counts)}  files of ${files.length}`].join('\n');
}
