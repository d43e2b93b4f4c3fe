import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { COMPILE_CACHE_ENV } from '../../src/platform/lib/compile-cache.ts';
import { clockOfThisProcess } from '../nightly/shift-clock.ts';
import { type Env, type Finished, type JsonAnswer, WITHOUT_ENV_FILE } from './command.ts';

/** A `doorstep` command as a line of JSON: arguments and settings. */
export type HostedCommand = { args: readonly string[]; env: Env };

/** File descriptor for results, alongside the standard three, so that no other output mixes in. */
export const ANSWERS = 3;

const HOST = join(import.meta.dirname, './command-host-child.ts');

export type CommandHost = {
  /** Runs `doorstep ARGS…` to its end with only these settings. */
  runCommand(args: readonly string[], env: Env): Promise<Finished>;
  /** Runs it with --json, which must print exactly one document. */
  runJson(args: readonly string[], env: Env): Promise<JsonAnswer>;
  close(): Promise<void>;
};

/**
 * Runs commands sequentially in one process, because starting a process takes longer than its command. Signals,
 * standard input, unread output and concurrency need `startCommand`.
 */
export function givenCommandHost(): CommandHost {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [HOST], {
    cwd: WITHOUT_ENV_FILE,
    env: { PATH, HOME, ...COMPILE_CACHE_ENV, ...clockOfThisProcess() },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const waiting: PromiseWithResolvers<Finished>[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // The log is written to the descriptor through the JavaScript stream, so it belongs to the command that is running.
  let logged = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (logged += text));
  createInterface({ input: child.stdio[ANSWERS] as Readable }).on('line', (line) => {
    const finished: Finished = JSON.parse(line);
    waiting.shift()?.resolve({ ...finished, stderr: finished.stderr + logged });
    logged = '';
  });
  child.stdin.on('error', () => {});
  child.on('close', (status, signal) => {
    for (const { reject } of waiting) reject(new Error(`The host of commands ended: ${status} ${signal} ${logged}`));
    resolve();
  });
  const runCommand = (args: readonly string[], env: Env) => {
    const finished = Promise.withResolvers<Finished>();
    waiting.push(finished);
    child.stdin.write(`${JSON.stringify({ args, env } satisfies HostedCommand)}\n`);
    return finished.promise;
  };
  return {
    runCommand,
    async runJson(args, env) {
      const { status, stdout } = await runCommand([...args, '--json'], env);
      return { status, body: JSON.parse(stdout) };
    },
    async close() {
      child.stdin.end();
      await closed;
      if (logged !== '') throw new Error(`A command logged after its end: ${logged}`);
    },
  };
}
