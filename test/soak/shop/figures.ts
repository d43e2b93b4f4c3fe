import { availableParallelism, loadavg } from 'node:os';

const started = performance.now();

/** Prints a line with the seconds since the start. */
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

/** Load per processor above which timing figures say nothing about the service. */
const BUSY = 1.5;

/**
 * A soak's figures. A broken promise exits with 1. So does an exceeded time limit, except on a busy machine, where the
 * summary marks the limit as not checked.
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
