import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { clockOfThisProcess } from '../nightly/shift-clock.ts';
import { createTestDatabase } from '../test-database.ts';

export const DOORSTEP = join(import.meta.dirname, '../../bin/doorstep');
/** Ends a hanging command; not an assertion of speed. */
const TIMEOUT_MS = 600_000;
/** The Node.js version that the service needs; `bin/doorstep` starts it if an older one runs the command. */
const NEEDED_MAJOR = 26;

export type Finished = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
export type Env = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
export type JsonAnswer = { status: number | null; body: any };

export type RunningCommand = {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves with the first match in the command's output; rejects if the command exits without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  finished: Promise<Finished>;
};

/** An empty database with the settings that make commands use it; dropped at the end. */
export async function givenDatabase(): Promise<{ env: Env; drop(): Promise<void> }> {
  const { connectionString, drop } = await createTestDatabase('');
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-cli-'));
  return {
    env: { DATABASE_URL: connectionString, DATA_DIR: dataDir },
    async drop() {
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts `doorstep ARGS…` as a process with only these settings. */
export const startCommand = (args: readonly string[], env: Env, node = process.execPath): RunningCommand =>
  startProgram(node, [DOORSTEP, ...args], env);

/** Starts a program as a process; `more` sets another user or folder. `timeout` in milliseconds kills it, 0 never. */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Env,
  more: { uid?: number; gid?: number; cwd?: string; timeout?: number } = {},
): RunningCommand {
  const plain = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DRAIN_SECONDS: '0' };
  const child = spawn(program, args, {
    cwd: WITHOUT_ENV_FILE,
    env: { ...plain, ...clockOfThisProcess(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    ...more,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const { promise: finished, resolve, reject } = Promise.withResolvers<Finished>();
  child.on('error', reject);
  child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  const printed = (pattern: RegExp) => {
    const match = Promise.withResolvers<RegExpExecArray>();
    const look = () => {
      const found = pattern.exec(stdout);
      if (found) match.resolve(found);
    };
    child.stdout.on('data', look);
    finished.then(() => match.reject(new Error(`It ended without ${pattern}: ${stdout}${stderr}`)), match.reject);
    look();
    return match.promise;
  };
  return { child, printed, finished };
}

/** Runs `doorstep ARGS…` to its end; `input` is its standard input. */
export async function runCommand(args: readonly string[], env: Env, input = ''): Promise<Finished> {
  const { child, finished } = startCommand(args, env);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return finished;
}

/** Runs it with --json, which must print exactly one document. */
export async function runJson(args: readonly string[], env: Env, input = ''): Promise<JsonAnswer> {
  const { status, stdout } = await runCommand([...args, '--json'], env, input);
  return { status, body: JSON.parse(stdout) };
}

/** Systems give out ports from 32768 on: nothing but `freePort` takes one of these between two starts of a service. */
const PORTS = { from: 12_000, blocks: 1000, ofBlock: 20 };
const portsLeft: number[] = [];

/** A port for a service whose address is known before it starts. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = portsLeft.pop();
    if (port === undefined) {
      // This process listens on the first port of its block, so that no other test takes from the block.
      const first = PORTS.from + PORTS.ofBlock * randomInt(PORTS.blocks);
      if (!(await listenAt(first))) continue;
      for (let nth = 1; nth < PORTS.ofBlock; nth += 1) portsLeft.push(first + nth);
    } else {
      const server = await listenAt(port);
      if (!server) continue;
      await new Promise((closed) => server.close(closed));
      return String(port);
    }
  }
}

/** A server that keeps no process alive; undefined where the port is taken. */
async function listenAt(port: number): Promise<Server | undefined> {
  const server = createServer().unref();
  return new Promise((done) => {
    server.once('error', () => done(undefined));
    server.listen(port, '127.0.0.1', () => done(server));
  });
}

/** Whether this machine has a program that npm does not install. */
export const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** A Node.js on this machine that is too old for the service, if any. */
export function findOlderNode(): string | undefined {
  return ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
    if (!existsSync(node)) return false;
    const major = Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10);
    return major >= 18 && major < NEEDED_MAJOR;
  });
}

/** Working folder of commands, so that the developer's `.env` in the clone does not apply. */
export const WITHOUT_ENV_FILE = import.meta.dirname;
