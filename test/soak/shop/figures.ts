import { availableParallelism, loadavg } from 'node:os';

const started = performance.now();

/** One line of a soak, with the seconds since its start. */
export function tell(text: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** `p50 812, p99 1530, max 1702 ms of 30` */
export function spread(values: readonly number[]): string {
  const at = (q: number) => Math.round(quantile(values, q));
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms of ${values.length}`;
}

/** More than this many processes that want a processor make a figure of time say nothing of the service. */
const BUSY = 1.5;

/**
 * A soak's figures. A broken promise ends the process with 1. So does a time over its limit, except on a machine with a
 * busy processor: there the summary says that the limit was not held.
 */
export function createSummary(name: string) {
  const load = loadavg()[0] ?? 0;
  const isBusy = load / availableParallelism() > BUSY;
  const lines: string[] = [];
  let broken = 0;
  return {
    note: (text: string) => void lines.push(`      ${text}`),
    promise(what: string, isKept: boolean) {
      lines.push(`${isKept ? 'ok   ' : 'BROKEN'} ${what}`);
      if (!isKept) broken += 1;
    },
    limit(what: string, figure: number, limit: number) {
      const isOver = figure > limit;
      const state = isOver ? (isBusy ? 'busy ' : 'OVER ') : 'ok   ';
      lines.push(`${state} ${what}: ${Math.round(figure)} (limit ${limit})`);
      if (isOver && !isBusy) broken += 1;
    },
    print() {
      const machine = `load ${load.toFixed(1)} at the start on ${availableParallelism()} processors`;
      process.stdout.write(
        `\n${name}: ${broken === 0 ? 'kept' : `${broken} BROKEN`} (${machine})\n${lines.join('\n')}\n`,
      );
      if (broken > 0) process.exitCode = 1;
    },
  };
}
