import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Requests to one server: so many rounds of each connection at most, and no new request after `ms`. */
export type Load = {
  url: string;
  /** One for each connection, by turns. */
  keys: readonly string[];
  paths: readonly string[];
  connections: number;
  rounds: number;
  ms: number;
  /** Each connection rests so long between an answer and its next request. */
  pauseMs: number;
  wantsLengths: boolean;
};

export type Loaded = {
  seconds: number;
  latenciesMs: number[];
  bodyBytes: number;
  lengths: number[];
  /** Processor time of the client. */
  cpuMs: number;
};

/** A client in a process of its own, which ends with this process. */
export type LoadClient = {
  run(load: Partial<Load> & Pick<Load, 'url' | 'keys' | 'paths'>): Promise<Loaded>;
  close(): Promise<void>;
};

export async function startLoadClient(): Promise<LoadClient> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load-child.ts'), [], { serialization: 'advanced' });
  await once(child, 'message');
  return {
    async run(load) {
      child.send({ connections: 1, rounds: Infinity, ms: Infinity, pauseMs: 0, wantsLengths: false, ...load });
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

/** The value below which this share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
