import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { App } from '../harness.ts';
import { until } from '../until.ts';

/** A program of this folder that works on an app's tables until killed. */
export type WorkerProcess = {
  /** Waits for the condition; fails if the worker exits first. */
  until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void>;
  /** SIGKILL, then waits for the exit. */
  kill(): Promise<void>;
};

/** Starts `PROGRAM CONNECTION SCHEMA …args`, with stderr passed through. */
export function startWorker(
  program: string,
  { connectionString, schema }: Pick<App, 'connectionString' | 'schema'>,
  args: readonly string[],
  env: Record<string, string> = {},
): WorkerProcess {
  const file = join(import.meta.dirname, program);
  const child = spawn(process.execPath, [file, connectionString, schema, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    until: (what, isTrue) =>
      until(what, async () => {
        const hadEnded = child.exitCode !== null;
        const isSo = await isTrue();
        assert.ok(isSo || !hadEnded, `${program} ended before ${what}`);
        return isSo;
      }),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
