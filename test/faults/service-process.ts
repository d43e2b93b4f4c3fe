import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { FeedLine } from '../feed-lines.ts';
import { clockOfThisProcess } from '../shift-clock.ts';
import { until } from '../until.ts';
import { CHECKOUT, endWithTests, killAll, servers } from './embedded-postgres-harness.ts';

const READY_DEADLINE_MS = 120_000;
const MOST_COMPLAINTS = 200;
const COMMAND = join(CHECKOUT, 'bin/doorstep');

export type Environment = Record<string, string>;

/** `doorstep serve` in a process group of its own, on the embedded database of a folder. */
export type ServiceProcess = {
  url: string;
  readyMs: number;
  /** Recent log lines of level warn and above. */
  complaints: readonly string[];
  /** SIGKILL to the whole group, and to PostgreSQL and all its backends with it. */
  killAll(): Promise<void>;
  /** SIGKILL to the group alone: PostgreSQL stays. */
  killService(): Promise<void>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>;
};

/** The environment of a user's shell: no settings of the test run reach the service. */
export function environmentOf(settings: Environment): Environment {
  const { PATH = '', HOME = '/tmp', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG, ...clockOfThisProcess(), ...settings };
}

export async function startServiceProcess(dataDir: string, settings: Environment = {}): Promise<ServiceProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'serve', '--json'], {
    cwd: CHECKOUT,
    env: environmentOf({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', ...settings }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTests(child);
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints.push(text);
    if (complaints.length > MOST_COMPLAINTS) complaints.shift();
  });
  const { url } = JSON.parse(await firstLine(child, complaints));
  const exit = once(child, 'exit');
  const end = async (signal: NodeJS.Signals, others: readonly number[]) => {
    process.kill(-(child.pid ?? assert.fail()), signal);
    killAll(others);
    await exit;
  };
  return {
    url,
    complaints,
    readyMs: Math.round(performance.now() - startedAt),
    async killAll() {
      await end('SIGKILL', servers(dataDir));
      // A backend may start while others die, and a dead process takes a moment to disappear.
      const areGone = () => {
        const left = servers(dataDir);
        killAll(left);
        return left.length === 0;
      };
      await until('PostgreSQL is gone', areGone);
    },
    killService: () => end('SIGKILL', []),
    stop: () => end('SIGTERM', []),
  };
}

/** The first line of a process; fails with its log when it ends or stays silent for too long. */
async function firstLine(child: ChildProcess, complaints: readonly string[]): Promise<string> {
  const said = Promise.withResolvers<string>();
  if (child.stdout) createInterface({ input: child.stdout }).on('line', said.resolve);
  child.once('exit', (code, signal) => said.reject(new Error(`ended (${code ?? signal}): ${complaints.join('')}`)));
  const late = setTimeout(() => said.reject(new Error(`not ready: ${complaints.join('')}`)), READY_DEADLINE_MS);
  return said.promise.finally(() => clearTimeout(late));
}

/** Runs `doorstep ARGS… --json` on a folder and returns its document. */
export async function runCommand(dataDir: string, args: readonly string[]) {
  const options = { cwd: CHECKOUT, env: environmentOf({ DATA_DIR: dataDir }), timeout: READY_DEADLINE_MS };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args, '--json'], options);
  return JSON.parse(stdout);
}

/** A store by `doorstep import`, an account and its sandbox key. */
export async function givenKeyAndStore(dataDir: string, line: FeedLine): Promise<{ key: string; storeId: string }> {
  const feed = join(dataDir, '..', 'feed.ndjson');
  writeFileSync(feed, `${JSON.stringify(line)}\n`);
  const imported = await runCommand(dataDir, ['import', feed]);
  assert.deepEqual([imported.created, imported.errors], [1, []]);
  const { stores } = await runCommand(dataDir, ['stores', 'list']);
  const { account_id: account } = await runCommand(dataDir, ['accounts', 'create', 'Fault tests']);
  const { key } = await runCommand(dataDir, ['keys', 'create', '--account', account]);
  return { key, storeId: stores[0].store_id };
}

export type Answer = {
  status: number;
  replayed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
  body: any;
};

export type Caller = {
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body: object, idempotencyKey?: string): Promise<Answer>;
};

const ANSWER_DEADLINE_MS = 60_000;

/** Calls a service over HTTP; rejects where no answer came. */
export function callerOf(url: () => string, key: string): Caller {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const reply = await fetch(`${url()}${path}`, { ...init, signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) });
    const body = await reply.json();
    return { status: reply.status, replayed: reply.headers.get('idempotent-replayed') === 'true', body };
  };
  return {
    get: (path, query = {}) => call(`${path}?${new URLSearchParams(query)}`, { headers: { 'id-token': key } }),
    post: (path, body, idempotencyKey) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'id-token': key,
          'content-type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
      }),
  };
}
