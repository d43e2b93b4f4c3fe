import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Load on one server: up to this many rounds per connection, and no new request after `ms`. */
export type Load = {
  url: string;
  /** One per connection, round-robin. */
  keys: readonly string[];
  paths: readonly string[];
  connections: number;
  rounds: number;
  ms: number;
  wantsLengths: boolean;
};

export type Loaded = {
  seconds: number;
  latenciesMs: number[];
  bodyBytes: number;
  lengths: number[];
};

/** A client in a child process that exits with this process. */
export type LoadClient = {
  run(load: Partial<Load> & Pick<Load, 'url' | 'keys' | 'paths'>): Promise<Loaded>;
  close(): Promise<void>;
};

export async function startLoadClient(): Promise<LoadClient> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load-child.ts'), [], { serialization: 'advanced' });
  await once(child, 'message');
  return {
    async run(load) {
      child.send({ connections: 1, rounds: Infinity, ms: Infinity, wantsLengths: false, ...load });
      const [loaded] = (await once(child, 'message')) as [Loaded | { fault: string }];
      if ('fault' in loaded) throw new Error(loaded.fault);
      return loaded;
    },
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** The quantile of the numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
