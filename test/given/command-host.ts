import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { WITH_COMPILE_CACHE } from '../../src/platform/lib/compile-cache.ts';
import { clockOfThisProcess } from '../runner/shift-clock.ts';
import type { Env, Finished, JsonAnswer } from './command.ts';
import { WITHOUT_ENV_FILE } from './command.ts';

/** A command of `doorstep`, as a line of JSON: its arguments and its settings. */
export type HostedCommand = { args: readonly string[]; env: Env };

/** Descriptor of the host beside the three standard ones: a command's answer goes where nothing else writes. */
export const ANSWERS = 3;

const HOST = join(import.meta.dirname, './command-host-child.ts');

export type CommandHost = {
  /** Runs `doorstep ARGS…` to its end with these settings and no others. */
  runCommand(args: readonly string[], env: Env): Promise<Finished>;
  /** Runs it with --json, which must print exactly one document. */
  runJson(args: readonly string[], env: Env): Promise<JsonAnswer>;
  close(): Promise<void>;
};

/**
 * Runs commands one after the other in one process, because starting a process takes longer than its command. Signals,
 * standard input, unread output and concurrent commands need `startCommand`.
 */
export function givenCommandHost(): CommandHost {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [HOST], {
    cwd: WITHOUT_ENV_FILE,
    env: { PATH, HOME, ...WITH_COMPILE_CACHE, ...clockOfThisProcess() },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const waiting: PromiseWithResolvers<Finished>[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // The log goes by the stream of JavaScript, straight to the descriptor: to the command that runs then.
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
